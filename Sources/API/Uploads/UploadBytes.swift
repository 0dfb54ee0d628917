package import Downloads

/// The staged bytes of one upload, while a request has its turn with them.
///
/// Calls wait for the disk and come one after the other. After a failure the file has at least the
/// bytes that were there before.
package protocol UploadBytes: Sendable {
    /// The number of bytes that are there: the offset of the next one.
    func length() async throws(UploadRefusal) -> Int64

    /// Adds bytes behind the last one.
    ///
    /// - Throws: `noRoom`, `failed`.
    func append(_ bytes: [UInt8]) async throws(UploadRefusal)

    /// Removes all bytes and reserves the space of an upload anew.
    ///
    /// - Parameter length: that of the whole upload.
    /// - Throws: `noRoom`, `failed`.
    func restart(length: Int64) async throws(UploadRefusal)

    /// Makes the bytes so far durable.
    ///
    /// - Throws: `failed`.
    func sync() async throws(UploadRefusal)

    /// The digest of all bytes.
    ///
    /// - Returns: lower-case hexadecimal digits.
    /// - Throws: `missing` if the file became shorter, `failed`.
    func digest(_ algorithm: DigestAlgorithm) async throws(UploadRefusal) -> String

    /// Begins a chunk that counts only once its checksum is proved.
    ///
    /// - Throws: `noRoom`, `failed`.
    func beginChunk() async throws(UploadRefusal) -> any UploadChunk

    /// Adds the bytes of a proved chunk, which came from `beginChunk`.
    ///
    /// - Throws: `noRoom`, `failed`.
    func append(_ chunk: any UploadChunk) async throws(UploadRefusal)

    /// Removes the file; a missing one is no error.
    func discard() async
}
