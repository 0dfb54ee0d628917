// The schema: once, in order, and never over something that this program does not know.
import Core
import Platform
import Postgres
import Support
import Testing

@testable import Store

@Suite struct MigratorTests {
    private func withMigrator(
        _ test: (Migrator, PostgresConnection, String) async throws -> Void
    ) async throws {
        await Turns.shared.take()
        do {
            try await TestDatabase.with { database in
                let connection = PostgresConnection(url: database.url)
                try await connection.open()
                try await test(
                    Migrator(connection: connection, log: .silent), connection, database.url)
                await connection.close()
            }
            await Turns.shared.leave()
        } catch {
            await Turns.shared.leave()
            throw error
        }
    }

    @Test func appliesEachFileOnce() async throws {
        try await withMigrator { migrator, _, _ in
            let numbers = Schema.migrations.map(\.number)
            #expect(numbers.first == 1 && Set(numbers).sorted() == numbers)
            let runs = (try await migrator.run(), try await migrator.run())
            #expect(runs == (numbers, []))
            #expect(try await migrator.version() == numbers.last)
        }
    }

    /// A database of the first file, with a policy in it.
    @Test func policiesKeepTheirVersionsThroughTheUpgrade() async throws {
        try await withMigrator { migrator, connection, url in
            let first = try #require(Schema.migrations.first)
            try await connection.script(
                """
                CREATE TABLE schema_migrations (
                    number int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
                """)
            try await connection.script(first.sql)
            try await connection.script(
                """
                INSERT INTO policies (app_no, version, document)
                VALUES (0, 7, '{"limits": {"running": 3}}');
                """)
            _ = try await connection.query(
                "INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)",
                [Int32(first.number), first.name, first.checksum])
            #expect(try await migrator.run() == Array(Schema.migrations.map(\.number).dropFirst()))
            let pool = ConnectionPool(url: url, size: 1)
            let policies = Policies(pool: pool)
            #expect(try await policies.current()?.version == 7)
            #expect(try await policies.versions(limit: 5).map(\.version) == [7])
            _ = try await policies.replace(document: nil)
            #expect(try await policies.current()?.version == 8)
            #expect(try await Conditions(pool: pool).version() == 2)
        }
    }

