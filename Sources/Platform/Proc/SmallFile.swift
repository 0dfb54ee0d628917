// Reading small files as a whole, and the files and folders of /proc and /sys.
internal import Glibc

/// Reads files that the kernel generates, and other small ones.
package enum SmallFile {
    /// The beginning of a file; nil if it cannot be read.
    static func text(_ path: String, atMost limit: Int = 4096) -> String? {
        // The reason does not matter: a machine that does not tell something has no file for it.
        do throws(Errno) {
            return String(decoding: try bytes(path, atMost: limit), as: UTF8.self)
        } catch { return nil }
    }

    /// The beginning of a file.
    ///
    /// - Throws: the reason why it cannot be read.
    package static func bytes(_ path: String, atMost limit: Int) throws(Errno) -> [UInt8] {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { throw .current }
        let file = FileDescriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(
                    file.rawValue, $0.baseAddress?.advanced(by: filled), limit - filled)
            }
            guard count >= 0 else { throw .current }
            if count == 0 { break }
            filled += count
        }
        return Array(bytes[..<filled])
    }

    /// Lists the names in a folder except hidden ones, up to a limit; empty if it cannot be read.
    static func names(in path: String, atMost limit: Int = 64) -> [String] {
        guard let directory = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while names.count < limit, let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
