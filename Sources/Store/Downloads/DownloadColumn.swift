// The columns that a download is read from, each named once.
internal import Downloads

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

    /// The SQL expression of the column.
    var sql: String {
        switch self {
        case .id: "d.id"
        case .session: "d.session"
        case .priority: "d.priority"
        case .createdAt: "d.created_at"
        case .earliestBegin: "d.earliest_begin_at"
        case .startedAt: "d.started_at"
        case .finishedAt: "d.finished_at"
        case .expectedBytes: "d.expected_bytes"
        case .bytes: "d.bytes"
        case .attempts: "d.attempts"
        case .sequence: "d.sequence"
        case .contentFence: "d.content_fence"
        case .url: "d.url"
        case .spec: "d.spec"
        case .result: "d.result"
        case .status: "\(DownloadRecord.status) AS status"
        case .runAt: "q.run_at"
        case .stateSince: "q.state_since"
        case .liveBytes: "q.bytes AS live_bytes"
        case .liveTotal: "q.total_bytes"
        case .liveAttempt: "q.attempt"
        case .liveSequence: "q.sequence AS live_sequence"
        case .claimedAt: "q.claimed_at"
        case .originRunning: "o.running AS origin_running"
        case .originLimit: "o.running_limit AS origin_limit"
        case .originNotBefore: "lull_not_before(o.not_before, q.origin_key, q.app_no) AS not_before"
        case .originUnreachableSince: "o.unreachable_since"
        case .originProbeAt: "o.probe_at"
        case .sessionRunning: "g.running AS session_running"
        case .sessionLimit: "g.running_limit AS session_limit"
        case .suspendedSince: DownloadRecord.suspendedSince
        case .mirror: "(q.resume->'mirrors'->>'current')::int AS mirror"
        case .bytesPerSecond: "q.bytes_per_second"
        case .measuredAt: "q.measured_at"
        case .app: "n.name AS app"
        case .appRunning: "a.running AS app_running"
        case .appLimit: "a.running_limit AS app_limit"
        case .running: DownloadRecord.runningCount
        case .before: DownloadRecord.beforeCount
        case .timesOutAt: "q.deadline AS times_out_at"
        case .dueBucket: "q.due_bucket"
        case .beginBucket: "q.begin_bucket"
        case .atRiskSince: "q.at_risk_since"
        case .laneNeed: DownloadRecord.ofLane("largest_need", in: "lanes")
        case .guardAt: DownloadRecord.ofLane("guard_at", in: "lane_loads")
        case .fits: DownloadRecord.ofLane("fits", in: "lane_loads")
        case .originKey: "q.origin_key AS waits_for_origin"
        case .sessionKey: "q.session_no AS waits_in_session"
        case .lane: "q.lane_no AS waits_in_lane"
        case .isResumable: "lull_is_resumable(q.resume) AS is_resumable"
        case .wakeUntil: "q.wake_until"
        case .joinedTo: "q.joined_to"
        case .leaderCompletes: DownloadRecord.leaderCompletes
        case .connections: DownloadRecord.connectionsCount
        case .connectionsLimit: "g.per_origin"
        case .hookAskedAt: "q.hook_asked_at"
        }
    }
}

extension DownloadState {
    /// The number in `downloads.state` or, from 10 on, of a queue row; see `DownloadRecord.status`.
    var number: Int16 {
        switch self {
        case .succeeded: 1
        case .failed: 2
        case .canceled: 4
        case .waiting: 10
        case .running: 11
        case .suspended: 12
        case .attentionRequired: 13
        case .canceling: 14
        }
    }

    init?(status: Int64) {
        let state = DownloadState.allCases.first { Int64($0.number) == status }
        guard let state else { return nil }
        self = state
    }
}
