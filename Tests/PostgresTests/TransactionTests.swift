// The ways in which a transaction ends.
import Postgres
import Support
import Testing

@Suite struct TransactionTests {
    private func withTable(
        _ body: (PostgresConnection) async throws -> Void
    ) async throws {
        try await withConnection { connection in
            try await connection.script(
                "CREATE TABLE t (a int UNIQUE DEFERRABLE INITIALLY DEFERRED)")
            try await body(connection)
        }
    }

    private func count(_ connection: PostgresConnection) async throws -> Int {
        try await connection.query("SELECT count(*) FROM t")[0].get(0)
    }

    @Test func commitsABodyThatReturns() async throws {
        try await withTable { connection in
            let value = try await connection.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query("INSERT INTO t VALUES ($1)", [1])
                try await transaction.script("INSERT INTO t VALUES (2); INSERT INTO t VALUES (3)")
                return 42
            }
            #expect(value == 42)
            #expect(try await count(connection) == 3)
        }
    }

    @Test func rollsBackABodyThatThrows() async throws {
        try await withTable { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction { transaction throws(PostgresError) in
                    _ = try await transaction.query("INSERT INTO t VALUES (1)")
                    _ = try await transaction.query("SELECT 1 / 0")
                }
            }
            #expect(error?.sqlState == "22012")
            let left = try await count(connection)
            #expect(left == 0)
        }
    }

    @Test func rollsBackOnRequest() async throws {
        try await withTable { connection in
            let value = try await connection.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query("INSERT INTO t VALUES (1)")
                await transaction.rollBackAtEnd()
                return "refused"
            }
            #expect(value == "refused")
            #expect(try await count(connection) == 0)
            try await connection.transaction { step throws(PostgresError) in
                _ = try await step.query("INSERT INTO t VALUES (1)")
            }
            #expect(try await count(connection) == 1)
        }
    }

    @Test func aSwallowedFailureIsNotACommit() async throws {
        try await withTable { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction { transaction throws(PostgresError) in
                    do { _ = try await transaction.query("SELECT 1 / 0") } catch {}
                }
            }
            #expect(error?.code == .rolledBack)
            let left = try await count(connection)
            #expect(left == 0)
        }
    }

    @Test func aRefusedCommitIsAFailedStatement() async throws {
        try await withTable { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction { transaction throws(PostgresError) in
                    try await transaction.script(
                        "INSERT INTO t VALUES (1); INSERT INTO t VALUES (1)")
                }
            }
            #expect(error?.code == .statementFailed && error?.isUniqueViolation == true)
            let left = try await count(connection)
            #expect(left == 0)
        }
    }

    @Test func aConnectionLostBeforeCommitIsRolledBack() async throws {
        try await withTable { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction { transaction throws(PostgresError) in
                    _ = try await transaction.query("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(error?.code == .connectionLost && error?.isRetryable == true)
        }
    }

    @Test func aConnectionLostDuringCommitIsOutcomeUnknown() async throws {
        try await withTable { connection in
            try await connection.script(
                """
                CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS
                'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
                CREATE CONSTRAINT TRIGGER d AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
                FOR EACH ROW EXECUTE FUNCTION die()
                """)
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction { transaction throws(PostgresError) in
                    _ = try await transaction.query("INSERT INTO t VALUES (1)")
                }
            }
            #expect(error?.code == .outcomeUnknown && error?.isRetryable == false)
        }
    }

    @Test func serializationFailuresAreRetryable() async throws {
        try await TestDatabase.with { database in
            let pool = ConnectionPool(url: database.url, size: 2)
            try await pool.script("CREATE TABLE n (v int); INSERT INTO n VALUES (0)")
            let error = await #expect(throws: PostgresError.self) {
                try await pool.transaction { transaction throws(PostgresError) in
                    try await transaction.script(
                        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
                    _ = try await transaction.query("SELECT v FROM n")
                    _ = try await pool.query("UPDATE n SET v = 1")
                    _ = try await transaction.query("UPDATE n SET v = 2")
                }
            }
            #expect(error?.sqlState == "40001" && error?.isRetryable == true)
            let written = await #expect(throws: PostgresError.self) {
                try await pool.transaction { step throws(PostgresError) in
                    try await step.script("SET TRANSACTION READ ONLY")
                    _ = try await step.query("DELETE FROM n")
                }
            }
            #expect(written?.sqlState == "25006")
            await pool.close()
        }
    }
}