    /// A database of the first file, with downloads in every state.
    @Test func upgradesRowsOfTheFirstFile() async throws {
        try await withMigrator { migrator, connection, url in
            let first = Schema.migrations[0]
            try await connection.script(
                """
                CREATE TABLE schema_migrations (number int PRIMARY KEY, name text NOT NULL,
                    checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
                \(first.sql)
                INSERT INTO schema_migrations VALUES (1, '\(first.name)', '\(first.checksum)');
                INSERT INTO apps (name) VALUES ('second');
                INSERT INTO sessions (app_no, identifier) VALUES (2, 'other');
                INSERT INTO origins (origin) VALUES ('https://a:443'), ('https://b:443');
                INSERT INTO replicas (instance, node, expires_at)
                    VALUES (gen_random_uuid(), 'x', now() + interval '1 h');
                INSERT INTO queue (id, lane, run_at, session_no, origin_key, state_since, deadline,
                    life_since, class, rank, state, replica_no, extra_streams)
                SELECT gen_random_uuid(), n, now() + (n - 30) * interval '1 min', 1 + n % 2,
                    1 + n / 2 % 2, now(), now() + interval '1 d', now(), n % 3 / 2 * 2, n % 4,
                    n % 4, CASE WHEN n % 4 = 1 THEN 1 END, CASE WHEN n % 4 = 1 THEN n % 3 ELSE 0 END
                FROM generate_series(1, 60) n;
                INSERT INTO gates (kind, key, running)
                SELECT 1, origin_key, coalesce(sum(1 + extra_streams) FILTER (WHERE state = 1), 0)
                    FROM queue GROUP BY 2
                UNION ALL
                SELECT 2, session_no, coalesce(sum(1 + extra_streams) FILTER (WHERE state = 1), 0)
                    FROM queue GROUP BY 2;
                """)
            #expect(
                try await migrator.run() == Schema.migrations.map(\.number).filter { $0 > 1 })
            let pool = ConnectionPool(url: url, size: 2)
            let lab = StoreLab(url: url, pool: pool)
            #expect(try await lab.wrongLanes() == [])
            #expect(try await lab.wrongGates() == 0)
            #expect(try await lab.downloads.queue.queued(app: 1) == 30)
            let placing = "SELECT count(*) FROM queue WHERE placing_at IS NULL"
            #expect(try await lab.number(placing) == 60)
            #expect(try await lab.number("SELECT count(*) FROM external_ids") == 0)
            let ledger = try await lab.register()
            let due = try await lab.number(
                "SELECT count(*) FROM queue WHERE state = 0 AND run_at <= now()")
            #expect(due > 0)
            let claimed = try await lab.claimIDs(ledger)
            #expect(Int64(claimed.count) == due)
            #expect(try await lab.wrongLanes() == [])
        }
    }

    /// What the first schema holds is there after an upgrade, in the shape of today.
    @Test func upgradesTheRowsOfTheFirstSchema() async throws {
        try await withMigrator { migrator, connection, url in
            let first = Schema.migrations[0]
            try await connection.script(
                """
                CREATE TABLE schema_migrations (
                    number int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                    applied_at timestamptz NOT NULL DEFAULT clock_timestamp());
                """)
            try await connection.script(first.sql)
            _ = try await connection.query(
                "INSERT INTO schema_migrations (number, name, checksum) VALUES (1, $1, $2)",
                [first.name, first.checksum])
            try await connection.script(FirstSchema.rows)
            let old = try await connection.query("SELECT id FROM events ORDER BY journal_no")
                .map { try $0.get(0, as: UUIDValue.self).identifier }
            try await migrator.run()
            let pool = ConnectionPool(url: url, size: 2)
            let downloads = Downloads(pool: pool, changes: ChangeHub())
            let names = downloads.journal.names
            var events: [JournalEvent] = []
            // Transactions of other tests may still run on the server.
            _ = try await eventually {
                events = try await downloads.journal.read(
                    JournalQuery(scope: .app(1, session: "default")), after: nil, limit: 9
                ).events
                return events.count == 3
            }
            #expect(events.map(\.message.id) == old.map { names.event($0).text(.event) })
            #expect(events.map(\.message.type) == [.created, .failed, .failed])
            let rows = try await pool.query(
                """
                SELECT d.delivery_no, d.state, d.url, r.receiver, r.next_at = d.run_at
                FROM deliveries d LEFT JOIN receivers r USING (receiver_no) ORDER BY delivery_no
                """)
            #expect(try rows.map { try $0.get(0, as: Int64.self) } == [1, 2, 3])
            #expect(try rows.map { try $0.get(1, as: Int16.self) } == [2, 0, 3])
            let urls = try rows.map { try $0.get(2, as: String?.self) }
            #expect(urls == [nil, "https://Hook.example/a", "http://h.example:81"])
            #expect(
                try rows.map { try $0.get(3, as: String?.self) }
                    == [nil, "https://hook.example:443", nil])
            #expect(try rows[1].get(4, as: Bool.self))
            let ledger = try await Ledger.register(
                pool: pool, instance: Identifier(high: 1, low: 1), node: "test",
                lease: .seconds(60), changes: ChangeHub()
            ).ledger
            let outbox = Outbox(
                pool: pool, registration: Registration(replica: ledger.replica))
            let due = try await outbox.claim(each: 9, total: 9).due
            #expect(due.map(\.message.id) == [names.event(old[1]).text(.event)])
            #expect(due.map(\.attempt) == [4])
            #expect(try due[0].dataText == #"{"kept":true}"#)
            await pool.close()
        }
    }

    @Test func changedMigrationIsRefused() async throws {
        try await withMigrator { migrator, connection, url in
            try await migrator.run()
            try await connection.script(
                "UPDATE schema_migrations SET checksum = 'x' WHERE number = 1")
            await expectFailure(.refused) { () throws(StoreError) in _ = try await migrator.run() }
            try await expectUnlocked(url)
        }
    }

    @Test func refusesADatabaseFromBeforeTheFirstRelease() async throws {
        try await withMigrator { migrator, connection, url in
            try await connection.script(
                """
                CREATE TABLE schema_migrations (number int PRIMARY KEY, name text, checksum text);
                INSERT INTO schema_migrations VALUES
                    (1, '0001_tables.sql', 'x'), (2, '0002_functions.sql', 'y');
                CREATE TABLE downloads (id uuid); INSERT INTO downloads VALUES (gen_random_uuid());
                """)
            await expectFailure(.refused) { () throws(StoreError) in _ = try await migrator.run() }
            let kept = try await connection.query("SELECT count(*) FROM downloads")[0]
            #expect(try kept.get(0, as: Int64.self) == 1)
            try await expectUnlocked(url)
        }
    }

    @Test func replacesFunctionsOnlyWhenTheirTextDiffers() async throws {
        try await withMigrator { migrator, connection, _ in
            try await migrator.run()
            func oids() async throws -> [Int64] {
                try await connection.query(
                    """
                    SELECT oid::bigint FROM pg_proc WHERE proname LIKE 'lull\\_%'
                        AND pronamespace = current_schema()::regnamespace ORDER BY proname
                    """
                ).map { try $0.get(0, as: Int64.self) }
            }
            let first = try await oids()
            #expect(!first.isEmpty)
            try await migrator.run()
            #expect(try await oids() == first)
            try await connection.script(
                """
                UPDATE schema_functions SET checksum = 'of another build';
                CREATE FUNCTION lull_removed() RETURNS int LANGUAGE sql AS 'SELECT 1';
                """)
            try await migrator.run()
            let replaced = try await oids()
            #expect(replaced.count == first.count && Set(replaced).isDisjoint(with: first))
        }
    }

    /// Rows of a database at 0001 are kept and completed by each later file.
    @Test func upgradesADatabaseWithRows() async throws {
        try await withMigrator { migrator, connection, _ in
            try await connection.script(Schema.migrations[0].sql)
            try await connection.script(
                """
                CREATE TABLE schema_migrations (number int PRIMARY KEY, name text NOT NULL,
                    checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
                INSERT INTO replicas (instance, node, expires_at)
                    VALUES ('00000000-0000-0000-0000-000000000001', 'a', now()),
                        ('00000000-0000-0000-0000-000000000001', 'b', now());
                INSERT INTO instances (instance) VALUES ('00000000-0000-0000-0000-000000000002');
                INSERT INTO download_secrets (id, sealed) VALUES (gen_random_uuid(), 'x');
                INSERT INTO contents (id, instance, fence, length, expires_at, due_at)
                    SELECT gen_random_uuid(), ('00000000-0000-0000-0000-00000000000' || i)::uuid,
                        1, 4, now(), now() FROM generate_series(1, 3) i;
                """)
            _ = try await connection.query(
                "INSERT INTO schema_migrations (number, name, checksum) VALUES (1, $1, $2)",
                [Schema.migrations[0].name, Schema.checksum(of: Schema.migrations[0].sql)])
            #expect(try await migrator.run() == Schema.migrations.dropFirst().map(\.number))
            let rows = try await connection.query(
                "SELECT node, instance_no FROM instances ORDER BY instance")
            #expect(try rows.map { try $0.get(0, as: String?.self) } == ["b", nil, nil])
            #expect(Set(try rows.map { try $0.get(1, as: Int64.self) }).count == 3)
            // Secrets of live downloads are not among those that wait for a retry.
            let secrets = try await connection.query("SELECT kept_until FROM download_secrets")
            #expect(try secrets.map { try $0.get(0, as: TimestampValue?.self) } == [nil])
        }
    }

    /// Makes the schema of an earlier version.
    private static func apply(
        upTo number: Int, _ connection: PostgresConnection
    ) async throws {
        try await connection.script(
            """
            CREATE TABLE schema_migrations (number int PRIMARY KEY, name text NOT NULL,
                checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
            """)
        for migration in Schema.migrations where migration.number <= number {
            try await connection.script(migration.sql)
            _ = try await connection.query(
                "INSERT INTO schema_migrations (number, name, checksum) VALUES ($1, $2, $3)",
                [Int32(migration.number), migration.name, migration.checksum])
        }
    }

    /// Sessions and endpoints of a database at 0011 hear what is new, where they named no types.
    @Test func sessionsAndEndpointsGetTheNewEvents() async throws {
        try await withMigrator { migrator, connection, _ in
            try await Self.apply(upTo: 11, connection)
            try await connection.script(
                """
                INSERT INTO sessions (app_no, identifier, configuration) VALUES
                    (1, 'a', '{"webhook_url": "https://h.example/"}'),
                    (1, 'b', '{"webhook_url": "https://h.example/", "webhook_events": ["*"]}'),
                    (1, 'c', '{"webhook_url": "https://h.example/", "webhook_events":
                        ["download.failed"]}');
                INSERT INTO webhook_endpoints (app_no, id, event_mask, events, url) VALUES
                    (1, gen_random_uuid(), 64, NULL, 'https://h.example/'),
                    (1, gen_random_uuid(), 0, ARRAY['session.*'], 'https://h.example/'),
                    (1, gen_random_uuid(), 64, ARRAY['download.failed'], 'https://h.example/');
                """)
            _ = try await migrator.run()
            let sessions = try await connection.query(
                "SELECT event_mask, event_url, state, sends_wakes FROM sessions ORDER BY identifier"
            )
            // Who named no events hears of no wakes.
            let all =
                EventType.sessionWake.mask | EventType.sessionEventsFinished.mask
                | EventType.sessionDrained.mask
            #expect(try sessions.map { try $0.get(0, as: Int32.self) } == [0, all, 0, 0])
            #expect(try sessions.compactMap { try $0.get(1, as: String?.self) }.count == 3)
            #expect(try sessions.allSatisfy { try $0.get(2, as: Int16.self) == 0 })
            #expect(try sessions.allSatisfy { try $0.get(3, as: Bool.self) })
            let endpoints = try await connection.query(
                "SELECT event_mask FROM webhook_endpoints ORDER BY endpoint_no")
            #expect(try endpoints.map { try $0.get(0, as: Int32.self) } == [64, all, 64])
        }
    }

    /// Origins of a database at 0014 are reached, and their waiting downloads go on at once.
    @Test func originsOfBeforeAreReached() async throws {
        try await withMigrator { migrator, connection, url in
            try await Self.apply(upTo: 14, connection)
            try await connection.script(
                """
                INSERT INTO origins (origin) VALUES ('https://a:443'), ('https://b:443');
                INSERT INTO gates (kind, key, running, running_limit, not_before)
                    SELECT 1, origin_key, 0, origin_key, now() FROM origins;
                """)
            _ = try await migrator.run()
            let rows = try await connection.query(
                """
                SELECT unreachable_since IS NULL AND probe_at IS NULL, probes, running_limit
                FROM gates WHERE kind = 1 ORDER BY key
                """)
            #expect(try rows.map { try $0.get(0, as: Bool.self) } == [true, true])
            #expect(try rows.map { try $0.get(1, as: Int32.self) } == [0, 0])
            #expect(try rows.map { try $0.get(2, as: Int32.self) } == [1, 2], "what was is kept")
            let pool = ConnectionPool(url: url, size: 1)
            let lab = StoreLab(url: url, pool: pool)
            let ledger = try await lab.register()
            try await lab.submit(2, origin: "https://a:443")
            let claims = try await lab.claim(ledger)
            #expect(claims.count == 1, "its limit")
            #expect(claims.allSatisfy { !$0.isProbe })
            await pool.close()
        }
    }

    /// Live downloads of a database at 0014 are fetched by themselves.
    @Test func downloadsOfBeforeShareNoTransfer() async throws {
        try await withMigrator { migrator, connection, _ in
            try await Self.apply(upTo: 14, connection)
            try await connection.script(
                """
                INSERT INTO queue (id, lane_no, app_no, run_at, session_no, origin_key, state_since,
                        deadline, life_since, class, rank, state)
                    SELECT gen_random_uuid(), 1, 1, now(), 1, 1, now(), now(), now(), 0, 2, s
                    FROM unnest(ARRAY[0, 2, 3]) s;
                """)
            _ = try await migrator.run()
            let rows = try await connection.query(
                "SELECT flight IS NULL AND joined_to IS NULL, state FROM queue ORDER BY state")
            #expect(try rows.map { try $0.get(0, as: Bool.self) } == [true, true, true])
            #expect(try rows.map { try $0.get(1, as: Int16.self) } == [0, 2, 3])
        }
    }

    /// Live downloads of a database at 0016 have no question that is open; endpoints that hear all
    /// of downloads hear questions.
    @Test func downloadsOfBeforeWereAskedNothing() async throws {
        try await withMigrator { migrator, connection, _ in
            try await Self.apply(upTo: 16, connection)
            try await connection.script(
                """
                INSERT INTO queue (id, lane_no, app_no, run_at, session_no, origin_key, state_since,
                        deadline, life_since, class, rank, state, network)
                    SELECT gen_random_uuid(), 1, 1, now(), 1, 1, now(), now(), now(), 0, 2, s, 7
                    FROM unnest(ARRAY[0, 2, 3]) s;
                INSERT INTO webhook_endpoints (app_no, id, event_mask, events, url) VALUES
                    (1, gen_random_uuid(), 64, NULL, 'https://h.example/'),
                    (1, gen_random_uuid(), 64, ARRAY['download.*'], 'https://h.example/');
                """)
            _ = try await migrator.run()
            let endpoints = try await connection.query(
                "SELECT event_mask FROM webhook_endpoints ORDER BY endpoint_no")
            let heard = try endpoints.map { try $0.get(0, as: Int32.self) }
            #expect(heard == [64, 64 | EventType.willBegin.mask])
            let rows = try await connection.query(
                """
                SELECT hook_asked_at IS NULL AND hook_sequence IS NULL AND network = 7
                FROM queue ORDER BY state
                """)
            #expect(try rows.map { try $0.get(0, as: Bool.self) } == [true, true, true])
        }
    }

    @Test func refusesANewerSchema() async throws {
        try await withMigrator { migrator, connection, url in
            try await migrator.run()
            try await connection.script(
                "INSERT INTO schema_migrations (number, name, checksum) VALUES (900, 'x', 'x')")
            await expectFailure(.refused) { () throws(StoreError) in _ = try await migrator.run() }
            try await expectUnlocked(url)
        }
    }

    @Test func concurrentProcessesMigrateOnce() async throws {
        try await withMigrator { migrator, _, url in
            let other = PostgresConnection(url: url)
            try await other.open()
            async let first = migrator.run()
            async let second = Migrator(connection: other, log: .silent).run()
            let applied = try await (first, second)
            await other.close()
            #expect((applied.0 + applied.1).sorted() == Schema.migrations.map(\.number))
        }
    }

    /// A refusal must not keep the next process out for as long as this connection lives.
    private func expectUnlocked(_ url: String) async throws {
        let other = PostgresConnection(url: url)
        try await other.open()
        let free = try await other.query("SELECT pg_try_advisory_lock(5497853284)")[0]
            .get(0, as: Bool.self)
        await other.close()
        #expect(free)
    }
}
