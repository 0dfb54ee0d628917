// The pieces that every test of the store needs: a migrated database, downloads to put in, reads of
// rows.
import Base
import Downloads
import Platform
import Postgres
import Scheduling
import Seeds
import Store
import Support
import Synchronization
import Testing

/// A migrated database with one app, 1, and its session `default`, 1.
struct StoreLab: Sendable {
    let url: String
    let pool: ConnectionPool
    let changes = ChangeHub()

    var downloads: Downloads { Downloads(pool: pool, changes: changes) }

    static let limits = PolicyLimits(running: 1000, perOrigin: 1000, perSession: 1000)
    static let origin = "https://origin.example:443"

    /// The connections of a lab.
    static let connections = 6

    /// Runs a test with a lab of its own; only a few at a time, for the server's connections.
    static func with(
        connections: Int = StoreLab.connections, _ test: (StoreLab) async throws -> Void
    ) async throws {
        await Turns.shared.take()
        do {
            try await TestDatabase.with(schema: true) { database in
                let pool = ConnectionPool(
                    url: database.url, size: connections, limits: .patient)
                do {
                    try await test(StoreLab(url: database.url, pool: pool))
                    await pool.close()
                } catch {
                    await pool.close()
                    throw error
                }
            }
            await Turns.shared.leave()
        } catch {
            await Turns.shared.leave()
            throw error
        }
    }

    /// A download in the form in which the API hands it in; `members` are those of the create's
    /// body.
    func draft(
        _ members: JSONObject = JSONObject(), origin: String = origin, session: Int64 = 1,
        app: Int64 = 1, id: Identifier = identifier()
    ) throws -> NewDownload {
        var object = members
        if object["url"] == nil { object["url"] = .string(origin + "/file") }
        let request = try DownloadRequest.parse(.object(object)).get()
        let spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        var new = NewDownload(
            download: Download(
                id: id, request: request, spec: spec, createdAt: .epoch),
            app: app, sessionKey: session, origin: origin)
        new.mirrorOrigins = try spec.urls.map { try SourceURL(parsing: $0).origin }
        return new
    }

    /// Stores downloads and returns their identifiers, in order.
    @discardableResult
    func submit(
        _ count: Int = 1, _ members: JSONObject = JSONObject(), origin: String = origin,
        session: Int64 = 1, app: Int64 = 1
    ) async throws -> [Identifier] {
        let intake = Intake(pool: pool)
        var ids: [Identifier] = []
        for _ in 0..<count {
            let new = try draft(members, origin: origin, session: session, app: app)
            _ = try await intake.submit(new)
            ids.append(new.download.id)
        }
        return ids
    }

    /// A replica on a data directory of its own, unless one is named.
    func register(
        instance: Identifier = identifier(), lease: Duration = .seconds(60)
    ) async throws -> Ledger {
        try await Ledger.register(
            pool: pool, instance: instance, node: "test", lease: lease, changes: changes
        ).ledger
    }

    /// The outbox under a replica's lease.
    func outbox(_ ledger: Ledger) -> Outbox {
        Outbox(pool: pool, registration: Registration(replica: ledger.replica))
    }

    /// Deliveries with the events that they show.
    static let deliveredEvents = "deliveries JOIN events USING (download_id, sequence)"

    /// Claims from every lane.
    func claim(
        _ ledger: Ledger, total: Int = 1000, limits: PolicyLimits = limits
    ) async throws -> [ClaimedDownload] {
        try await claimAnswer(ledger, total: total, limits: limits).runs
    }

    /// Claims from every lane and returns the whole answer of the claim.
    func claimAnswer(
        _ ledger: Ledger, total: Int = 1000, limits: PolicyLimits = limits
    ) async throws -> ClaimAnswer {
        let heads = try await heads(ledger)
        let quotas = heads.map { LaneQuota(head: $0, count: total) }
        return try await ledger.claim(ClaimOrder(quotas, total: total), limits: limits)
    }

    /// A call of `lull_claim` for downloads of lanes, which all have these bounds.
    static func claim(
        _ replica: Int64, _ lanes: [Int64], quota: Int, atOrigin: Int, limit: Int? = nil,
        total: Int? = nil
    ) -> String {
        let list = lanes.map(String.init).joined(separator: ",")
        return """
            lull_claim(\(replica), ARRAY(SELECT ROW(u.lane_no, \(quota), \(atOrigin), NULL, NULL,
                    NULL, NULL)::claim_lane FROM unnest('{\(list)}'::bigint[]) u(lane_no)),
                '{}', \(limit.map(String.init) ?? "NULL"), \(total ?? quota), NULL)
            """
    }

