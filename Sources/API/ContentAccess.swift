package import Base
internal import Crypto
package import Downloads
package import HTTPWire
internal import Store

/// The content of finished downloads in its place, by identifier and fence.
package struct ContentAccess: Sendable {
    /// Opens a file for reading; nil for all of its bytes.
    package var open:
        @concurrent @Sendable (Identifier, Int64, ClosedRange<Int64>?) async -> ContentOpening
    /// Removes a file; a missing one is no error.
    package var remove: @concurrent @Sendable (Identifier, Int64) async -> Void
    /// The identifier by which rows refer to the place.
    package var instance: Identifier
    /// Reports a file that was not found, cannot be read, or has another length than its row says.
    package var missed: @Sendable (Identifier, Int64) -> Void
    /// Reports a placed file with other bytes.
    package var changed: @Sendable () -> Void = {}
    /// The present facts of an open file; nil if they cannot be read.
    package var facts: @Sendable (FileRegion) -> FileFacts? = { _ in nil }
    /// Requests a file from another replica.
    package var fetch: @concurrent @Sendable (PeerRequest) async -> PeerAnswer = { _ in
        .unavailable("this replica does not ask other replicas for content")
    }
    /// Content in object stores.
    package var objects = ObjectAccess.none
    /// The keys for requests of other replicas; nil accepts none.
    package var peerKeys: PeerKeys?

    /// Sets all members.
    package init(
        instance: Identifier, missed: @escaping @Sendable (Identifier, Int64) -> Void = { _, _ in },
        open:
            @escaping @concurrent @Sendable (Identifier, Int64, ClosedRange<Int64>?) async ->
            ContentOpening,
        remove: @escaping @concurrent @Sendable (Identifier, Int64) async -> Void
    ) {
        self.instance = instance
        self.missed = missed
        self.open = open
        self.remove = remove
    }

    /// Removes the file of a download whose row is marked for that.
    ///
    /// A file that followers still have to get stays until then: `ContentRetention` removes it.
    func remove(fileOf record: DownloadRecord) async {
        guard let fence = record.contentFence,
            record.download.shared.value.duplicates == .independent
        else { return }
        await remove(record.download.id, fence)
    }
}
