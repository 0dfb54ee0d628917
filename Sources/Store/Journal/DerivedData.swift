// The data of an event that follows from its download's row: the same for journal and webhooks.
internal import Base
internal import Downloads
internal import Postgres

/// Renders an event without stored data.
///
/// It is rendered from columns that do not change between the event and the end of the download's
/// retention, and from the event's own row. Code that changes one of these columns stores the data
/// first, in the same transaction (`Downloads.materializeEvents`).
struct DerivedData {
    let type: EventType
    let download: Identifier
    let at: Timestamp
    let sequence: Int64
    let attempt: Int
    let bytes: Int64
    let total: Int64?

    /// The columns that `text(_:from:result:)` reads from `d` (downloads), except the result.
    static let columns = """
        d.session, d.url, d.priority, d.earliest_begin_at, d.expected_bytes, d.spec::text,
        d.created_at, d.started_at
        """

    /// The result as a column, if the event shows it.
    ///
    /// - Parameter event: the event's alias in the statement.
    /// - Returns: the column's expression.
    static func result(of event: String) -> String {
        """
        CASE WHEN \(event).type IN (lull_event_type('succeeded'), lull_event_type('failed'),
            lull_event_type('canceled')) THEN d.result::text END
        """
    }

    /// Whether the data of an event follows from the row of its download.
    ///
    /// - Parameter type: the event's type.
    /// - Returns: true for the ends of downloads.
    static func isDerivable(_ type: EventType) -> Bool { type.isEnd }

    /// The snapshot of the download as JSON; `{"id":…}` if its row is gone.
    ///
    /// - Parameters:
    ///   - row: has the columns.
    ///   - first: the place of the first of them.
    ///   - result: the place of the result.
    /// - Returns: the `data` of the event.
    /// - Throws: `decoding`.
    func text(_ row: Row, from first: Int, result: Int) throws(PostgresError) -> String {
        guard let session = try row.get(first, as: String?.self) else {
            return JSON.object(["id": .string(download.text(.download))]).text
        }
        let spec = try row.stored(first + 5, as: DownloadSpec.self) ?? .blank
        var snapshot = Download(
            id: download, session: session, state: type.stateAfter ?? .waiting,
            url: try row.get(first + 1),
            priority: try row.get(first + 2),
            earliestBeginDate: try row.get(first + 3, as: TimestampValue?.self)?.timestamp,
            bytesExpectedByClient: try row.get(first + 4), spec: spec,
            createdAt: try row.get(first + 6, as: TimestampValue.self).timestamp)
        // The row does not have the mirror of that time, unless its result has.
        if !snapshot.spec.urls.isEmpty { snapshot.mirror = nil }
        snapshot.sequence = sequence
        snapshot.attempt = attempt
        snapshot.bytesReceived = bytes
        snapshot.bytesTotal = total
        let startedAt = try row.get(first + 7, as: TimestampValue?.self)?.timestamp
        switch type {
        case .created:
            snapshot.mirror = 0
            if snapshot.spec.isCreatedSuspended { snapshot.state = .suspended }
        case .willBegin:
            // A download that begins for the first time had no start, whatever the row has now.
            if attempt > 0 { snapshot.startedAt = startedAt }
        case .retryScheduled, .waiting:
            snapshot.nextAttemptAt = at
            snapshot.startedAt = startedAt ?? at
        case .succeeded, .failed, .canceled:
            snapshot.completedAt = at
            snapshot.startedAt = startedAt
            let stored = try row.stored(result, as: DownloadResult.self)
            snapshot.result = DerivedData.atEnd(
                stored?.expanded(of: snapshot.url) ?? DownloadResult())
        case .started, .progress, .attentionRequired, .suspended, .resumed, .contentExpiring,
            .contentExpired, .contentLost, .deadlineAtRisk, .contentReleased, .endpointPing,
            .endpointDisabled, .deliveryExhausted, .sessionWake, .sessionEventsFinished,
            .sessionDrained:
            // The row has the start of the first attempt only from that attempt's end on.
            snapshot.startedAt = startedAt ?? at
        }
        return snapshot.eventData()
    }

    /// The result as it was when the download ended, with its content held for its first retention.
    private static func atEnd(_ stored: DownloadResult) -> DownloadResult {
        var result = stored
        result.content?.state = .held
        result.content?.changed = nil
        if let first = result.content?.firstExpiresAt { result.content?.expiresAt = first }
        return result
    }
}

extension EventType {
    /// Whether it is the end of a download, and not of its content.
    fileprivate var isEnd: Bool {
        switch self {
        case .succeeded, .failed, .canceled: true
        default: false
        }
    }
}
