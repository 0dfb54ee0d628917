// What an event says where that follows from its download: the same for journal and webhooks.
internal import Core
internal import Postgres

/// An event without a payload.
struct DerivedData {
    let type: EventType
    let download: Identifier
    let at: Timestamp
    let sequence: Int64
    let attempt: Int
    let bytes: Int64
    let total: Int64?

    /// The columns that `text(_:from:)` reads, from `d` (downloads).
    static let columns = """
        d.session, d.url, d.priority, d.earliest_begin_at, d.expected_bytes, d.spec::text,
        d.created_at, d.started_at
        """

    /// The snapshot of the download as JSON; `{"id":…}` if its row is gone.
    ///
    /// - Parameters:
    ///   - row: has the columns.
    ///   - first: the place of the first of them.
    /// - Returns: the `data` of the event.
    /// - Throws: `decoding`.
    func text(_ row: Row, from first: Int) throws(PostgresError) -> String {
        guard let session = try row.get(first, as: String?.self) else {
            return JSON.object(["id": .string(download.text(.download))]).text
        }
        let spec = try row.stored(first + 5, as: DownloadSpec.self) ?? .blank
        var snapshot = Download(
            id: download, session: session, state: type.stateAfter, url: try row.get(first + 1),
            priority: try row.get(first + 2),
            earliestBeginDate: try row.get(first + 3, as: TimestampValue?.self)?.timestamp,
            bytesExpectedByClient: try row.get(first + 4), spec: spec,
            createdAt: try row.get(first + 6, as: TimestampValue.self).timestamp)
        // Which one was asked then, the row does not tell.
        if !snapshot.spec.urls.isEmpty { snapshot.mirror = nil }
        snapshot.sequence = sequence
        snapshot.attempt = attempt
        snapshot.bytesReceived = bytes
        snapshot.bytesTotal = total
        switch type {
        case .created:
            snapshot.mirror = 0
            if snapshot.spec.isCreatedSuspended { snapshot.state = .suspended }
            return snapshot.eventData()
        case .retryScheduled, .waiting: snapshot.nextAttemptAt = at
        case .canceled: snapshot.completedAt = at
        default: break
        }
        // The row learns of the first attempt when that ends; until then this is it.
        snapshot.startedAt =
            try row.get(first + 7, as: TimestampValue?.self)?.timestamp ?? at
        return snapshot.eventData()
    }
}
