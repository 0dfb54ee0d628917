// Reads downloads whose deadlines may be at risk, and records the event about it.
package import Base
internal import Downloads
internal import Postgres
package import Scheduling

/// Waiting downloads with deadlines, for the duty that looks for risks.
package struct DeadlineRisks: Sendable {
    let pool: ConnectionPool
    let lists: ConnectionPool
    let changes: ChangeHub

    /// A waiting download with a deadline.
    package struct Due: Sendable {
        /// The download.
        package let record: DownloadRecord
        /// The app's number.
        package let app: Int64
        /// Whether the downloads before it in its lane and it do not all fit before its deadline.
        package let isOverloaded: Bool
    }

    private enum Column: Int, RowColumn {
        case laneNo, dueBucket, beginBucket, largestNeed, nextAt, schedulingClass, session, origin
        case app, rank, vector, guardAt, fits, originKey, sessionNo, laneFlags
    }

    private static let lanesAtMost: Int64 = 2000
    private static let rowsAtMost: Int64 = 200

    /// The lanes with a deadline and waiting downloads, the first deadlines first.
    ///
    /// - Returns: their candidates; what is judged as the lane is at most as late as its rows.
    /// - Throws: `unavailable` or `refused`.
    package func lanesWithDeadline() async throws(StoreError) -> [(Int64, AdmissionCandidate)] {
        try await sorting { () throws(PostgresError) in
            let rows = try await lists.query(
                """
                SELECT \(Column.list) FROM (SELECT l.*, l.class AS scheduling_class,
                    s.identifier AS session, o.origin, a.name AS app, v.vector, w.guard_at, w.fits
                FROM lanes l JOIN sessions s ON s.session_no = l.session_no
                JOIN apps a ON a.app_no = l.app_no
                LEFT JOIN origins o ON o.origin_key = l.origin_key
                LEFT JOIN facets v ON v.facet_no = l.facet
                LEFT JOIN lane_loads w ON w.lane_no = l.lane_no
                WHERE least(l.due_bucket, l.begin_bucket) < 'infinity' AND l.next_at < 'infinity'
                ORDER BY least(l.due_bucket, l.begin_bucket), l.lane_no LIMIT $1) z
                """, [DeadlineRisks.lanesAtMost])
            var lanes: [(Int64, AdmissionCandidate)] = []
            for row in rows {
                let runAt = try row.requiredInstant(Column.nextAt)
                let kind = SchedulingClass(rawValue: try row.get(Column.schedulingClass)) ?? .normal
                var candidate = AdmissionCandidate(
                    isDiscretionary: kind == .discretionary, session: try row.text(Column.session),
                    createdAt: runAt, waitingSince: runAt, runAt: runAt, attempt: 0,
                    origin: GateReading(), sessionGate: GateReading())
                candidate.schedulingClass = kind
                candidate.originName = try row.get(Column.origin)
                candidate.app = try row.text(Column.app)
                candidate.rank = try row.get(Column.rank)
                candidate.facet = Facet(text: try row.get(Column.vector, as: String?.self) ?? "")
                candidate.deadline = CandidateDeadline(
                    begin: try row.finiteInstant(Column.beginBucket),
                    complete: try row.finiteInstant(Column.dueBucket))
                candidate.asked = candidate.deadline
                candidate.need = try row.integer(Column.largestNeed)
                candidate.originKey = try row.integer(Column.originKey)
                candidate.sessionKey = try row.integer(Column.sessionNo)
                candidate.laneFlags = LaneFlags(rawValue: try row.get(Column.laneFlags))
                candidate.guardAt = try row.instant(Column.guardAt)
                candidate.isOverloaded = try row.optionalInteger(Column.fits) != nil
                lanes.append((try row.integer(Column.laneNo), candidate))
            }
            return lanes
        }
    }

    /// Waiting downloads of lanes without an event about the risk, the earliest deadlines first.
    ///
    /// - Parameter lanes: their numbers.
    /// - Returns: at most some hundred.
    /// - Throws: `unavailable` or `refused`.
    package func withDeadline(
        inLanes lanes: [Int64]
    ) async throws(StoreError) -> [Due] {
        try await due(
            """
            SELECT q.id, q.app_no,
                w.fits IS NOT NULL AND sum(lull_work(
                        q.lane_flags, q.bytes, q.total_bytes, q.expected_bytes, q.resume))
                    OVER (PARTITION BY q.lane_no ORDER BY q.run_at, q.id) > w.fits AS is_over
            FROM queue q LEFT JOIN lane_loads w ON w.lane_no = q.lane_no
            WHERE q.lane_no = ANY ($1) AND q.state = lull_state('waiting')
                AND q.at_risk_since IS NULL
                AND (q.complete_by IS NOT NULL OR q.begin_deadline IS NOT NULL)
            ORDER BY is_over DESC, least(q.complete_by, q.begin_deadline) LIMIT $2
            """, lanes)
    }

    /// Downloads whose event about the risk was recorded some time ago.
    ///
    /// - Parameter age: the time.
    /// - Returns: at most some hundred.
    /// - Throws: `unavailable` or `refused`.
    package func atRisk(for age: Duration) async throws(StoreError) -> [Due] {
        try await due(
            """
            SELECT q.id, q.app_no, false AS is_over FROM queue q
            WHERE q.at_risk_since <= statement_timestamp() - $1[1] * interval '1 microsecond'
                AND q.joined_to IS NULL
            ORDER BY q.at_risk_since LIMIT $2
            """, [age.wholeMicroseconds])
    }

    /// Followers of a leader at risk; their deadlines are those of the leader.
    package struct Joined: Sendable {
        /// The followers with a deadline and without an event.
        package var list: [Due] = []
        /// For each leader the last follower that was looked at.
        package var last: [Identifier: Identifier] = [:]
        /// Whether there may be more.
        package var hasMore = false
    }

    /// Followers of leaders at risk, a few hundred at most, in order.
    ///
    /// - Parameter last: of each of those the last one that was looked at.
    /// - Returns: what is behind them.
    /// - Throws: `unavailable` or `refused`.
    package func joined(
        after last: [Identifier: Identifier]
    ) async throws(StoreError) -> Joined {
        let known = last.sorted { $0.key < $1.key }
        var found = Joined()
        let numbers = try await sorting { () throws(PostgresError) in
            let rows = try await lists.query(
                """
                SELECT l.id, f.id, f.is_new
                FROM queue l LEFT JOIN unnest($1::uuid[], $2::uuid[]) k(leader, last)
                    ON k.leader = l.id
                LEFT JOIN LATERAL (
                    SELECT q.id, q.at_risk_since IS NULL
                        AND (q.complete_by IS NOT NULL OR q.begin_deadline IS NOT NULL) AS is_new
                    FROM queue q WHERE q.joined_to = l.id AND (k.last IS NULL OR q.id > k.last)
                    ORDER BY q.joined_to, q.id LIMIT $3) f ON true
                WHERE l.at_risk_since IS NOT NULL AND l.joined_to IS NULL
                    AND EXISTS (SELECT 1 FROM queue j WHERE j.joined_to = l.id)
                LIMIT $3
                """, [known.map(\.key), known.map(\.value), DeadlineRisks.rowsAtMost])
            var numbers: [Identifier] = []
            for row in rows {
                let (leader, id, isNew): (Identifier, Identifier?, Bool?) = try row.values()
                found.last[leader] = found.last[leader] ?? last[leader]
                guard let id else { continue }
                found.last[leader] = id
                if isNew == true { numbers.append(id) }
            }
            found.hasMore = rows.count == Int(DeadlineRisks.rowsAtMost)
            return numbers
        }
        guard !numbers.isEmpty else { return found }
        found.list = try await due(
            "SELECT q.id, q.app_no, false AS is_over FROM queue q WHERE q.id = ANY ($1) LIMIT $2",
            numbers)
        return found
    }

    /// Downloads that a replica has run too slowly for their deadline, for at least a minute.
    ///
    /// - Parameter replica: its number.
    /// - Returns: at most some hundred of those that no event was written for.
    /// - Throws: `unavailable` or `refused`.
    package func lateRuns(of replica: Int64) async throws(StoreError) -> [Due] {
        try await due(
            """
            SELECT q.id, q.app_no, false AS is_over FROM queue q
            WHERE q.replica_no = $1[1] AND q.state = lull_state('running')
                AND q.complete_by IS NOT NULL AND q.at_risk_since IS NULL
                AND q.claimed_at < statement_timestamp() - interval '1 min'
                AND q.bytes_per_second > 0
                AND q.complete_by < statement_timestamp() + interval '1 s' * (
                    lull_left(
                        q.lane_flags, q.bytes, q.sent_bytes, q.total_bytes, q.expected_bytes)
                    / q.bytes_per_second::float8)
            LIMIT $2
            """, [replica])
    }

    private func due(
        _ statement: String, _ numbers: any ColumnValue
    ) async throws(StoreError) -> [Due] {
        try await sorting { () throws(PostgresError) in
            let rows = try await lists.query(
                """
                SELECT \(DownloadRecord.columns), z.app_no, z.is_over
                FROM (\(statement)) z JOIN downloads d ON d.id = z.id
                LEFT JOIN queue q ON q.id = d.id \(DownloadRecord.gates)
                """, [numbers, DeadlineRisks.rowsAtMost])
            var found: [Due] = []
            for row in rows {
                let (app, isOver): (Int64, Bool) = try row.behind(DownloadColumn.self).values()
                found.append(
                    Due(record: try DownloadRecord(row), app: app, isOverloaded: isOver))
            }
            return found
        }
    }

    /// Records that a waiting or running download will probably miss its deadline, unless this is
    /// recorded already.
    ///
    /// - Returns: whether an event was written.
    package func noteAtRisk(_ due: Due) async throws(StoreError) -> Bool {
        let id = due.record.download.id
        let isNew = try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let key = id
                try await Downloads.lock(key, app: due.app, in: transaction)
                let rows = try await transaction.query(
                    """
                    UPDATE queue q SET sequence = q.sequence + 1,
                        at_risk_since = greatest(clock_timestamp(), q.state_since)
                    WHERE q.id = $1 AND q.at_risk_since IS NULL AND q.control = lull_order('none')
                        AND q.state IN (lull_state('waiting'), lull_state('running'),
                            lull_state('joined'))
                    RETURNING q.at_risk_since
                    """, [key])
                guard let row = rows.first else { return false }
                let record = try DownloadRecord(
                    try await transaction.query(Downloads.reread, [key])[0])
                try await Downloads.note(
                    .deadlineAtRisk, of: record.download,
                    at: try row.only(), in: transaction)
                return true
            }
        }
        if isNew { changes.changed([id]) }
        return isNew
    }

    /// Forgets that a download was at risk, because it was on track for long enough.
    package func noteOnTrack(_ due: Due) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                "UPDATE queue SET at_risk_since = NULL WHERE id = $1",
                [due.record.download.id])
        }
    }
}

extension Downloads {
    /// The store of waiting downloads with deadlines.
    package var deadlineRisks: DeadlineRisks {
        DeadlineRisks(pool: pool, lists: lists, changes: changes)
    }
}
