// A session: errors as the server names them, prepared statements, scripts.
import Postgres
import Support
import Testing

@Suite struct PostgresConnectionTests {
    @Test func errorsHaveTheServersSQLSTATEAndMessage() async throws {
        try await withConnection { connection in
            try await connection.script(
                """
                CREATE TABLE parent (id bigint PRIMARY KEY);
                CREATE TABLE child (parent bigint CONSTRAINT has_parent REFERENCES parent);
                INSERT INTO parent VALUES (1)
                """)
            let twice = await #expect(throws: PostgresError.self) {
                try await connection.query("INSERT INTO parent VALUES ($1)", [1])
            }
            #expect(twice?.code == .statementFailed && twice?.sqlState == "23505")
            #expect(twice?.isUniqueViolation == true && twice?.isConstraintViolation == true)
            #expect(twice?.constraint == "parent_pkey")
            #expect(twice?.detail == "Key (id)=(1) already exists.")
            #expect(twice?.isRetryable == false)

            let orphan = await #expect(throws: PostgresError.self) {
                try await connection.query("INSERT INTO child VALUES (2)")
            }
            #expect(orphan?.isForeignKeyViolation == true && orphan?.constraint == "has_parent")

            let division = await #expect(throws: PostgresError.self) {
                try await connection.query("SELECT 1 / $1", [Int32(0)])
            }
            #expect(division?.sqlState == "22012" && division?.isDataException == true)

            let syntax = await #expect(throws: PostgresError.self) {
                try await connection.query("SELEC 1")
            }
            #expect(syntax?.sqlState == "42601")
            #expect(try await connection.query("SELECT 1").count == 1)
        }
    }

    @Test func statementTimeoutCancels() async throws {
        var options = ConnectionOptions()
        options.statementTimeoutMilliseconds = 50
        try await withConnection(options: options) { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query("SELECT pg_sleep(60)")
            }
            #expect(error?.sqlState == "57014")
        }
    }

    @Test func theSessionHasTheSettingsOfItsOptions() async throws {
        var options = ConnectionOptions()
        options.applicationName = "tested"
        options.lockTimeoutMilliseconds = 1234
        try await withConnection(options: options) { connection in
            for (name, value) in [
                ("application_name", "tested"), ("statement_timeout", "30s"),
                ("lock_timeout", "1234ms"), ("idle_in_transaction_session_timeout", "30s"),
                ("jit", "off"), ("TimeZone", "UTC"), ("client_min_messages", "warning"),
            ] {
                let rows = try await connection.query("SELECT current_setting($1)", [name])
                #expect(try rows[0].get(0, as: String.self) == value)
            }
        }
    }

    @Test func behindAPoolerTimeoutsAreSetInTransactions() async throws {
        var options = ConnectionOptions()
        options.preparesStatements = false
        options.keepsSettingsInTransactions = true
        options.lockTimeoutMilliseconds = 1234
        try await withConnection(options: options) { connection in
            let show = "SELECT current_setting('lock_timeout'), $1"
            let outside = try await connection.query(show, ["x"])
            #expect(try outside[0].get(0, as: String.self) == "1234ms")
            let inside = try await connection.transaction { step throws(PostgresError) in
                try await step.query(show, ["x"])
            }
            #expect(try inside[0].get(0, as: String.self) == "1234ms")
            // A script sets nothing itself, so it shows the settings of the session.
            try await connection.script(
                "CREATE TABLE after AS SELECT current_setting('lock_timeout')")
            let after = try await connection.query("SELECT * FROM after")
            #expect(try after[0].get(0, as: String.self) == "0")
            #expect(await connection.preparedCount == 0)
            let known = try await connection.query("SELECT count(*) FROM pg_prepared_statements")
            #expect(try known[0].get(0, as: Int.self) == 0)
        }
    }

    @Test func statementsArePreparedOnceAndTheOldestDeallocated() async throws {
        var options = ConnectionOptions()
        options.preparedStatementsMax = 3
        try await withConnection(options: options) { connection in
            for turn in 0..<10 {
                #expect(try await connection.query("SELECT $1", [turn])[0].get(0) == turn)
            }
            #expect(await connection.preparedCount == 1)
            _ = try await connection.query("SELECT $1", ["the same text with another type"])
            #expect(await connection.preparedCount == 2)
            for number in 0..<20 { _ = try await connection.query("SELECT \(number)") }
            #expect(await connection.preparedCount == 3)
            let known = try await connection.query("SELECT count(*) FROM pg_prepared_statements")
            #expect(try known[0].get(0, as: Int.self) == 3)
        }
    }

    @Test func aDeallocatedStatementIsPreparedAgain() async throws {
        try await withConnection { connection in
            #expect(try await connection.query("SELECT $1", [1])[0].get(0) == 1)
            try await connection.script("DEALLOCATE ALL")
            #expect(try await connection.query("SELECT $1", [2])[0].get(0) == 2)
        }
    }

    @Test func aStatementSurvivesANewColumn() async throws {
        try await withConnection { connection in
            try await connection.script("CREATE TABLE t (a int); INSERT INTO t VALUES (1)")
            #expect(try await connection.query("SELECT * FROM t").columns == ["a"])
            try await connection.script("ALTER TABLE t ADD b int")
            #expect(try await connection.query("SELECT * FROM t").columns == ["a", "b"])
        }
    }

    @Test func aScriptIsOneTransaction() async throws {
        try await withConnection { connection in
            await #expect(throws: PostgresError.self) {
                try await connection.script("CREATE TABLE t (a int); SELECT 1 / 0")
            }
            let found = try await connection.query("SELECT to_regclass('t') IS NULL")
            #expect(try found[0].get(0, as: Bool.self))
        }
    }

    @Test func anUnreachableServerIsConnectionFailed() async throws {
        for url in [
            "postgresql://127.0.0.1:1/x?connect_timeout=2", "postgresql:///x?host=/nowhere",
            "not a url", "postgresql:///x?no_such_keyword=1",
        ] {
            let connection = PostgresConnection(url: url)
            let error = await #expect(throws: PostgresError.self) { try await connection.open() }
            #expect(error?.code == .connectionFailed && error?.isRetryable == true)
            let later = await #expect(throws: PostgresError.self) {
                try await connection.query("SELECT 1")
            }
            #expect(later?.code == .connectionLost)
        }
    }

    @Test func aConnectionLostDuringAStatementIsOutcomeUnknown() async throws {
        try await withConnection { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query("SELECT pg_terminate_backend(pg_backend_pid())")
            }
            #expect(error?.code == .outcomeUnknown && error?.isRetryable == false)
            #expect(error?.message.contains("terminating connection") == true)
            #expect(await !connection.isOpen)
        }
    }
}
