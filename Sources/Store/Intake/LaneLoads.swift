// Counts the waiting downloads of each lane, a bounded part of the queue at a time.
package import Base
internal import Postgres
package import Scheduling

/// The table `lane_loads`, which one replica at a time writes and all read.
package struct LaneLoads: Sendable {
    let pool: ConnectionPool

    /// The most rows of the queue that a statement reads.
    private static let rowsAtOnce: Int64 = 5000
    /// The most empty lanes that a statement corrects.
    private static let settledAtOnce: Int64 = 1000
    /// The most lanes with deadlines that are looked at.
    private static let lanesAtMost: Int64 = 20_000

    /// Begins a count, unless this or another replica began one lately.
    ///
    /// - Parameter pause: the least time between two counts.
    /// - Returns: nil where this replica is to count, else when the next one is due.
    /// - Throws: `unavailable` or `refused`.
    package func begin(every pause: Duration) async throws(StoreError) -> Timestamp? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH begun AS (
                    UPDATE lane_load_rounds SET begun_at = clock_timestamp()
                    WHERE begun_at <= statement_timestamp() - $1 * interval '1 microsecond'
                    RETURNING 1)
                SELECT (SELECT count(*) FROM begun), begun_at + $1 * interval '1 microsecond'
                FROM lane_load_rounds
                """, [pause.wholeMicroseconds])
            guard let row = rows.first else { return nil }
            let (begun, nextAt): (Int64, Timestamp) = try row.values()
            return begun == 0 ? nextAt : nil
        }
    }

    /// Counts all waiting downloads, but not uploads that are receiving; empty lanes are corrected
    /// and removed.
    ///
    /// - Parameter goesOn: asked between two statements.
    /// - Returns: how many lanes have something.
    /// - Throws: `unavailable` or `refused`.
    package func count(while goesOn: () -> Bool) async throws(StoreError) -> Int {
        var lanes = 0
        var open: LaneLoad?
        var mark: Mark?
        var isOver = false
        var walked: Int64 = 0
        while !isOver, goesOn() {
            let (loads, last) = try await page(behind: mark)
            var whole: [LaneLoad] = []
            for load in loads {
                guard var current = open else {
                    open = load
                    continue
                }
                if current.lane == load.lane {
                    current.add(load)
                    open = current
                } else {
                    whole.append(current)
                    open = load
                }
            }
            isOver = last == nil
            mark = last
            if isOver, let rest = open { whole.append(rest) }
            try await write(whole)
            lanes += whole.count
            // The next page begins with this lane, so it is not empty.
            let end = last.map { $0.lane - 1 } ?? .max
            if end > walked { try await settleEmpty(after: walked, upTo: end) }
            walked = max(walked, end)
        }
        guard isOver else { return lanes }
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                DELETE FROM lane_loads w WHERE NOT EXISTS (
                    SELECT 1 FROM lanes l WHERE l.lane_no = w.lane_no AND l.next_at < 'infinity')
                """)
        }
        return lanes
    }

    /// Corrects lanes whose last download was canceled, deleted, moved or has expired: no other
    /// code looks at a lane that is not due or not open.
    private func settleEmpty(after first: Int64, upTo last: Int64) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            var mark: Int64? = first
            while let after = mark {
                let empty = try await pool.query(
                    """
                    SELECT l.lane_no FROM lanes l
                    WHERE l.lane_no > $1 AND l.lane_no <= $2 AND l.next_at < 'infinity'
                        AND NOT EXISTS (SELECT 1 FROM queue q
                            WHERE q.state = lull_state('waiting') AND q.lane_no = l.lane_no)
                    ORDER BY l.lane_no LIMIT $3
                    """, [after, last, LaneLoads.settledAtOnce])
                let numbers: [Int64] = try empty.column()
                guard !numbers.isEmpty else { return }
                _ = try await pool.query("SELECT count(*) FROM lull_settle_lanes($1)", [numbers])
                mark = numbers.count < LaneLoads.settledAtOnce ? nil : numbers.last
            }
        }
    }

    private enum Counted: Int, RowColumn {
        case laneNo, waiting, unsized, bytes, largest, oldestAt, firstRunAt, lastDueAt, lastRunAt
        case lastID
    }

    /// The parameters of each lane.
    private static let given: Parameters<[LaneLoad]> = [
        "lane_no": { $0.map(\.lane) },
        "waiting": { $0.map(\.waiting) },
        "unsized": { $0.map(\.unsized) },
        "bytes": { $0.map(\.bytes) },
        "largest": { $0.map(\.largest) },
        "oldest_at": { $0.map(\.oldestAt) },
        "first_run_at": { $0.map(\.firstRunAt) },
        "last_due_at": { $0.map(\.lastDueAt) },
    ]

    private enum DueLane: Int, RowColumn {
        case laneNo, dueBucket, lastDueAt, waiting, bytes, unsized, originKey, origin, sessionNo
        case session, guardAt, fits
    }

    private typealias Mark = (lane: Int64, at: TimestampValue, id: Identifier)

    private func page(
        behind mark: Mark?
    ) async throws(StoreError) -> (loads: [LaneLoad], last: Mark?) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(Counted.list) FROM (SELECT z.lane_no, count(*) AS waiting,
                    count(*) FILTER (WHERE z.is_unsized) AS unsized,
                    least(sum(z.need), 9e18)::bigint AS bytes, max(z.need) AS largest,
                    min(z.life_since) AS oldest_at, min(z.run_at) AS first_run_at,
                    max(z.complete_by) AS last_due_at, max(z.run_at) AS last_run_at,
                    (array_agg(z.id ORDER BY z.run_at DESC, z.id DESC))[1] AS last_id
                FROM (
                    SELECT q.lane_no, q.id, q.run_at, q.life_since, q.complete_by,
                        coalesce(q.total_bytes, q.expected_bytes) IS NULL AS is_unsized,
                        lull_work(q.lane_flags, q.bytes, q.total_bytes, q.expected_bytes,
                            q.resume) AS need
                    FROM queue q
                    WHERE q.state = lull_state('waiting')
                        AND q.lane_flags & lull_lane_flag('stages') = 0
                        AND (q.lane_no, q.run_at, q.id) > ($1, $2, $3)
                    ORDER BY q.lane_no, q.run_at, q.id LIMIT $4) z
                GROUP BY z.lane_no ORDER BY z.lane_no) y
                """,
                [
                    mark?.lane ?? 0, mark?.at ?? .negativeInfinity,
                    mark?.id ?? Identifier(high: 0, low: 0), LaneLoads.rowsAtOnce,
                ])
            var loads: [LaneLoad] = []
            var last: Mark?
            for row in rows {
                var load = LaneLoad(
                    lane: try row.integer(Counted.laneNo),
                    oldestAt: try row.requiredInstant(Counted.oldestAt),
                    firstRunAt: try row.requiredInstant(Counted.firstRunAt))
                load.waiting = try row.integer(Counted.waiting)
                load.unsized = try row.integer(Counted.unsized)
                load.bytes = try row.integer(Counted.bytes)
                load.largest = try row.integer(Counted.largest)
                load.lastDueAt = try row.instant(Counted.lastDueAt)
                loads.append(load)
                last = (load.lane, try row.get(Counted.lastRunAt), try row.get(Counted.lastID))
            }
            let read = loads.reduce(0) { $0 + $1.waiting }
            return (loads, read < LaneLoads.rowsAtOnce ? nil : last)
        }
    }

    /// Writes sums, but not rows that have them already.
    private func write(_ loads: [LaneLoad]) async throws(StoreError) {
        guard !loads.isEmpty else { return }
        let given = LaneLoads.given
        let excluded = given.names(of: "excluded")
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                INSERT INTO lane_loads AS w (\(given.names)) SELECT * FROM \(given.rows())
                ON CONFLICT (lane_no) DO UPDATE SET (\(given.names)) = (\(excluded))
                WHERE (\(given.names(of: "w"))) IS DISTINCT FROM (\(excluded))
                """, given.values(of: loads))
        }
    }

    /// A lane with a `complete_by`, for the guard over all lanes.
    package struct Due: Sendable {
        /// The sums; its bottlenecks are the deployment, the origin and the session.
        package let load: DeadlineLoad
        /// The number of downloads of unknown size.
        package let unsized: Int64
        /// The origin, `scheme://host:port`.
        package let origin: String?
        /// The origin's number.
        package let originKey: Int64
        /// The session's identifier.
        package let session: String
        /// The session's number.
        package let sessionKey: Int64
        /// The ruling in the store.
        package let ruling: DeadlineContention.Ruling
    }

    /// The counted lanes with a `complete_by`, the first deadlines first.
    package func due() async throws(StoreError) -> [Due] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(DueLane.list) FROM (SELECT l.lane_no, l.due_bucket, w.last_due_at,
                    w.waiting, w.bytes, w.unsized, l.origin_key, o.origin, l.session_no,
                    s.identifier AS session, w.guard_at, w.fits
                FROM lanes l JOIN lane_loads w ON w.lane_no = l.lane_no
                JOIN sessions s ON s.session_no = l.session_no
                LEFT JOIN origins o ON o.origin_key = l.origin_key
                WHERE least(l.due_bucket, l.begin_bucket) < 'infinity' AND l.due_bucket < 'infinity'
                ORDER BY l.due_bucket, l.lane_no LIMIT $1) z
                """, [LaneLoads.lanesAtMost])
            var lanes: [Due] = []
            for row in rows {
                let bucket = try row.requiredInstant(DueLane.dueBucket)
                let origin = try row.integer(DueLane.originKey)
                let session = try row.integer(DueLane.sessionNo)
                let load = DeadlineLoad(
                    lane: try row.integer(DueLane.laneNo), bucket: bucket,
                    lastDue: try row.instant(DueLane.lastDueAt) ?? bucket,
                    count: try row.get(DueLane.waiting),
                    bytes: Double(try row.integer(DueLane.bytes)),
                    bottlenecks: [
                        .deployment, .origin(origin), .session(session),
                    ])
                lanes.append(
                    Due(
                        load: load, unsized: try row.integer(DueLane.unsized),
                        origin: try row.get(DueLane.origin), originKey: origin,
                        session: try row.text(DueLane.session), sessionKey: session,
                        ruling: DeadlineContention.Ruling(
                            guardAt: try row.instant(DueLane.guardAt),
                            fits: try row.optionalInteger(DueLane.fits).map { Double($0) })))
            }
            return lanes
        }
    }

    /// Writes the rulings over lanes.
    package func rule(_ rulings: [Int64: DeadlineContention.Ruling]) async throws(StoreError) {
        guard !rulings.isEmpty else { return }
        let given = rulings.sorted { $0.key < $1.key }
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                UPDATE lane_loads w SET guard_at = u.guard_at, fits = u.fits
                FROM unnest($1::bigint[], $2::timestamptz[], $3::bigint[])
                    u(lane_no, guard_at, fits)
                WHERE w.lane_no = u.lane_no
                    AND (w.guard_at, w.fits) IS DISTINCT FROM (u.guard_at, u.fits)
                """,
                [
                    given.map(\.key), given.map(\.value.guardAt),
                    given.map { $0.value.fits.map { Int64(max(0, $0)) } },
                ])
        }
    }
}

extension Downloads {
    /// The store of the lanes' sums.
    package var laneLoads: LaneLoads { LaneLoads(pool: pool) }
}
