// The input of a forecast: sums over the waiting downloads of each lane, and the running downloads.
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

    private typealias Column = ForecastColumn

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
                let number = try row.integer(Column.laneNo)
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
                lanes.append(try ForecastReads.lane(row, try row.integer(Column.laneNo), batch))
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
            min(q.state_since) AS since, false AS is_tried
        FROM (
            SELECT q.lane_no, q.run_at, q.state_since,
                lull_left(q.lane_flags, q.bytes, q.sent_bytes, q.total_bytes,
                    q.expected_bytes) AS need
            FROM queue q
            WHERE q.state = lull_state('waiting')
                AND q.lane_flags & lull_lane_flag('stages') = 0
            ORDER BY q.lane_no, q.run_at, q.id LIMIT $1) q
        GROUP BY q.lane_no, date_trunc('hour', q.run_at)
        """)

    private static let counted = lanes(
        """
        SELECT l.lane_no, l.next_at AS first_at,
            least(coalesce(w.waiting, 1), 2147483647)::int AS count,
            coalesce(w.bytes, 0)::double precision AS bytes,
            least(coalesce(w.unsized, 1), 2147483647)::int AS unsized,
            coalesce(w.oldest_at, least(l.next_at, clock_timestamp())) AS since,
            false AS is_tried
        FROM lanes l LEFT JOIN lane_loads w ON w.lane_no = l.lane_no
        WHERE l.next_at < 'infinity'
        ORDER BY coalesce(w.waiting, 1) DESC, l.lane_no LIMIT $1
        """)

    /// The waiting downloads of an app, those that may begin first, in groups that differ in lane,
    /// in the hour at which they may begin, or in whether they were tried.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - uploads: whether its uploads are meant.
    ///   - limit: at most so many downloads are looked at.
    /// - Returns: lanes, each with one batch.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func waiting(
        of app: Int64, uploads: Bool = false, atMost limit: Int
    ) async throws(StoreError) -> [ForecastLane] {
        try await sorting { () throws(PostgresError) in
            var lanes: [ForecastLane] = []
            for row in try await pool.query(ForecastReads.ofApp, [app, uploads, Int64(limit)]) {
                let batch = try ForecastReads.batch(row)
                lanes.append(try ForecastReads.lane(row, try row.integer(Column.laneNo), batch))
            }
            return lanes
        }
    }

    private static let ofApp = lanes(
        """
        SELECT q.lane_no, min(q.run_at) AS first_at, count(*)::int AS count,
            0::double precision AS bytes, 0 AS unsized, min(q.state_since) AS since,
            q.attempt > 0 AS is_tried
        FROM (
            SELECT q.id, q.lane_no, q.run_at, q.state, q.state_since, q.attempt, q.lane_flags
            FROM queue q
            WHERE q.state IN (lull_state('waiting'), lull_state('joined')) AND q.app_no = $1
            ORDER BY q.app_no, q.run_at, q.id LIMIT $3) q
        WHERE q.state = lull_state('waiting') AND lull_is_upload(q.id) = $2
            AND q.lane_flags & lull_lane_flag('stages') = 0
        GROUP BY q.lane_no, q.attempt > 0,
            CASE WHEN q.run_at > statement_timestamp() THEN date_trunc('hour', q.run_at) END
        """)

    /// The columns of lanes, for a statement that gives their loads.
    private static func lanes(_ loads: String) -> String {
        """
        SELECT \(ForecastColumn.columns)
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
        SELECT \(RunningColumn.list) FROM (SELECT q.*, q.class AS scheduling_class,
            lull_left(q.lane_flags, q.bytes, q.sent_bytes, q.total_bytes, q.expected_bytes)
                AS bytes_left
        FROM queue q WHERE q.state = lull_state('running') AND q.replica_no IS NOT NULL
        LIMIT $1) z
        """

    private static func batch(_ row: Row) throws(PostgresError) -> ForecastLane.Batch {
        ForecastLane.Batch(
            runAt: try row.requiredInstant(Column.firstAt), count: try row.get(Column.count),
            bytes: try row.double(Column.bytes), unsized: try row.get(Column.unsized))
    }

    private static func lane(
        _ row: Row, _ number: Int64, _ batch: ForecastLane.Batch
    ) throws(PostgresError) -> ForecastLane {
        let kind = SchedulingClass(rawValue: try row.get(Column.schedulingClass)) ?? .normal
        var candidate = AdmissionCandidate(
            isDiscretionary: kind == .discretionary, session: try row.text(Column.session),
            createdAt: batch.runAt, waitingSince: try row.requiredInstant(Column.since),
            runAt: batch.runAt, attempt: try row.bool(Column.isTried) ? 1 : 0,
            origin: try gate(row, running: .originRunning, limit: .originLimit),
            sessionGate: try gate(row, running: .sessionRunning, limit: .sessionLimit))
        candidate.origin.notBefore = try row.finiteInstant(Column.originNotBefore)
        candidate.appGate = try gate(row, running: .appRunning, limit: .appLimit)
        candidate.app = try row.text(Column.app)
        candidate.originName = try row.get(Column.origin)
        candidate.originKey = try row.integer(Column.originKey)
        candidate.sessionKey = try row.integer(Column.sessionNo)
        candidate.schedulingClass = kind
        candidate.rank = try row.get(Column.rank)
        if let vector = try row.get(Column.vector, as: String?.self) {
            candidate.facet = Facet(text: vector)
        }
        candidate.deadline = CandidateDeadline(
            begin: try row.finiteInstant(Column.beginBucket),
            complete: try row.finiteInstant(Column.dueBucket))
        candidate.laneNeed = try row.integer(Column.largestNeed)
        candidate.guardAt = try row.instant(Column.guardAt)
        candidate.laneFlags = LaneFlags(rawValue: try row.get(Column.laneFlags))
        candidate.origin.outage = Outage(
            since: try row.instant(Column.unreachableSince),
            probeAt: try row.instant(Column.probeAt))
        candidate.isOverloaded = try row.optionalInteger(Column.fits) == 0
        let sized = batch.count - batch.unsized
        candidate.need = sized > 0 ? Int64(min(batch.bytes / Double(sized), 9e18)) : 0
        return ForecastLane(
            number: number,
            flow: LaneFlow(
                app: try row.integer(Column.appNo), session: try row.integer(Column.sessionNo),
                origin: try row.integer(Column.originKey)),
            candidate: candidate, batches: [batch])
    }

    private static func gate(
        _ row: Row, running: Column, limit: Column
    ) throws(PostgresError) -> GateReading {
        GateReading(running: try row.get(running), limit: try row.get(limit))
    }

    private static func run(_ row: Row) throws(PostgresError) -> ForecastRun {
        typealias Column = RunningColumn
        return ForecastRun(
            flow: LaneFlow(
                app: try row.get(Column.appNo), session: try row.get(Column.sessionNo),
                origin: try row.get(Column.originKey)),
            schedulingClass: SchedulingClass(rawValue: try row.get(Column.schedulingClass))
                ?? .normal,
            bytesLeft: try row.get(Column.bytesLeft), rate: try row.get(Column.bytesPerSecond))
    }
}

private enum RunningColumn: Int, RowColumn {
    case appNo, sessionNo, originKey, schedulingClass, bytesLeft, bytesPerSecond
}
