internal import Crypto
package import Downloads
internal import Glibc
internal import Platform
internal import Synchronization

/// The bytes of a request that do not count before their checksum is proved.
///
/// The file has no name, so nothing of it is left when the process ends. All calls block: use them
/// on a file lane.
package final class ChunkFile: Sendable {
    private let descriptor: FileDescriptor
    private let count = Mutex<Int64>(0)

    init(owning descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    /// The number of bytes.
    package var length: Int64 { count.withLock { $0 } }

    /// Adds bytes behind the last one.
    ///
    /// - Throws: `ContentError`: `noSpace`, `ioError`.
    package func append(_ bytes: [UInt8]) throws(ContentError) {
        try count.withLock { count throws(ContentError) in
            var failure: ContentError?
            unsafe bytes.withUnsafeBytes { memory in
                do throws(ContentError) {
                    try unsafe PartFile.write(memory, to: descriptor.rawValue, at: count)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            count += Int64(bytes.count)
        }
    }

    /// A digest of all bytes.
    ///
    /// - Returns: lower-case hexadecimal digits.
    /// - Throws: `ContentError`: `ioError`.
    package func digest(_ algorithm: DigestAlgorithm) throws(ContentError) -> String {
        let digest = RunningDigest(RunningDigest.Algorithm(algorithm))
        try unsafe read { unsafe digest.update($0) }
        return Hex.encode(digest.finished())
    }

    func read(
        _ body: (UnsafeRawBufferPointer) throws(ContentError) -> Void
    ) throws(ContentError) {
        try unsafe PartFile.read(descriptor.rawValue, from: 0, length: length, body)
    }
}
