// A path beneath a folder; a path whose text could lead out of the folder is refused.

/// The rule for the path of a file beneath a folder.
package enum FolderPath {
    /// The most bytes of a path.
    package static let bytesAtMost = 4096
    /// The most bytes of a component, which is the limit of most file systems.
    package static let componentBytesAtMost = LongName.bytesAtMost
    /// The most components of a path.
    package static let componentsAtMost = 64
    /// The name at the top of a folder in which this service prepares files.
    package static let reserved = ".lull"

    /// The error in a path; nil for a good one.
    ///
    /// Symbolic links are not known here; the code that opens the path does not follow them.
    package static func refusal(of path: String) -> String? {
        guard !path.isEmpty, path.utf8.count <= bytesAtMost else {
            return "must have 1 to \(bytesAtMost) bytes"
        }
        guard path.utf8.first != UInt8(ascii: "/") else {
            return "must be relative to the folder"
        }
        let parts = components(of: path)
        guard parts.count <= componentsAtMost else {
            return "must have at most \(componentsAtMost) parts between slashes"
        }
        for part in parts {
            guard (1...componentBytesAtMost).contains(part.utf8.count) else {
                return "must have 1 to \(componentBytesAtMost) bytes in each part between slashes"
            }
            guard part != ".", part != ".." else {
                return "must not have . or .. as a part between slashes"
            }
        }
        guard parts.first.map({ $0 != reserved }) ?? false else {
            return "must not begin with \(reserved)"
        }
        guard path.unicodeScalars.allSatisfy({ !isControl($0) }) else {
            return "must have no control characters"
        }
        return nil
    }

    /// The components between the slashes; compared and cut as bytes, because a slash with a
    /// combining mark is one character that is no slash.
    package static func components(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// A name with a number: before its ending, and cut so that it stays a name.
    package static func numbered(_ name: String, _ number: Int) -> String {
        LongName.insert(" (\(number))", into: name)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
    }
}
