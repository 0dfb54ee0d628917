// A download as the store has it, with further values of the store.
package import Base
package import Downloads
internal import Postgres
package import Scheduling

/// One download and its circumstances.
package struct DownloadRecord: Sendable {
    /// The download.
    package var download: Download
    /// The values for admission, while it waits; copies of a record share them until they are
    /// changed.
    package var candidate: AdmissionCandidate? {
        get { waiting?.value }
        set { waiting = newValue.map { Shared($0) } }
    }
    private var waiting: Shared<AdmissionCandidate>?
    /// The time at which its time limit ends it, while it is live.
    package var timesOutAt: Timestamp?
    /// The fence of the attempt whose file is the content, once it succeeded.
    package var contentFence: Int64?
    /// The content's length in bytes, once it succeeded.
    package var contentLength: Int64? {
        contentFence == nil ? nil : download.result.content?.length
    }

    /// The columns that `init(_:)` reads; others may follow.
    static let columns = DownloadColumn.list

    /// The tables of these columns.
    static let tables = "downloads d LEFT JOIN queue q ON q.id = d.id \(gates)"

    /// The gates of a waiting download.
    static let gates = """
        \(gate("o", of: "origin", key: "q.origin_key"))
        \(gate("g", of: "session", key: "d.session_no"))
        \(gate("a", of: "app", key: "d.app_no"))
        LEFT JOIN apps n ON n.app_no = d.app_no
            AND q.state IN (lull_state('waiting'), lull_state('joined'))
        """

    /// The number of running downloads in all replicas, for a waiting download.
    static let runningCount = """
        CASE WHEN q.state = lull_state('waiting') THEN (
            SELECT lull_running()) END AS running
        """

    /// One gate of a waiting download.
    private static func gate(_ name: String, of kind: String, key: String) -> String {
        """
        LEFT JOIN LATERAL (
            SELECT z.* FROM lull_gate_of(lull_gate('\(kind)'), \(key)) z
            WHERE q.state = lull_state('waiting')) \(name) ON true
        """
    }

    /// The number of downloads of its lane before it, if it waits and is due; for others only a
    /// forecast asks, see `Downloads.countBefore(_:)`.
    static let beforeCount = """
        CASE WHEN q.state = lull_state('waiting') AND q.run_at <= now()
            THEN \(rowsBefore) END AS before
        """

    /// The number of downloads of a row's lane before it, counted up to one above `beforeAtMost`.
    static let rowsBefore = """
        (SELECT count(*) FROM (
            SELECT 1 FROM queue b
            WHERE b.state = lull_state('waiting') AND b.lane_no = q.lane_no
                AND (b.run_at, b.id) < (q.run_at, q.id)
            ORDER BY b.lane_no, b.run_at, b.id
            LIMIT \(AdmissionCandidate.beforeAtMost + 1)) z)
        """

    /// A column of its lane for the guard of its deadline, if it waits and has one.
    static func ofLane(_ column: String, in table: String) -> String {
        """
        CASE WHEN q.state = lull_state('waiting')
            AND least(q.due_bucket, q.begin_bucket) < 'infinity' THEN (
            SELECT z.\(column) FROM \(table) z WHERE z.lane_no = q.lane_no) END AS \(column)
        """
    }

    /// The time at which its leader will be complete at the present speed: within a year.
    static let leaderCompletes = """
        CASE WHEN q.joined_to IS NOT NULL THEN (
            SELECT l.measured_at
                + (l.total_bytes - l.bytes) / l.bytes_per_second * interval '1 second'
            FROM queue l WHERE l.id = q.joined_to AND l.state = lull_state('running')
                AND l.bytes_per_second > 0 AND l.total_bytes >= l.bytes
                AND (l.total_bytes - l.bytes) / l.bytes_per_second < 31536000) END
            AS leader_completes
        """

    /// The time since which its session is suspended, if it waits in a suspended one.
    static let suspendedSince = """
        CASE WHEN g.running_limit = 0 THEN lull_suspended_since(d.session_no::bigint) END
            AS suspended_since
        """

    /// The connections of its session to its origin, if it waits and the session limits them.
    static let connectionsCount = """
        CASE WHEN g.per_origin IS NOT NULL THEN (
            SELECT coalesce(sum(1 + z.extra_streams), 0)::int FROM queue z
            WHERE z.state = lull_state('running') AND z.session_no = q.session_no
                AND z.origin_key = q.origin_key) END AS connections
        """

    /// The data directory with the whole file, if the download sends it from there.
    static let holder = """
        CASE WHEN q.resume ? 'received' AND NOT q.resume ? 'void' AND NOT q.resume ? 'source'
            AND (d.spec ? 'relay' OR d.spec->'destination'->'store' IS NOT NULL)
            THEN q.resume->>'instance' END AS holder
        """

    /// Whether no replica with that data directory runs, while the download waits.
    static let holderIsAway = """
        CASE WHEN q.resume ? 'received' AND q.state = lull_state('waiting')
            THEN lull_is_away(q.resume->>'instance') END AS holder_is_away
        """

    /// The number of the state.
    static let status = "(CASE WHEN q.id IS NULL THEN d.state ELSE \(liveStatus) END)"

    /// The number of the state for a row of the queue.
    static let liveStatus = """
        (CASE WHEN q.state = lull_state('running') AND q.control = lull_order('cancel')
                THEN lull_state('canceling')
            WHEN q.state = lull_state('waiting') AND q.lane_flags & lull_lane_flag('stages') <> 0
                THEN lull_state('receiving')
            WHEN q.state = lull_state('joined') THEN lull_state('waiting') ELSE q.state END)
        """

    init(_ row: Row) throws(PostgresError) {
        let status = try row.integer(DownloadColumn.status)
        guard let state = DownloadState(number: status) else {
            throw PostgresError(.decoding, "a download has no state")
        }
        var download = Download(
            id: try row.identifier(DownloadColumn.id),
            session: try row.text(DownloadColumn.session), state: state,
            url: try row.text(DownloadColumn.url),
            priority: try row.double(DownloadColumn.priority),
            earliestBeginDate: try row.instant(DownloadColumn.earliestBegin),
            bytesExpectedByClient: try row.optionalInteger(DownloadColumn.expectedBytes),
            spec: try row.stored(DownloadColumn.spec) ?? .blank,
            createdAt: try row.requiredInstant(DownloadColumn.createdAt))
        if let stored = try row.stored(DownloadColumn.result, as: DownloadResult.self) {
            download.result = stored.expanded(of: download.url)
        }
        download.completedAt = try row.instant(DownloadColumn.finishedAt)
        let isLive = !state.isTerminal
        download.bytesReceived = try row.integer(isLive ? DownloadColumn.liveBytes : .bytes)
        download.bytesTotal =
            try row.optionalInteger(DownloadColumn.liveTotal)
            ?? download.outcome.value.content?.length
        download.attempt = Int(try row.integer(isLive ? DownloadColumn.liveAttempt : .attempts))
        download.sequence = try row.integer(isLive ? DownloadColumn.liveSequence : .sequence)
        let claimedAt = try row.instant(DownloadColumn.claimedAt)
        download.startedAt = try row.instant(DownloadColumn.startedAt) ?? claimedAt
        download.mirror = Int(try row.optionalInteger(DownloadColumn.mirror) ?? 0)
        download.bytesPerSecond = try row.optionalInteger(DownloadColumn.bytesPerSecond)
        download.measuredAt = try row.instant(DownloadColumn.measuredAt)
        download.atRiskSince = try row.instant(DownloadColumn.atRiskSince)
        download.holder = try row.get(DownloadColumn.holder)
        download.bytesSent =
            try row.optionalInteger(DownloadColumn.bytesSent)
            ?? download.outcome.value.bytesSent
        download.joinedTo = try row.optionalIdentifier(DownloadColumn.joinedTo)
        if download.id.isUpload {
            download.receivingSince = try row.instant(DownloadColumn.stateSince)
        }
        timesOutAt = try row.instant(DownloadColumn.timesOutAt)
        contentFence =
            state == .succeeded ? try row.optionalInteger(DownloadColumn.contentFence) : nil
        self.download = download
        if state.isWaiting { try readWaiting(row) }
    }

    private mutating func readWaiting(_ row: Row) throws(PostgresError) {
        let runAt = try row.requiredInstant(DownloadColumn.runAt)
        let waitingSince = try row.requiredInstant(DownloadColumn.stateSince)
        // After a turn to another mirror a row keeps its place in the queue.
        if download.attempt > 0 { download.nextAttemptAt = max(runAt, waitingSince) }
        var candidate = AdmissionCandidate(
            isDiscretionary: download.shared.value.isDiscretionary, session: download.session,
            createdAt: download.createdAt, waitingSince: waitingSince, runAt: runAt,
            attempt: download.attempt,
            origin: GateReading(
                running: Int(try row.optionalInteger(DownloadColumn.originRunning) ?? 0),
                limit: try row.optionalInteger(DownloadColumn.originLimit).map { Int($0) },
                notBefore: try row.finiteInstant(DownloadColumn.originNotBefore)),
            sessionGate: GateReading(
                running: Int(try row.optionalInteger(DownloadColumn.sessionRunning) ?? 0),
                limit: try row.optionalInteger(DownloadColumn.sessionLimit).map { Int($0) }),
            need: try row.integer(DownloadColumn.need),
            lastFailure: download.outcome.value.error?.code)
        candidate.sessionGate.suspendedSince = try row.instant(DownloadColumn.suspendedSince)
        candidate.origin.outage = Outage(
            since: try row.instant(DownloadColumn.originUnreachableSince),
            probeAt: try row.instant(DownloadColumn.originProbeAt))
        candidate.originKey = try row.optionalInteger(DownloadColumn.originKey)
        candidate.sessionKey = try row.optionalInteger(DownloadColumn.sessionKey)
        candidate.lane = try row.optionalInteger(DownloadColumn.lane)
        candidate.received = download.bytesReceived
        candidate.wakeUntil = try row.instant(DownloadColumn.wakeUntil)
        if let limit = try row.optionalInteger(DownloadColumn.connectionsLimit) {
            candidate.connections = GateReading(
                running: Int(try row.integer(DownloadColumn.connections)), limit: Int(limit))
        }
        if download.isSending {
            candidate.isHolderAway = try row.optionalBool(DownloadColumn.holderIsAway) ?? false
        }
        candidate.joined = download.joinedTo.map { JoinedFlight(leader: $0) }
        candidate.joined?.until = try row.instant(DownloadColumn.leaderCompletes)
        let spec = download.shared.value
        let hook = download.isSending ? spec.relay?.hook : spec.beginHook
        candidate.question = try row.instant(DownloadColumn.hookAskedAt).map {
            OpenQuestion(askedAt: $0, isPatient: hook?.onNoAnswer == .wait)
        }
        candidate.isAnnounced = download.bytesTotal != nil
        candidate.isResumable = try row.optionalBool(DownloadColumn.isResumable) ?? false
        candidate.app = try row.text(DownloadColumn.app)
        candidate.appGate = GateReading(
            running: Int(try row.optionalInteger(DownloadColumn.appRunning) ?? 0),
            limit: try row.optionalInteger(DownloadColumn.appLimit).map { Int($0) })
        candidate.schedulingClass = download.schedulingClass
        candidate.rank = Int(LaneHead.rank(priority: download.priority))
        candidate.priority = download.priority
        candidate.sends =
            download.isSending
            ? download.bytesReceived : download.shared.value.bytesExpectedToSend ?? 0
        candidate.running = try row.optionalInteger(DownloadColumn.running).map { Int($0) }
        try readLane(row, of: download, &candidate)
        candidate.before = try row.optionalInteger(DownloadColumn.before).map { Int($0) }
        if let next = download.nextAttemptAt, let outage = candidate.outage {
            download.nextAttemptAt = max(next, outage.probeAt)
        }
        waiting = Shared(candidate)
    }

    /// Reads the values of the lane that decisions depend on.
    private func readLane(
        _ row: Row, of download: Download, _ candidate: inout AdmissionCandidate
    ) throws(PostgresError) {
        let spec = download.shared.value
        candidate.members = CandidateMembers(
            expectedBytes: download.bytesExpectedByClient, metadata: spec.metadata)
        candidate.laneFlags = download.isSending ? spec.sendingFlags : spec.laneFlags
        candidate.asked = CandidateDeadline(begin: spec.beginDeadline, complete: spec.completeBy)
        candidate.deadline.complete = try row.finiteInstant(DownloadColumn.dueBucket)
        candidate.deadline.begin = try row.finiteInstant(DownloadColumn.beginBucket)
        candidate.laneNeed = try row.optionalInteger(DownloadColumn.laneNeed) ?? 0
        candidate.guardAt = try row.instant(DownloadColumn.guardAt)
        // In a lane that fits in part the last rows are at risk.
        let fits = try row.optionalInteger(DownloadColumn.fits)
        candidate.isOverloaded = fits == 0 || fits != nil && download.atRiskSince != nil
    }
}
