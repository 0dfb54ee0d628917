// Small files: keys, passwords, lists, policies.
internal import Glibc
internal import Platform

/// Reads a small file, or standard input, at once.
enum FileText {
    /// Reads the bytes of a file; `-` is standard input.
    ///
    /// - Returns: nil if it cannot be read or is longer than the bound.
    static func bytes(of path: String, atMost bound: Int) -> [UInt8]? {
        if path == "-" { return read(0, atMost: bound) }
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        return read(file.rawValue, atMost: bound)
    }

    /// Reads a file with a secret, without its last line break.
    ///
    /// - Throws: `ClientFailure` for one that cannot be read or is empty.
    static func secret(_ path: String) throws(ClientFailure) -> String {
        guard let bytes = bytes(of: path, atMost: 65_536) else {
            throw .usage("the file \(path) cannot be read")
        }
        var text = String(decoding: bytes, as: UTF8.self)
        while text.hasSuffix("\n") || text.hasSuffix("\r") { text.removeLast() }
        guard !text.isEmpty else { throw .usage("the file \(path) is empty") }
        return text
    }

    private static func read(_ descriptor: Int32, atMost bound: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe room.withUnsafeMutableBytes {
                unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            guard count >= 0, bytes.count + count <= bound else { return nil }
            if count == 0 { return bytes }
            bytes += room[..<count]
        }
    }
}
