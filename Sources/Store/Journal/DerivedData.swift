// The data of an event that follows from its download's row, for journal and webhooks.
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

    /// Whether the data of an event follows from the row of its download.
    ///
    /// - Parameter type: the event's type.
    /// - Returns: true for the ends of downloads.
    static func isDerivable(_ type: EventType) -> Bool { type.isEnd }

    /// The snapshot of the download as JSON; `{"id":…}` if its row is gone.
    ///
    /// - Parameter row: has the columns of `ShownColumn`.
    /// - Returns: the `data` of the event.
    /// - Throws: `decoding`.
    func text(_ row: Row) throws(PostgresError) -> String {
        typealias Column = ShownColumn
        guard let session = try row.get(Column.session, as: String?.self) else {
            return JSON.object(["id": .string(download.text)]).text
        }
        let spec = try row.stored(Column.spec, as: DownloadSpec.self) ?? .blank
        var snapshot = Download(
            id: download, session: session, state: type.stateAfter(of: download) ?? .waiting,
            url: try row.text(Column.url), priority: try row.double(Column.priority),
            earliestBeginDate: try row.instant(Column.earliestBeginAt),
            bytesExpectedByClient: try row.optionalInteger(Column.expectedBytes), spec: spec,
            createdAt: try row.requiredInstant(Column.createdAt))
        // The row does not have the mirror of that time, unless its result has.
        if !snapshot.spec.urls.isEmpty { snapshot.mirror = nil }
        snapshot.sequence = sequence
        snapshot.attempt = attempt
        snapshot.bytesReceived = bytes
        snapshot.bytesTotal = total
        let startedAt = try row.instant(Column.startedAt)
        switch type {
        case .created:
            snapshot.mirror = 0
            if snapshot.spec.isCreatedSuspended { snapshot.state = .suspended }
        case .willBegin, .willSend:
            // The place of the file is not shown, only that it is there.
            if type == .willSend { snapshot.holder = "" }
            // A download that begins for the first time had no start, whatever the row has now.
            if attempt > 0 { snapshot.startedAt = startedAt }
        case .retryScheduled, .waiting:
            snapshot.nextAttemptAt = at
            snapshot.startedAt = startedAt ?? at
        case .succeeded, .failed, .canceled:
            snapshot.completedAt = at
            snapshot.startedAt = startedAt
            let stored = try row.stored(Column.result, as: DownloadResult.self)
            snapshot.result = DerivedData.atEnd(
                stored?.expanded(of: snapshot.url) ?? DownloadResult())
            snapshot.bytesSent = snapshot.outcome.value.bytesSent
        default:
            // The row has the start of the first attempt only from that attempt's end on.
            snapshot.startedAt = startedAt ?? at
        }
        return snapshot.eventData()
    }

    /// The result as it was when the download ended, with its content held for its first retention.
    private static func atEnd(_ stored: DownloadResult) -> DownloadResult {
        var result = stored
        // A file that was sent and not kept here has no retention.
        let isKept = result.content?.expiresAt != nil || result.sent == nil
        result.content?.state = isKept ? .held : .released
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
