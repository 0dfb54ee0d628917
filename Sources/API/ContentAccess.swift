package import Core
internal import Crypto
package import HTTPWire
internal import Store

/// The files of finished downloads, by identifier and fence.
package struct ContentAccess: Sendable {
    /// Opens a file for reading.
    package var open: @concurrent @Sendable (Identifier, Int64) async -> ContentOpening
    /// Removes a file; one that is not there is fine.
    package var remove: @concurrent @Sendable (Identifier, Int64) async -> Void
    /// The identifier of the data directory.
    package var instance: Identifier
    /// A file was not found, cannot be read, or has another length than its row says.
    package var missed: @Sendable (Identifier, Int64) -> Void
    /// A placed file was found with other bytes.
    package var changed: @Sendable () -> Void = {}
    /// The present facts of an open file; nil if they cannot be read.
    package var facts: @Sendable (FileRegion) -> FileFacts? = { _ in nil }
    /// Asks another replica for a file that is not here.
    package var fetch: @concurrent @Sendable (PeerRequest) async -> PeerAnswer = { _ in
        .unavailable("this replica asks no other")
    }
    /// What requests of other replicas are signed with; nil accepts none.
    package var peerKeys: PeerKeys?

    /// Sets all members.
    package init(
        instance: Identifier, missed: @escaping @Sendable (Identifier, Int64) -> Void = { _, _ in },
        open: @escaping @concurrent @Sendable (Identifier, Int64) async -> ContentOpening,
        remove: @escaping @concurrent @Sendable (Identifier, Int64) async -> Void
    ) {
        self.instance = instance
        self.missed = missed
        self.open = open
        self.remove = remove
    }

    /// Removes the file of a download, whose row says already that it goes.
    ///
    /// One that others may still be given stays until they have it: `ContentRetention` removes it.
    func remove(fileOf record: DownloadRecord) async {
        guard let fence = record.contentFence,
            record.download.shared.spec.duplicates == .independent
        else { return }
        await remove(record.download.id, fence)
    }
}
