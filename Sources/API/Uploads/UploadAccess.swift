package import Base
internal import HTTPWire

/// The staged bytes of uploads in the data directory of this replica.
package struct UploadAccess: Sendable {
    /// Makes the file of a new upload and reserves its space; the length is in bytes, at least 0.
    package var reserve:
        @concurrent @Sendable (Identifier, _ length: Int64) async -> Result<Void, UploadRefusal>
    /// Makes the file of an upload from content that this data directory holds, durable.
    ///
    /// The result is the SHA-256 of its bytes in lower-case hexadecimal digits; `missing` if the
    /// content is not here.
    package var take:
        @concurrent @Sendable (Identifier, _ from: (download: Identifier, fence: Int64)) async ->
            Result<String, UploadRefusal>
    /// Removes the file of an upload, unless an attempt has adopted it; a missing one is no error.
    package var remove: @concurrent @Sendable (Identifier) async -> Void
    /// Opens the file of an upload, or makes it if its row names this data directory.
    package var open:
        @concurrent @Sendable (Identifier, _ length: Int64) async -> Result<
            any UploadBytes, UploadRefusal
        >
    /// The data directory, as resume points name it.
    package var instance: Identifier
    /// The most bytes that an upload may have.
    package var bytesAtMost: Int64 = 5 << 40
    /// The turns of requests, shared by all copies.
    let turns = UploadTurns()

    /// Creates the access to a data directory.
    package init(
        instance: Identifier,
        reserve:
            @escaping @concurrent @Sendable (Identifier, Int64) async -> Result<
                Void, UploadRefusal
            >,
        take:
            @escaping @concurrent @Sendable (
                Identifier, (download: Identifier, fence: Int64)
            ) async -> Result<String, UploadRefusal>,
        remove: @escaping @concurrent @Sendable (Identifier) async -> Void,
        open:
            @escaping @concurrent @Sendable (Identifier, Int64) async -> Result<
                any UploadBytes, UploadRefusal
            >
    ) {
        self.instance = instance
        self.reserve = reserve
        self.take = take
        self.remove = remove
        self.open = open
    }

    /// Refuses everything: a service without a data directory for uploads.
    package static func none(_ instance: Identifier) -> UploadAccess {
        let why = UploadRefusal.failed("this service takes no uploads")
        return UploadAccess(
            instance: instance, reserve: { _, _ in .failure(why) },
            take: { _, _ in .failure(why) }, remove: { _ in }, open: { _, _ in .failure(why) })
    }
}
