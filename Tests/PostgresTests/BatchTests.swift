// Many statements in one round trip: all take effect, or none.
import Postgres
import Support
import Testing

@Suite struct BatchTests {
    @Test(arguments: [true, false])
    func batchResultsAreInOrderAndTextsPreparedOnce(prepares: Bool) async throws {
        var options = ConnectionOptions()
        options.preparesStatements = prepares
        options.preparedStatementsMax = 4
        try await withConnection(options: options) { connection in
            try await connection.script("CREATE TABLE t (a bigint, b text)")
            let statements =
                (0..<100).map { Statement("INSERT INTO t VALUES ($1, $2)", [$0, "row \($0)"]) }
                + (0..<10).map { Statement("SELECT \($0)::int8 + count(*) FROM t") }
            for _ in 0..<2 {
                let rows = try await connection.query(batch: statements)
                #expect(rows.count == 110)
                #expect(rows.prefix(100).allSatisfy { $0.affected == 1 && $0.isEmpty })
                let total = try rows[100][0].get(0, as: Int.self)
                #expect(
                    try rows.dropFirst(100).map { try $0[0].get(0, as: Int.self) }
                        == (0..<10).map { total + $0 })
            }
            let count = try await connection.query("SELECT count(*) FROM t")
            #expect(try count[0].get(0) == 200)
            let known = try await connection.query("SELECT count(*) FROM pg_prepared_statements")
            #expect(try known[0].get(0) == (prepares ? 4 : 0))
            #expect(try await connection.query(batch: []).isEmpty)
        }
    }

    @Test func aFailedStatementRollsBackTheBatch() async throws {
        try await withConnection { connection in
            try await connection.script("CREATE TABLE t (a int)")
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query(batch: [
                    Statement("INSERT INTO t VALUES (1)"), Statement("SELECT 1 / $1", [0]),
                    Statement("INSERT INTO t VALUES (2)"),
                ])
            }
            #expect(error?.code == .statementFailed && error?.sqlState == "22012")
            let left = try await connection.query(batch: [Statement("SELECT count(*) FROM t")])
            #expect(try left[0][0].get(0) == 0)
        }
    }

    @Test func aBatchInATransactionIsPartOfIt() async throws {
        try await withConnection { connection in
            try await connection.script("CREATE TABLE t (a int)")
            let error = await #expect(throws: PostgresError.self) {
                try await connection.transaction { transaction throws(PostgresError) in
                    _ = try await transaction.query(batch: [Statement("INSERT INTO t VALUES (1)")])
                    _ = try await transaction.query(batch: [Statement("SELECT 1 / 0")])
                }
            }
            #expect(error?.sqlState == "22012")
            let left = try await connection.query("SELECT count(*) FROM t")
            #expect(try left[0].get(0) == 0)
        }
    }

    @Test func aStalePlanIsPreparedAgain() async throws {
        try await withConnection { connection in
            let batch = [Statement("SELECT $1", [5])]
            _ = try await connection.query(batch: batch)
            try await connection.script("DEALLOCATE ALL")
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query(batch: batch)
            }
            #expect(error?.sqlState == "26000" && error?.isRetryable == true)
            let second = try await connection.query(batch: batch)
            #expect(try second[0][0].get(0) == 5)
        }
    }

    @Test func aLostConnectionDuringABatchIsOutcomeUnknown() async throws {
        try await withConnection { connection in
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query(batch: [
                    Statement("SELECT 1"),
                    Statement("SELECT pg_terminate_backend(pg_backend_pid())"),
                    Statement("SELECT 2"),
                ])
            }
            #expect(error?.code == .outcomeUnknown)
            #expect(await !connection.isOpen)
        }
    }
}
