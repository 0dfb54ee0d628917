package import Transfers

/// Bytes on their way into a store: an object, or a part of one.
package struct StoreBody: Sendable {
    /// The number of bytes.
    package let length: Int64
    /// Their SHA-256, 32 bytes: the payload hash of the signature.
    package let sha256: [UInt8]
    /// Their CRC-64/NVME; needed where the location wants it.
    package let crc64: UInt64?
    /// Makes a source at the first byte, for each try anew; it is given the closure that makes the
    /// engine ask again after a pause.
    package let source: @Sendable (@escaping @Sendable () -> Void) -> TransferSource

    /// Creates a value with all its members.
    package init(
        length: Int64, sha256: [UInt8], crc64: UInt64? = nil,
        source: @escaping @Sendable (@escaping @Sendable () -> Void) -> TransferSource
    ) {
        self.length = length
        self.sha256 = sha256
        self.crc64 = crc64
        self.source = source
    }
}
