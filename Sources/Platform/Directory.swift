// Creating directories.
internal import Glibc

/// Creates directories by path.
package enum Directory {
    /// Creates a directory and its parents; existing ones stay as they are.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - mode: the mode of the last one, less the umask; those above it get 0755.
    /// - Throws: the error of mkdir(2).
    package static func make(_ path: String, mode: UInt32) throws(Errno) {
        guard unsafe access(path, F_OK) != 0 else { return }
        if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try make(String(path[..<slash]), mode: 0o755)
        }
        guard unsafe mkdir(path, mode_t(mode)) != 0 else { return }
        let failure = Errno.current
        guard failure == .exists else { throw failure }
    }
}
