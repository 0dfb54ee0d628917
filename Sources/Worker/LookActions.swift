package import Base
package import Scheduling
package import Store

/// The functions by which a replica begins and stops the looks of sources, and queues the items of
/// feeds.
package struct LookActions: Sendable {
    /// The document of a feed, as the download of a look brought it.
    package enum Document: Sendable {
        /// All of its bytes.
        case bytes([UInt8])
        /// It cannot be read now.
        case unavailable(String)
        /// It is no longer held, for a reason.
        case gone(String)
    }

    /// The result of queueing the items that a look wanted.
    package struct Queued: Sendable {
        /// The items that no download can be made for: their keys, and the reasons.
        let refused: [(key: String, reason: String)]
        /// The number of items for which the app has no room.
        let left: Int
        /// The reason why no item can be queued at all; nil for none.
        let fault: String?

        /// Sets all members.
        package init(refused: [(key: String, reason: String)], left: Int, fault: String?) {
            (self.refused, self.left, self.fault) = (refused, left, fault)
        }
    }

    /// Begins the look of a turn; returns the reason why no download was created, nil if one was.
    let begin:
        @Sendable (SourceRecord, SourceTimetable, SourceTurn) async throws(StoreError) -> String?
    /// Cancels the download of a look, by its app.
    let stop: @Sendable (Identifier, Int64) async throws(StoreError) -> Void
    /// Reads the document of a feed.
    let document: @concurrent @Sendable (DownloadRecord, SourceRecord) async -> Document
    /// Queues items of a feed for a look that has queued so many before.
    let queue:
        @Sendable (
            [ChosenItem], SourceRecord, Identifier, Int64
        ) async throws(StoreError) -> Queued

    /// Sets all members.
    package init(
        begin:
            @escaping @Sendable (
                SourceRecord, SourceTimetable, SourceTurn
            ) async throws(StoreError) -> String?,
        stop: @escaping @Sendable (Identifier, Int64) async throws(StoreError) -> Void,
        document: @escaping @concurrent @Sendable (DownloadRecord, SourceRecord) async -> Document,
        queue:
            @escaping @Sendable (
                [ChosenItem], SourceRecord, Identifier, Int64
            ) async throws(StoreError) -> Queued
    ) {
        (self.begin, self.stop, self.document, self.queue) = (begin, stop, document, queue)
    }
}
