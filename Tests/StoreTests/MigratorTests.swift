// The schema: applied once, in order, and never over a schema that this program does not know.
import Base
import Downloads
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

    /// Another first file, or another text of it: the database is not changed.
    @Test(arguments: [
        "(1, '0001_tables.sql', 'x'), (2, '0002_functions.sql', 'y')",
        "(1, '0001_schema.sql', 'x'), (33, '0033_endpoint_requests.sql', 'y')",
        "(1, '0001_schema.sql', 'x')",
    ])
    func aDatabaseOfAnEarlierCommitIsRefused(files: String) async throws {
        try await withMigrator { migrator, connection, url in
            try await connection.script(
                """
                CREATE TABLE schema_migrations (number int PRIMARY KEY, name text, checksum text);
                INSERT INTO schema_migrations VALUES \(files);
                CREATE TABLE downloads (id uuid); INSERT INTO downloads VALUES (gen_random_uuid());
                """)
            await #expect {
                _ = try await migrator.run()
            } throws: { error in
                (error as? StoreError)?.description.contains("use another database") ?? false
            }
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
