// A file for one test.
import Glibc
import HTTPWire
import Platform

/// A file with a pattern of bytes that goes away with this value.
final class TemporaryFile: Sendable {
    let path: String
    let bytes: [UInt8]

    init(bytes count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ ($0 >> 8)) }
        var template = Array("/tmp/lull-http-XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw Errno.current }
        let file = FileDescriptor(owning: descriptor)
        let written = unsafe bytes.withUnsafeBytes {
            unsafe write(file.rawValue, $0.baseAddress, $0.count)
        }
        guard written == count else { throw Errno.current }
        self.bytes = bytes
        path = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// A range of the file, with a descriptor of its own.
    func region(
        offset: Int64, length: Int64, sent: @escaping @Sendable () -> Void = {}
    ) throws -> FileRegion {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno.current }
        return FileRegion(
            descriptor: descriptor, offset: offset, length: length,
            close: { _ = FileDescriptor(owning: descriptor) }, sent: sent)
    }

    deinit { unsafe unlink(path) }
}
