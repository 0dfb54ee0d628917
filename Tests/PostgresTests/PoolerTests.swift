// Sessions behind a pooler in transaction mode: the settings of one transaction do not reach the
// next.
import Postgres
import Support
import Testing

@Suite struct PoolerTests {
    private static var options: ConnectionOptions {
        var options = ConnectionOptions(timeout: .seconds(9))
        options.adaptToTransactionPooling()
        return options
    }

    /// The settings of the session outside of transactions with settings of their own.
    private static let session = """
        SELECT (SELECT bool_and(setting = reset_val) FROM pg_settings
                WHERE name IN ('statement_timeout', 'lock_timeout', 'jit')) AS is_reset,
            (SELECT count(*) FROM pg_prepared_statements) AS prepared,
            (SELECT count(*) FROM pg_locks
                WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks
        """

    @Test func eachStatementHasItsLimitsAndLeavesNothing() async throws {
        try await TestDatabase.with { database in
            let pooled = PostgresConnection(url: database.url, options: Self.options)
            try await pooled.open()
            let shown = """
                SELECT current_setting('statement_timeout'), current_setting('lock_timeout'), $1
                """
            for _ in 0..<3 {
                let row = try await pooled.query(shown, [7])[0]
                #expect(try row.get(0, as: String.self) == "8100ms")
                #expect(try row.get(1, as: String.self) == "4500ms")
                #expect(try row.get(2, as: Int64.self) == 7)
            }
            let batch = try await pooled.query(
                batch: [Statement(shown, [1]), Statement(shown, [2])])
            #expect(try batch.map { try $0[0].get(0, as: String.self) } == ["8100ms", "8100ms"])
            #expect(try batch.map { try $0[0].get(2, as: Int64.self) } == [1, 2])
            let inside = try await pooled.transaction { transaction throws(PostgresError) in
                try await transaction.query(shown, [3])[0].get(0, as: String.self)
            }
            #expect(inside == "8100ms")
            // The session without limits of its own, as another client of the pooler gets it.
            try await pooled.script("CREATE TABLE left_behind AS " + Self.session)
            let row = try await pooled.query("SELECT * FROM left_behind")[0]
            #expect(try row.get(0, as: Bool.self))
            #expect(try row.get(1, as: Int64.self) == 0 && row.get(2, as: Int64.self) == 0)
            await pooled.close()
        }
    }

    @Test func failuresAreThoseOfTheStatement() async throws {
        try await withConnection(options: Self.options) { connection in
            let error = await #expect(throws: PostgresError.self) {
                _ = try await connection.query("SELECT 1 / $1", [0])
            }
            #expect(error?.code == .statementFailed && error?.sqlState == "22012")
            #expect(try await connection.query("SELECT $1", [5])[0].get(0, as: Int64.self) == 5)
            // The limit applies to the next statement in this round trip.
            var hurried = Self.options
            hurried.statementTimeoutMilliseconds = 20
            try await withConnection(options: hurried) { late in
                let error = await #expect(throws: PostgresError.self) {
                    _ = try await late.query("SELECT pg_sleep($1)", [30.0])
                }
                #expect(error?.sqlState == "57014")
            }
        }
    }
}
