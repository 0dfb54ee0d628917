// Bodies that are in memory.
internal import Crypto
internal import Synchronization
internal import Transfers

extension StoreBody {
    /// A body of bytes, with both digests.
    package init(of bytes: [UInt8]) {
        let crc = RunningDigest(.crc64nvme)
        unsafe bytes.withUnsafeBytes { unsafe crc.update($0) }
        self.init(
            length: Int64(bytes.count), sha256: SHA256.digest(of: bytes),
            crc64: crc.finished().reduce(0) { $0 << 8 | UInt64($1) }
        ) { _ in ByteSource(bytes).source }
    }
}

/// Gives the bytes of a small body to the engine.
private final class ByteSource: Sendable {
    private let bytes: [UInt8]
    private let given = Atomic<Int>(0)

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var source: TransferSource {
        unsafe TransferSource(
            length: Int64(bytes.count),
            read: { room in
                let start = self.given.load(ordering: .relaxed)
                let count = min(room.count, self.bytes.count - start)
                unsafe room.copyBytes(from: self.bytes[start..<start + count])
                self.given.store(start + count, ordering: .relaxed)
                return .bytes(count)
            },
            rewind: {
                self.given.store(0, ordering: .relaxed)
                return true
            })
    }
}
