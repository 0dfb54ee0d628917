package import Base
package import Scheduling
package import Store

/// The functions by which a replica begins and stops the looks of sources.
package struct LookActions: Sendable {
    /// Begins the look of a turn; returns the reason why no download was created, nil if one was.
    let begin:
        @Sendable (SourceRecord, SourceTimetable, SourceTurn) async throws(StoreError) -> String?
    /// Cancels the download of a look, by its app.
    let stop: @Sendable (Identifier, Int64) async throws(StoreError) -> Void

    /// Sets both.
    package init(
        begin:
            @escaping @Sendable (
                SourceRecord, SourceTimetable, SourceTurn
            ) async throws(StoreError) -> String?,
        stop: @escaping @Sendable (Identifier, Int64) async throws(StoreError) -> Void
    ) {
        (self.begin, self.stop) = (begin, stop)
    }
}
