// The columns that a download is read from, each named once.

/// A column of `DownloadRecord.columns`; the raw value is its index.
///
/// `d` is `downloads`, `q` is `queue`, `o` and `g` are the gates of the origin and of the session.
enum DownloadColumn: Int, CaseIterable, RowColumn {
    case id, session, priority, createdAt, earliestBegin, startedAt, finishedAt, expectedBytes
    case bytes, attempts, sequence, contentFence, url, spec, result
    case status, runAt, stateSince, liveBytes, liveTotal, liveAttempt, liveSequence, claimedAt
    case originRunning, originLimit, originNotBefore, originUnreachableSince, originProbeAt
    case sessionRunning, sessionLimit, suspendedSince
    case mirror, bytesPerSecond, measuredAt
    case app, appRunning, appLimit, running, before
    case timesOutAt, dueBucket, beginBucket, atRiskSince, laneNeed, guardAt, fits
    case originKey, sessionKey, lane, isResumable, wakeUntil
    case joinedTo, leaderCompletes, connections, connectionsLimit, hookAskedAt
    case holder, holderIsAway, bytesSent, need

    /// The SQL expression of the column.
    var sql: String {
        switch self {
        case .id, .session, .priority, .createdAt, .startedAt, .finishedAt, .expectedBytes, .bytes,
            .attempts, .sequence, .contentFence, .url, .spec, .result:
            "d." + columnName
        case .runAt, .stateSince, .claimedAt, .bytesPerSecond, .measuredAt, .dueBucket,
            .beginBucket, .atRiskSince, .wakeUntil, .joinedTo, .hookAskedAt:
            "q." + columnName
        case .earliestBegin: "d.earliest_begin_at"
        case .status: "\(DownloadRecord.status) AS status"
        case .liveBytes: "q.bytes AS live_bytes"
        case .liveTotal: "q.total_bytes"
        case .liveAttempt: "q.attempt"
        case .liveSequence: "q.sequence AS live_sequence"
        case .originRunning: "o.running AS origin_running"
        case .originLimit: "o.running_limit AS origin_limit"
        case .originNotBefore: "lull_not_before(o.not_before, q.origin_key, q.app_no) AS not_before"
        case .originUnreachableSince: "o.unreachable_since"
        case .originProbeAt: "o.probe_at"
        case .sessionRunning: "g.running AS session_running"
        case .sessionLimit: "g.running_limit AS session_limit"
        case .suspendedSince: DownloadRecord.suspendedSince
        case .mirror: "(q.resume->'mirrors'->>'current')::int AS mirror"
        case .app: "n.name AS app"
        case .appRunning: "a.running AS app_running"
        case .appLimit: "a.running_limit AS app_limit"
        case .running: DownloadRecord.runningCount
        case .before: DownloadRecord.beforeCount
        case .timesOutAt: "q.deadline AS times_out_at"
        case .laneNeed: DownloadRecord.ofLane("largest_need", in: "lanes")
        case .guardAt: DownloadRecord.ofLane("guard_at", in: "lane_loads")
        case .fits: DownloadRecord.ofLane("fits", in: "lane_loads")
        case .originKey: "q.origin_key AS waits_for_origin"
        case .sessionKey: "q.session_no AS waits_in_session"
        case .lane: "q.lane_no AS waits_in_lane"
        case .isResumable: "lull_is_resumable(q.resume) AS is_resumable"
        case .leaderCompletes: DownloadRecord.leaderCompletes
        case .connections: DownloadRecord.connectionsCount
        case .connectionsLimit: "g.per_origin"
        case .holder: DownloadRecord.holder
        case .holderIsAway: DownloadRecord.holderIsAway
        case .bytesSent: "q.sent_bytes"
        case .need: "lull_need(q.total_bytes, q.expected_bytes, q.resume) AS need"
        }
    }
}
