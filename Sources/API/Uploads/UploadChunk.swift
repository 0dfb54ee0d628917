package import Downloads

/// The bytes of one request that do not count before their checksum is proved; they are gone with
/// the last reference.
package protocol UploadChunk: Sendable {
    /// Adds bytes behind the last one.
    ///
    /// - Throws: `noRoom`, `failed`.
    func append(_ bytes: [UInt8]) async throws(UploadRefusal)

    /// The digest of all bytes.
    ///
    /// - Returns: lower-case hexadecimal digits.
    /// - Throws: `failed`.
    func digest(_ algorithm: DigestAlgorithm) async throws(UploadRefusal) -> String
}
