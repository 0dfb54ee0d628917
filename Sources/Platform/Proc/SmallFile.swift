// Reading the small files and folders of /proc and /sys.
internal import Glibc

/// Reads files that the kernel generates.
enum SmallFile {
    /// The beginning of a file; nil if it cannot be read.
    static func text(_ path: String, atMost limit: Int = 4096) -> String? {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        var bytes = [UInt8](repeating: 0, count: limit)
        var filled = 0
        while filled < limit {
            let count = unsafe bytes.withUnsafeMutableBytes {
                unsafe Glibc.read(
                    file.rawValue, $0.baseAddress?.advanced(by: filled), limit - filled)
            }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            filled += count
        }
        return String(decoding: bytes[..<filled], as: UTF8.self)
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