    /// Claims rows that may have no download; returns their identifiers.
    func claimIDs(_ ledger: Ledger) async throws -> [UUIDValue] {
        let lanes = try await heads(ledger).map(\.lane)
        let claim = StoreLab.claim(ledger.replica, lanes, quota: 1000, atOrigin: 1000)
        return try await pool.query("SELECT id FROM \(claim)").map { try $0.get(0) }
    }

    /// All lanes that are due, in the pages of one sweep.
    func heads(_ ledger: Ledger, wanted: Int = 64) async throws -> [LaneHead] {
        var heads: [LaneHead] = []
        var cursor: LaneCursor? = .start
        while let from = cursor {
            let page = try await ledger.lanes(
                from: from, wanted: wanted
            ).page
            heads += page.heads
            cursor = page.next
        }
        return heads
    }

    /// One download, running.
    func running(
        _ members: JSONObject = JSONObject()
    ) async throws -> (ledger: Ledger, claim: ClaimedDownload) {
        try await submit(1, members)
        let ledger = try await register()
        return (ledger, try #require(await claim(ledger).first))
    }

    /// An end in the form in which a worker hands it in.
    func end(
        _ claim: ClaimedDownload, _ outcome: RunOutcome, at: Timestamp? = nil
    ) -> RunRecord {
        let (event, state): (EventType, DownloadState) =
            switch outcome {
            case .succeeded: (.succeeded, .succeeded)
            case .failed: (.failed, .failed)
            case .retryScheduled: (.retryScheduled, .waiting)
            case .canceled: (.canceled, .canceled)
            case .suspended: (.suspended, .suspended)
            case .attentionRequired: (.attentionRequired, .attentionRequired)
            case .yielded, .unreachable, .givenBack, .unchanged: (.waiting, .waiting)
            case .received: (.received, .waiting)
            }
        let at = at ?? claim.claimedAt + .milliseconds(5)
        var run = RunRecord(claim, outcome: outcome, event: event, at: at)
        run.download.state = state
        run.download.sequence += 1
        if state.isTerminal { run.download.completedAt = at }
        if outcome == .yielded { run.runAt = at }
        if outcome == .retryScheduled {
            run.runAt = at
            run.download.nextAttemptAt = at
        }
        return run
    }

    /// The records of the downloads that exist, in the order of the identifiers.
    func records(_ ids: [Identifier]) async throws -> [DownloadRecord] {
        var records: [DownloadRecord] = []
        for id in ids {
            if let record = try await find(id) { records.append(record) }
        }
        return records
    }

    /// One download of the default app.
    func find(_ id: Identifier) async throws -> DownloadRecord? {
        try await downloads.find(id, app: 1)
    }

    /// The state of a download, as clients see it.
    func state(of id: Identifier) async throws -> DownloadState? {
        try await find(id)?.download.state
    }

    /// One number that a query gives.
    func number(_ sql: String, _ parameters: [any ColumnValue] = []) async throws -> Int64 {
        try await pool.query("SELECT (\(sql))::bigint", parameters)[0].get(0)
    }

    /// The types of a download's events, in order.
    func events(of id: Identifier) async throws -> [EventType] {
        let rows = try await pool.query(
            "SELECT type FROM events WHERE download_id = $1 ORDER BY sequence, journal_no",
            [UUIDValue(id)])
        return try rows.map { try #require(EventType(rawValue: $0.get(0))) }
    }

    /// The number of gates whose counter differs from the running downloads behind them, or that
    /// are not one for each key.
    func wrongGates() async throws -> Int64 {
        try await number(
            """
            SELECT count(*) FROM gates g FULL JOIN (
                SELECT kind, key FROM gate_keys
                UNION ALL SELECT lull_gate('origin'), origin_key FROM origins) k
                ON k.kind = g.kind AND k.key = g.key
            WHERE g.key IS NULL OR k.key IS NULL OR g.running <> (
                SELECT coalesce(sum(1 + q.extra_streams), 0) FROM queue q WHERE q.state = 1
                    AND CASE g.kind WHEN 1 THEN q.origin_key WHEN 2 THEN q.session_no
                        WHEN 3 THEN q.app_no END = g.key
                    AND g.kind < 4)
                AND g.kind < 4
                OR g.kind = 4 AND g.running <> (
                    SELECT count(*) FROM queue q WHERE q.replica_no = g.key)
                OR 1 < (SELECT count(*) FROM gates o WHERE o.kind = g.kind AND o.key = g.key)
            """)
    }

    /// Waiting rows that no look could find in time, and counts that differ from the rows.
    func wrongLanes() async throws -> [String] {
        let rows = try await pool.query(
            """
            SELECT 'row ' || q.id || ' is before its lane' FROM queue q
            LEFT JOIN lanes l ON l.lane_no = q.lane_no AND l.next_at <= q.run_at
                AND (l.app_no, l.session_no, l.origin_key, l.class, l.rank, l.lane_flags, l.facet,
                    l.due_bucket, l.begin_bucket) = (q.app_no, q.session_no, q.origin_key,
                    q.class, q.rank, q.lane_flags, q.facet, q.due_bucket, q.begin_bucket)
                AND (l.due_bucket = 'infinity' OR l.largest_need
                    >= lull_need(q.total_bytes, q.expected_bytes, q.resume))
            WHERE q.state = 0 AND q.lane_flags & 256 = 0 AND l.lane_no IS NULL
            UNION ALL
            SELECT 'lane ' || l.lane_no || ' is before its group' FROM lanes l
            LEFT JOIN lane_groups g ON g.session_no = l.session_no AND g.class = l.class
                AND g.next_at <= l.next_at AND g.app_no = l.app_no
            WHERE l.next_at < 'infinity' AND g.app_no IS NULL
            UNION ALL
            SELECT 'lane ' || coalesce(l.lane_no, k.lane_no) || ' is not its key' FROM lanes l
            FULL JOIN lane_keys k ON (k.lane_no, k.session_no, k.origin_key, k.class, k.rank,
                k.lane_flags, k.facet, k.due_bucket, k.begin_bucket) = (l.lane_no, l.session_no,
                l.origin_key, l.class, l.rank, l.lane_flags, l.facet, l.due_bucket, l.begin_bucket)
            WHERE l.lane_no IS NULL OR k.lane_no IS NULL
            UNION ALL
            SELECT 'lane ' || lane_no || ' is there twice' FROM lanes GROUP BY lane_no
            HAVING count(*) > 1
            UNION ALL
            SELECT 'group ' || session_no || ' is there twice' FROM lane_groups
            GROUP BY session_no, class HAVING count(*) > 1
            UNION ALL
            SELECT 'app ' || app_no || ' counts wrong' FROM (
                SELECT app_no, count(*) AS n FROM queue GROUP BY 1) q
            FULL JOIN (SELECT app_no, sum(change) AS n FROM queued_counts GROUP BY 1) c
                USING (app_no)
            WHERE coalesce(q.n, 0) <> coalesce(c.n, 0)
            """)
        return try rows.map { try $0.get(0, as: String.self) }
    }

    /// Moves rows in time, which no statement of the product does.
    func move(_ change: String, _ parameters: [any ColumnValue] = []) async throws {
        _ = try await pool.query("UPDATE queue SET run_at = \(change)", parameters)
        _ = try await pool.query(
            "SELECT lull_enter_rows((SELECT array_agg(id ORDER BY id) FROM queue))")
    }

    /// The pages that a statement touches, with those of the functions that it calls.
    static func pages(
        _ connection: PostgresConnection, _ statement: String
    ) async throws -> Int64 {
        let plan = try await connection.query(
            "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) \(statement)")[0]
            .get(0, as: String.self)
        guard let first = plan.firstMatch(of: #/"Shared Hit Blocks": (\d+)/#),
            let read = plan.firstMatch(of: #/"Shared Read Blocks": (\d+)/#)
        else { return .max }
        return (Int64(first.output.1) ?? .max) + (Int64(read.output.1) ?? .max)
    }

    /// The database's clock.
    func now() async throws -> Timestamp {
        try await pool.query("SELECT clock_timestamp()")[0].get(0, as: TimestampValue.self)
            .timestamp
    }

    static func identifier() -> Identifier {
        var random = SystemRandomNumberGenerator()
        return Identifier(at: Timestamp(seconds: 1_790_000_000), using: &random)
    }
}

extension Outbox {
    /// Claims from every receiver that has due deliveries, up to `each` of them.
    func claim(each: Int, total: Int) async throws(StoreError) -> DeliveryClaim {
        let due = try await due(full: [], limit: 1000).list
        return try await claim(
            due.map { DeliveryPlaces.Grant(receiver: $0.number, count: min(each, total)) })
    }
}

/// Lets few tests at a time use the database.
actor Turns {
    static let shared = Turns()
    private var free = 4
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}

/// Random numbers that are equal for equal seeds.
struct SeededGenerator: RandomNumberGenerator {
    private var numbers: SplitMix64

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }
}

/// The code of the failure in which a body ends; nil for none.
func failure(_ body: () async throws(StoreError) -> Void) async -> StoreError.Code? {
    do throws(StoreError) {
        try await body()
        return nil
    } catch {
        return error.code
    }
}

/// Expects a body to fail with that code.
func expectFailure(
    _ code: StoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws(StoreError) -> Void
) async {
    let found = await failure(body)
    #expect(found == code, sourceLocation: sourceLocation)
}
