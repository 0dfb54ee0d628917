// The columns of a claimed download, each named once.

/// A column of `lull_claim`; the raw value is its index.
enum ClaimColumn: Int, CaseIterable, RowColumn {
    case id, fence, attempt, attemptsWithoutProgress, sequence, url, session, sessionKey, app
    case originKey, priority, createdAt, earliestBegin, startedAt, claimedAt, deadline
    case expectedBytes, bytes, webhookEvents, order, spec, resume, total, lane
    case waitedSince, runAt, isProbe

    /// The SQL expression of the column.
    var sql: String {
        switch self {
        case .id: "id"
        case .fence: "fence"
        case .attempt: "attempt"
        case .attemptsWithoutProgress: "attempts_without_progress"
        case .sequence: "sequence"
        case .url: "url"
        case .session: "session"
        case .sessionKey: "session_no"
        case .app: "app_no"
        case .originKey: "origin_key"
        case .priority: "priority"
        case .createdAt: "created_at"
        case .earliestBegin: "earliest_begin_at"
        case .startedAt: "started_at"
        case .claimedAt: "claimed_at"
        case .deadline: "deadline"
        case .expectedBytes: "expected_bytes"
        case .bytes: "bytes"
        case .webhookEvents: "webhook_events"
        case .order: "control"
        case .spec: "spec"
        case .resume: "resume"
        case .total: "total_bytes"
        case .lane: "lane_no"
        case .waitedSince: "waited_since"
        case .runAt: "run_at"
        case .isProbe: "is_probe"
        }
    }
}
