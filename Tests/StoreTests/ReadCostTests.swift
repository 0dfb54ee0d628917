// The rows that lists and pages of the journal read, whatever else is stored: rows are counted, not
// time.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@Suite struct ReadCostTests {
    private static let scanned = 1000

    /// Counts the rows that statements of one connection read.
    private struct Meter {
        let lab: StoreLab
        let pool: ConnectionPool
        var downloads: Downloads { Downloads(pool: pool, changes: lab.changes) }

        init(_ lab: StoreLab) {
            self.lab = lab
            pool = ConnectionPool(url: lab.url, size: 1)
        }

        /// Sends the counts of the lab's own connections: these send them only once a second, or
        /// ten seconds after their last statement.
        func settle() async throws {
            let key: Int64 = 7_340_201
            _ = try await pool.query("SELECT pg_advisory_lock($1)", [key])
            try await withThrowingTaskGroup { group in
                // All calls run at once, so that each connection takes one.
                for _ in 0..<StoreLab.connections {
                    group.addTask {
                        _ = try await lab.pool.query(
                            """
                            SELECT pg_stat_force_next_flush(), pg_advisory_lock_shared($1),
                                pg_advisory_unlock_shared($1)
                            """, [key])
                    }
                }
                let areAllWaiting = try await eventually {
                    try await pool.query(
                        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                            + " AND objid = $1::bigint::oid AND database ="
                            + " (SELECT oid FROM pg_database WHERE datname = current_database())",
                        [key])[0].get(0, as: Int64.self) == Int64(StoreLab.connections)
                }
                #expect(areAllWaiting)
                _ = try await pool.query("SELECT pg_advisory_unlock($1)", [key])
                try await group.waitForAll()
            }
        }

        /// The rows that a body reads, with indexes and without.
        func rows(_ body: () async throws -> Void) async throws -> Int64 {
            let before = try await total()
            try await body()
            return try await total() - before
        }

        private func total() async throws -> Int64 {
            // The connection that read sends its counts; another transaction then sees them.
            _ = try await pool.query("SELECT pg_stat_force_next_flush()")
            _ = try await pool.query("SELECT 1")
            return try await lab.number(
                """
                (SELECT sum(coalesce(seq_tup_read, 0)) FROM pg_stat_user_tables)
                    + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)
                """)
        }
    }

    private static func with(_ test: (StoreLab, Meter) async throws -> Void) async throws {
        try await StoreLab.with { lab in
            let meter = Meter(lab)
            do {
                try await test(lab, meter)
                await meter.pool.close()
            } catch {
                await meter.pool.close()
                throw error
            }
        }
    }

    /// Three of 30,000 downloads pass a filter: every page is bounded, and the walk finds all
    /// three.
    @Test(arguments: [DownloadOrder.newestFirst, .oldestFirst])
    func walkOfARareFilterReadsEachRowOnce(_ order: DownloadOrder) async throws {
        try await Self.with { lab, meter in
            let count: Int64 = 30_000
            _ = try await lab.pool.query(
                """
                WITH results AS (
                    INSERT INTO download_results (app_no, id, state, result, finished_at)
                    SELECT 1, ('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                        lull_state('succeeded'), '{}', now()
                    FROM generate_series(1, $1::bigint) n)
                INSERT INTO download_requests (id, app_no, session_no, created_at, session, url,
                    spec, origin_key, priority, class)
                SELECT ('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 1,
                    now(), 'default', 'https://a.example',
                    CASE WHEN n % 10000 = 77 THEN '{"metadata": {"k": "v"}}' ELSE '{}' END::jsonb,
                    1, 0.5, 0
                FROM generate_series(1, $1::bigint) n
                """, [count])
            try await meter.settle()
            var filter = DownloadFilter()
            filter.metadata = ["k": "v"]
            var (found, pages, most, all) = (0, 0, Int64(0), Int64(0))
            var last: Identifier?
            repeat {
                let rows = try await meter.rows {
                    let page = try await meter.downloads.list(
                        app: 1, filter, order: order, after: last, limit: 100,
                        scanned: Self.scanned)
                    found += page.records.count
                    last = page.resumption
                }
                pages += 1
                most = max(most, rows)
                all += rows
            } while last != nil && pages < 100
            #expect(found == 3 && pages <= 32)
            // Each row is read once to find the last row of the page, once to judge it, and once
            // more if it is shown.
            #expect(most <= Int64(2 * Self.scanned + 200), "\(most)")
            #expect(all <= 2 * count + 200 * Int64(pages), "\(all)")
        }
    }

    /// The looks of a source are found by its index, among however many other downloads.
    @Test(arguments: [DownloadOrder.newestFirst, .oldestFirst])
    func aPageOfASourceReadsItsDownloadsAlone(_ order: DownloadOrder) async throws {
        try await Self.with { lab, meter in
            _ = try await lab.pool.query(
                """
                WITH results AS (
                    INSERT INTO download_results (app_no, id, state, result, finished_at)
                    SELECT 1, ('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                        lull_state('succeeded'), '{}', now()
                    FROM generate_series(1, 20000::bigint) n)
                INSERT INTO download_requests (id, app_no, session_no, created_at, session, url,
                    spec, origin_key, priority, class)
                SELECT ('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 1,
                    now(), 'default', 'https://a.example',
                    CASE WHEN n % 2000 = 77 THEN '{"source": "rare"}'
                        WHEN n % 2 = 0 THEN '{"source": "often"}' ELSE '{}' END::jsonb, 1, 0.5, 0
                FROM generate_series(1, 20000::bigint) n
                """)
            _ = try await lab.pool.query("ANALYZE")
            try await meter.settle()
            for states in [[], [.succeeded], [.waiting]] as [Set<DownloadState>] {
                var filter = DownloadFilter()
                (filter.source, filter.states) = ("rare", states)
                let rows = try await meter.rows {
                    let page = try await meter.downloads.list(
                        app: 1, filter, order: order, after: nil, limit: 100,
                        scanned: Self.scanned)
                    #expect(page.records.count == (states == [.waiting] ? 0 : 10))
                    #expect(page.resumption == nil)
                }
                #expect(rows <= 200, "\(states): \(rows)")
            }
        }
    }

    /// A page of the journal reads the events that it shows, and a page of one session a bounded
    /// part.
    @Test func journalPageDoesNotGrowWithTheSessions() async throws {
        try await Self.with { lab, meter in
            var costs: [Int: (app: Int64, session: Int64)] = [:]
            for sessions in [100, 100_000] {
                try await lab.pool.script(
                    """
                    INSERT INTO sessions (app_no, identifier)
                        SELECT 1, 's' || n FROM generate_series(1, \(sessions)) n
                        ON CONFLICT DO NOTHING;
                    INSERT INTO events (at, session_no, download_id, app_no, sequence, type)
                        SELECT now(), session_no, gen_random_uuid(), 1, 1, 1 FROM sessions
                        WHERE app_no = 1;
                    """)
                _ = try await lab.pool.query("ANALYZE")
                try await meter.settle()
                let journal = meter.downloads.journal
                // Transactions of other tests may still run on the server.
                let isSeen = try await eventually {
                    try await journal.read(
                        JournalQuery(scope: .app(1, session: nil)), after: nil, limit: 50
                    ).events.count == 50
                }
                #expect(isSeen)
                let app = try await meter.rows {
                    let page = try await journal.read(
                        JournalQuery(scope: .app(1, session: nil)), after: nil, limit: 50)
                    #expect(page.events.count == 50)
                }
                let session = try await meter.rows {
                    let page = try await journal.read(
                        JournalQuery(scope: .app(1, session: "s\(sessions)")), after: nil,
                        limit: 50, scanned: Self.scanned)
                    #expect(sessions == 100 || page.resumption != nil && page.events.isEmpty)
                }
                costs[sessions] = (app, session)
            }
            let many = try #require(costs[100_000])
            // Each event with its download and its session.
            #expect(many.app <= 50 * 8, "\(costs)")
            #expect(many.session <= Int64(2 * Self.scanned + 100), "\(costs)")
        }
    }

    /// Upkeep that finds nothing to do reads nothing of the rows that are not due.
    @Test func upkeepReadsWhatIsDue() async throws {
        try await Self.with { lab, meter in
            let ids = "('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
            try await lab.pool.script(
                """
                INSERT INTO queue (id, run_at, session_no, origin_key, state_since, deadline,
                    life_since, class, rank, lane_no, app_no, at_risk_since)
                    SELECT \(ids), now(), 1, 1, now(), now() + n * interval '1 hour', now(), 1, 1,
                        1, 1, now() FROM generate_series(1, 5000) n;
                INSERT INTO contents (id, instance, fence, length, expires_at, due_at, phase)
                    SELECT \(ids), gen_random_uuid(), 1, 1, now() + n * interval '1 hour',
                        now() + n * interval '1 hour', CASE WHEN n % 2 = 0 THEN 0 ELSE 3 END
                    FROM generate_series(1, 5000) n;
                INSERT INTO idempotency_keys (app_no, key_hash, fingerprint)
                    SELECT 1, \(ids), gen_random_uuid() FROM generate_series(1, 5000) n;
                INSERT INTO download_secrets (id, sealed, kept_until)
                    SELECT \(ids), '', now() + n * interval '1 hour'
                    FROM generate_series(1, 5000) n;
                INSERT INTO flight_ends (leader, kind, due_at)
                    SELECT \(ids), 0, now() + n * interval '1 hour'
                    FROM generate_series(1, 5000) n;
                """)
            _ = try await lab.pool.query("ANALYZE")
            let downloads = meter.downloads
            let work: [(name: String, run: () async throws -> Int)] = [
                ("downloads", { try await downloads.expire(limit: 100) }),
                ("contents", { try await downloads.contents.proceed(limit: 100).count }),
                ("answers", { try await downloads.idempotencyKeys.forgetOld(limit: 100) }),
                ("secrets", { Int(try await downloads.eraseUnusedSecrets()) }),
                ("risks", { try await downloads.deadlineRisks.atRisk(for: .seconds(60)).count }),
                (
                    "flights",
                    {
                        try await downloads.flights.due(
                            instance: StoreLab.identifier(), limit: 100
                        ).count
                    }
                ),
            ]
            for one in work {
                _ = try await one.run()
                try await meter.settle()
                let rows = try await meter.rows {
                    let found = try await one.run()
                    #expect(found == 0, "\(one.name)")
                }
                #expect(rows < 100, "\(one.name): \(rows)")
            }
        }
    }

    /// The rows before a dated download are counted only for a caller that asks for its place.
    @Test func readOfADatedDownloadReadsNoneOfItsLane() async throws {
        try await Self.with { lab, meter in
            let dated = try await lab.submit(30, ["earliest_begin_date": "2999-01-01T00:00:00Z"])
            _ = try await meter.downloads.find(dated[0], app: 1)
            try await meter.settle()
            for id in dated {
                let rows = try await meter.rows { _ = try await meter.downloads.find(id, app: 1) }
                #expect(rows < 20)
            }
            let read = try await lab.records(dated)
            #expect(read.allSatisfy { $0.candidate != nil && $0.candidate?.before == nil })
            let counted = try await meter.downloads.countBefore(read)
            #expect(counted.map(\.download.id) == dated)
            #expect(counted.compactMap { $0.candidate?.before }.sorted() == Array(0..<30))
            // Downloads that are due or have ended are read as before.
            let due = try await lab.submit(3)
            let first = try await lab.records(due)
            #expect(first.compactMap { $0.candidate?.before }.sorted() == [0, 1, 2])
            let again = try await meter.downloads.countBefore(first)
            #expect(again.map { $0.candidate?.before } == first.map { $0.candidate?.before })
            _ = try await lab.downloads.perform(.cancel, on: due[0], app: 1)
            let ended = try await meter.downloads.countBefore(try await lab.records([due[0]]))
            #expect(ended.map { $0.candidate == nil } == [true])
        }
    }
}
