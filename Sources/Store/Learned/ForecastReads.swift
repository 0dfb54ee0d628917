// What a forecast begins with: sums of what waits in each lane, and what runs.
internal import Base
internal import Downloads
package import Postgres
package import Scheduling

/// Reads the queue as sums, over connections for reads of many rows.
package struct ForecastReads: Sendable {
    /// The most waiting rows that are summed up.
    package static let rowsAtMost = 300_000
    /// The most running rows that are read.
    private static let runsAtMost = 20_000

    private let pool: ConnectionPool

    /// Creates reads over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// The waiting and the running downloads, at one instant.
    ///
    /// - Returns: lanes with their batches, each of those that may begin within the same hour;
    ///   runs; whether that is all that waits.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func queue() async throws(StoreError) -> (
        lanes: [ForecastLane], runs: [ForecastRun], isWhole: Bool
    ) {
        try await sorting { () throws(PostgresError) in
            let results = try await pool.query(batch: [
                Statement(ForecastReads.lanes, [Int64(ForecastReads.rowsAtMost)]),
                Statement(ForecastReads.runs, [Int64(ForecastReads.runsAtMost)]),
            ])
            var lanes: [ForecastLane] = []
            var count: Int64 = 0
            for row in results[0] {
                let batch = try ForecastReads.batch(row)
                count += Int64(batch.count)
                let number = try row.get(0, as: Int64.self)
                if lanes.last?.number == number {
                    lanes[lanes.count - 1].batches.append(batch)
                } else {
                    lanes.append(try ForecastReads.lane(row, number, batch))
                }
            }
            var runs: [ForecastRun] = []
            for row in results[1] { runs.append(try ForecastReads.run(row)) }
            return (lanes, runs, count < ForecastReads.rowsAtMost)
        }
    }

    /// The lanes by their last counts, those with the most waiting downloads first; one that was
    /// not counted yet counts as one download.
    ///
    /// - Returns: lanes, each with one batch.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func lanes(atMost limit: Int) async throws(StoreError) -> [ForecastLane] {
        try await sorting { () throws(PostgresError) in
            var lanes: [ForecastLane] = []
            for row in try await pool.query(ForecastReads.counted, [Int64(limit)]) {
                let batch = try ForecastReads.batch(row)
                lanes.append(try ForecastReads.lane(row, try row.get(0), batch))
            }
            return lanes
        }
    }

    /// Read in the order of the index of waiting rows, so that a part has the rows that are due
    /// first in some lanes.
    private static let lanes = lanes(
        """
        SELECT q.lane_no, min(q.run_at) AS first_at, count(*)::int AS count,
            coalesce(sum(q.need), 0)::double precision AS bytes,
            (count(*) FILTER (WHERE q.need IS NULL))::int AS unsized,
            min(q.state_since) AS since
        FROM (
            SELECT q.lane_no, q.run_at, q.state_since,
                CASE WHEN coalesce(q.total_bytes, q.expected_bytes) IS NOT NULL
                    THEN greatest(0, coalesce(q.total_bytes, q.expected_bytes) - q.bytes)
                END AS need
            FROM queue q WHERE q.state = lull_live_state('waiting')
            ORDER BY q.lane_no, q.run_at, q.id LIMIT $1) q
        GROUP BY q.lane_no, date_trunc('hour', q.run_at)
        """)

    private static let counted = lanes(
        """
        SELECT l.lane_no, l.next_at AS first_at,
            least(coalesce(w.waiting, 1), 2147483647)::int AS count,
            coalesce(w.bytes, 0)::double precision AS bytes,
            least(coalesce(w.unsized, 1), 2147483647)::int AS unsized,
            coalesce(w.oldest_at, least(l.next_at, clock_timestamp())) AS since
        FROM lanes l LEFT JOIN lane_loads w ON w.lane_no = l.lane_no
        WHERE l.next_at < 'infinity'
        ORDER BY coalesce(w.waiting, 1) DESC, l.lane_no LIMIT $1
        """)

    /// The columns of lanes, for a statement that gives their loads.
    private static func lanes(_ loads: String) -> String {
        """
        SELECT s.lane_no, s.first_at, s.count, s.bytes, s.unsized,
            l.app_no, a.name, l.session_no, n.identifier, l.origin_key, o.origin, l.class, l.rank,
            v.vector, coalesce(og.running, 0), og.running_limit,
            lull_not_before(og.not_before, l.origin_key, l.app_no),
            coalesce(sg.running, 0), sg.running_limit, coalesce(ag.running, 0), ag.running_limit,
            s.since, l.due_bucket, l.begin_bucket, l.largest_need, w.guard_at,
            l.network, og.unreachable_since, og.probe_at, w.fits
        FROM (\(loads)) s
        JOIN lanes l ON l.lane_no = s.lane_no
        JOIN apps a ON a.app_no = l.app_no
        JOIN sessions n ON n.session_no = l.session_no
        LEFT JOIN facets v ON v.facet_no = l.facet
        LEFT JOIN lane_loads w ON w.lane_no = l.lane_no
        LEFT JOIN origins o ON o.origin_key = l.origin_key
        LEFT JOIN gates og ON og.kind = lull_gate('origin') AND og.key = l.origin_key
        LEFT JOIN gates sg ON sg.kind = lull_gate('session') AND sg.key = l.session_no
        LEFT JOIN gates ag ON ag.kind = lull_gate('app') AND ag.key = l.app_no
        ORDER BY s.lane_no, s.first_at
        """
    }

    private static let runs = """
        SELECT q.app_no, q.session_no, q.origin_key, q.class,
            CASE WHEN coalesce(q.total_bytes, q.expected_bytes) IS NOT NULL
                THEN greatest(0, coalesce(q.total_bytes, q.expected_bytes) - q.bytes) END,
            q.bytes_per_second
        FROM queue q WHERE q.state = lull_live_state('running') AND q.replica_no IS NOT NULL
        LIMIT $1
        """

    private static func batch(_ row: Row) throws(PostgresError) -> ForecastLane.Batch {
        ForecastLane.Batch(
            runAt: try row.get(1, as: TimestampValue.self).timestamp,
            count: Int(try row.get(2, as: Int32.self)), bytes: try row.get(3),
            unsized: Int(try row.get(4, as: Int32.self)))
    }

    private static func lane(
        _ row: Row, _ number: Int64, _ batch: ForecastLane.Batch
    ) throws(PostgresError) -> ForecastLane {
        let kind = SchedulingClass(rawValue: try row.get(11)) ?? .normal
        let notBefore = try row.get(16, as: TimestampValue?.self)
        var candidate = AdmissionCandidate(
            isDiscretionary: kind == .discretionary, session: try row.get(8),
            createdAt: batch.runAt,
            waitingSince: try row.get(21, as: TimestampValue.self).timestamp,
            runAt: batch.runAt, attempt: 0,
            origin: try gate(row, 14, notBefore: notBefore),
            sessionGate: try gate(row, 17))
        candidate.appGate = try gate(row, 19)
        candidate.app = try row.get(6)
        candidate.originName = try row.get(10, as: String?.self)
        candidate.originKey = try row.get(9, as: Int64.self)
        candidate.sessionKey = try row.get(7, as: Int64.self)
        candidate.schedulingClass = kind
        candidate.rank = Int(try row.get(12, as: Int16.self))
        if let vector = try row.get(13, as: String?.self) { candidate.facet = Facet(text: vector) }
        candidate.deadline = CandidateDeadline(
            begin: try bucket(row, 23), complete: try bucket(row, 22))
        candidate.laneNeed = try row.get(24)
        candidate.guardAt = try row.get(25, as: TimestampValue?.self)?.timestamp
        candidate.network = try row.get(26)
        candidate.origin.outage = Outage(
            since: try row.get(27, as: TimestampValue?.self)?.timestamp,
            probeAt: try row.get(28, as: TimestampValue?.self)?.timestamp)
        candidate.isOverloaded = try row.get(29, as: Int64?.self) == 0
        let sized = batch.count - batch.unsized
        candidate.need = sized > 0 ? Int64(min(batch.bytes / Double(sized), 9e18)) : 0
        return ForecastLane(
            number: number,
            flow: LaneFlow(
                app: try row.get(5), session: try row.get(7), origin: try row.get(9)),
            candidate: candidate, batches: [batch])
    }

    private static func bucket(_ row: Row, _ column: Int) throws(PostgresError) -> Timestamp? {
        let value = try row.get(column, as: TimestampValue.self)
        return value == .infinity ? nil : value.timestamp
    }

    private static func gate(
        _ row: Row, _ column: Int, notBefore: TimestampValue? = nil
    ) throws(PostgresError) -> GateReading {
        GateReading(
            running: Int(try row.get(column, as: Int32.self)),
            limit: try row.get(column + 1, as: Int32?.self).map { Int($0) },
            notBefore: notBefore == .negativeInfinity ? nil : notBefore?.timestamp)
    }

    private static func run(_ row: Row) throws(PostgresError) -> ForecastRun {
        ForecastRun(
            flow: LaneFlow(
                app: try row.get(0), session: try row.get(1), origin: try row.get(2)),
            schedulingClass: SchedulingClass(rawValue: try row.get(3)) ?? .normal,
            bytesLeft: try row.get(4), rate: try row.get(5))
    }
}
