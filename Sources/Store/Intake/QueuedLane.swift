// Sums over waiting and running downloads by lane.
package import Base
internal import Downloads
internal import Postgres
package import Scheduling

/// A lane with the sums over its waiting and running downloads.
package struct QueuedLane: Sendable {
    /// Its first download, for rules.
    package var candidate: AdmissionCandidate
    /// The number of downloads.
    package var count: Int
    /// The number of downloads without a known size.
    package var unknown: Int
    /// The missing bytes of the others.
    package var bytes: Int64
    /// The time at which the last of them may begin.
    package var lastRunAt: Timestamp
}

/// A column of the sums of a lane.
private enum QueuedLaneColumn: Int, RowColumn {
    case session, app, origin, sessionKey, originKey, schedulingClass, rank, dueBucket
    case laneFlags
    case originLimit, count, unknown, bytes, largest, firstRunAt, lastRunAt

    /// The SQL expression of the column.
    var sql: String {
        switch self {
        case .session: "s.identifier"
        case .app: "a.name"
        case .origin: "o.origin"
        case .sessionKey: "l.session_no"
        case .originKey: "l.origin_key"
        case .schedulingClass: "l.class"
        case .rank: "l.rank"
        case .dueBucket: "l.due_bucket"
        case .laneFlags: "l.lane_flags"
        case .originLimit: "f.running_limit"
        case .count: "z.n"
        case .unknown: "z.unknown"
        case .bytes: "z.bytes"
        case .largest: "z.largest"
        case .firstRunAt: "z.first_at"
        case .lastRunAt: "z.last_at"
        }
    }
}

extension QueueUpkeep {
    /// The lanes with waiting or running downloads, with their sums.
    ///
    /// - Parameters:
    ///   - rows: at most so many downloads are read.
    ///   - lanes: at most so many lanes are answered, those with most bytes first.
    /// - Returns: the lanes.
    /// - Throws: `unavailable` or `refused`.
    package func queuedLanes(
        rows: Int, lanes: Int
    ) async throws(StoreError) -> [QueuedLane] {
        try await sorting { () throws(PostgresError) in
            let found = try await pool.query(
                """
                SELECT \(QueuedLaneColumn.list)
                FROM (
                    SELECT w.lane_no, count(*) AS n,
                        count(*) FILTER (WHERE w.rest IS NULL) AS unknown,
                        coalesce(sum(greatest(w.rest, 0)), 0)::bigint AS bytes,
                        coalesce(max(greatest(w.rest, 0)), 0) AS largest,
                        min(w.run_at) AS first_at, max(w.run_at) AS last_at
                    FROM (
                        SELECT q.lane_no, q.run_at,
                            lull_left(q.lane_flags, q.bytes, q.sent_bytes, q.total_bytes,
                                q.expected_bytes) AS rest
                        FROM queue q
                        WHERE q.state IN (lull_state('waiting'), lull_state('running'))
                        LIMIT $1) w
                    GROUP BY w.lane_no ORDER BY bytes DESC, w.lane_no LIMIT $2) z
                CROSS JOIN LATERAL lull_lane_of(z.lane_no) l
                JOIN sessions s ON s.session_no = l.session_no
                JOIN apps a ON a.app_no = l.app_no
                LEFT JOIN origins o ON o.origin_key = l.origin_key
                LEFT JOIN LATERAL lull_gate_of(lull_gate('origin'), l.origin_key) f ON true
                """, [Int64(rows), Int64(lanes)])
            return try found.map { row throws(PostgresError) in try QueuedLane(row) }
        }
    }
}

extension QueuedLane {
    private typealias Column = QueuedLaneColumn

    fileprivate init(_ row: Row) throws(PostgresError) {
        let first = try row.requiredInstant(Column.firstRunAt)
        let kind: Int16 = try row.get(Column.schedulingClass)
        var candidate = AdmissionCandidate(
            isDiscretionary: SchedulingClass(rawValue: kind) == .discretionary,
            session: try row.text(Column.session), createdAt: first,
            waitingSince: first, runAt: first, attempt: 0,
            origin: GateReading(
                limit: try row.optionalInteger(Column.originLimit).map { Int($0) }),
            sessionGate: GateReading(),
            need: try row.integer(Column.largest))
        candidate.app = try row.text(Column.app)
        candidate.originName = try row.get(Column.origin)
        candidate.sessionKey = try row.integer(Column.sessionKey)
        candidate.originKey = try row.integer(Column.originKey)
        candidate.schedulingClass = SchedulingClass(rawValue: kind) ?? .normal
        candidate.rank = Int(try row.integer(Column.rank))
        candidate.laneFlags = LaneFlags(rawValue: try row.get(Column.laneFlags))
        candidate.deadline.complete = try row.finiteInstant(Column.dueBucket)
        self.init(
            candidate: candidate, count: Int(try row.integer(Column.count)),
            unknown: Int(try row.integer(Column.unknown)),
            bytes: try row.integer(Column.bytes),
            lastRunAt: try row.requiredInstant(Column.lastRunAt))
    }
}
