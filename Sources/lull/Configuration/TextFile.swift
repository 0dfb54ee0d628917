// Small files: secrets, keys, certificates, time zones.
internal import Glibc
internal import Platform

/// Reading a small file at once.
enum TextFile {
    /// Reads the bytes of a file; nil if that fails.
    ///
    /// - Returns: nil if it cannot be read or is longer than the bound.
    static func read(_ path: String, bytesAtMost: Int) -> [UInt8]? {
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe room.withUnsafeMutableBytes {
                unsafe Glibc.read(file.rawValue, $0.baseAddress, $0.count)
            }
            guard count >= 0, bytes.count + count <= bytesAtMost else { return nil }
            if count == 0 { return bytes }
            bytes += room[..<count]
        }
    }
}
