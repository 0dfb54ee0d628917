// What every test of the store needs: a migrated database, downloads to put in, a look at rows.
import Core
import Platform
import Postgres
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

    /// Runs a test with a lab of its own; only a few at a time, for the server's connections.
    static func with(
        connections: Int = 6, _ test: (StoreLab) async throws -> Void
    ) async throws {
        await Turns.shared.take()
        do {
            try await TestDatabase.with(schema: true) { database in
                let pool = ConnectionPool(url: database.url, size: connections)
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

    /// A download as the API would hand it in; `members` are those of the create's body.
    func draft(
        _ members: JSONObject = JSONObject(), origin: String = origin, session: Int64 = 1
    ) throws -> NewDownload {
        var object = members
        if object["url"] == nil { object["url"] = .string(origin + "/file") }
        let request = try DownloadRequest.parse(.object(object)).get()
        let spec = DownloadSpec(
            request, session: SessionConfiguration(), sessionVersion: 1, defaults: .standard)
        var new = NewDownload(
            download: Download(
                id: StoreLab.identifier(), request: request, spec: spec, createdAt: .epoch),
            app: 1, sessionKey: session, origin: origin)
        new.mirrorOrigins = try spec.urls.map { try SourceURL(parsing: $0).origin }
        return new
    }

    /// Stores downloads and gives their names, in order.
    @discardableResult
    func submit(
        _ count: Int = 1, _ members: JSONObject = JSONObject(), origin: String = origin,
        session: Int64 = 1
    ) async throws -> [Identifier] {
        let intake = Intake(pool: pool)
        var ids: [Identifier] = []
        for _ in 0..<count {
            let new = try draft(members, origin: origin, session: session)
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

    /// Claims from every lane.
    func claim(
        _ ledger: Ledger, total: Int = 1000, limits: PolicyLimits = limits
    ) async throws -> [ClaimedDownload] {
        let heads = try await ledger.lanes().heads
        let quotas = heads.map { LaneQuota(head: $0, count: total) }
        return try await ledger.claim(quotas, total: total, limits: limits).runs
    }

    /// One download, running.
    func running(
        _ members: JSONObject = JSONObject()
    ) async throws -> (ledger: Ledger, claim: ClaimedDownload) {
        try await submit(1, members)
        let ledger = try await register()
        return (ledger, try #require(await claim(ledger).first))
    }

    /// An end as a worker would hand it in.
    func end(
        _ claim: ClaimedDownload, _ outcome: RunRecord.Outcome, at: Timestamp? = nil
    ) -> RunRecord {
        let (event, state): (EventType, DownloadState) =
            switch outcome {
            case .succeeded: (.succeeded, .succeeded)
            case .failed: (.failed, .failed)
            case .retry: (.retryScheduled, .waiting)
            case .canceled: (.canceled, .canceled)
            case .suspended: (.suspended, .suspended)
            case .attentionRequired: (.attentionRequired, .attentionRequired)
            }
        let at = at ?? claim.claimedAt + .milliseconds(5)
        var run = RunRecord(claim, outcome: outcome, event: event, at: at)
        run.download.state = state
        run.download.sequence += 1
        if state.isTerminal { run.download.completedAt = at }
        if outcome == .retry {
            run.runAt = at
            run.download.nextAttemptAt = at
        }
        return run
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

    /// Gates whose counter is not the number of running downloads behind them.
    func wrongGates() async throws -> Int64 {
        try await number(
            """
            SELECT count(*) FROM gates g WHERE g.running <> (
                SELECT coalesce(sum(1 + q.extra_streams), 0) FROM queue q WHERE q.state = 1
                    AND CASE g.kind WHEN 1 THEN q.origin_key ELSE q.session_no END = g.key)
            """)
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

/// A generator that gives the same numbers for the same seed: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}

/// Asks again until the answer is yes, for ten seconds at most.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(10)
    while clock.now < end {
        if try await condition() { return true }
        try await Task.sleep(for: .milliseconds(2))
    }
    return try await condition()
}

/// The code of the failure that a body ends in, or nil.
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
