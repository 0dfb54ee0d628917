package import Base

/// The files of uploads in this replica's data directory.
package struct UploadAccess: Sendable {
    /// Reserves room for a new upload and creates its empty file; nil once that is done.
    package var reserve:
        @concurrent @Sendable (_ id: Identifier, _ length: Int64) async -> UploadRefusal? = {
            _, _ in nil
        }
    /// Removes the file of an upload, unless an attempt has adopted it; a missing one is no error.
    package var remove: @concurrent @Sendable (Identifier) async -> Void = { _ in }
    /// Opens the file of an upload, or makes it where its row names this data directory.
    package var open:
        @concurrent @Sendable (_ id: Identifier, _ length: Int64) async -> Result<
            any UploadBytes, UploadRefusal
        > = { _, _ in .failure(.failed("this service takes no uploads")) }
    /// Notes that an upload waits to get its bytes from held content.
    package var sourcesChanged: @Sendable () -> Void = {}
    /// Passes a request on to the replica that has the file.
    package var pass: @concurrent @Sendable (UploadPassing) async -> UploadPassed = { _ in
        .unavailable("this replica does not ask other replicas")
    }
    /// The data directory.
    package var instance: Identifier
    /// The longest file in bytes.
    package var lengthAtMost: Int64
    /// The turns of requests, shared by all copies.
    let turns = UploadTurns()

    /// Creates access without files, for the members that are set later.
    package init(instance: Identifier, lengthAtMost: Int64) {
        self.instance = instance
        self.lengthAtMost = lengthAtMost
    }
}
