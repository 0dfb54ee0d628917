// A link that drops all bytes: every call ends, with the right kind of error.
import Postgres
import Support
import Testing

@Suite struct SilentLinkTests {
    /// The call that a caller may be in the middle of.
    enum Call: CaseIterable {
        case query, unprepared, script, batch, transaction, commit

        var code: PostgresError.Code {
            self == .transaction ? .connectionLost : .outcomeUnknown
        }

        /// Whether a statement is the one at which the link falls silent.
        func isMeant(_ statement: String) -> Bool {
            self == .commit ? statement == "COMMIT" : statement.contains("here")
        }

        func make(_ pool: ConnectionPool) async throws(PostgresError) {
            switch self {
            case .query, .unprepared: _ = try await pool.query("SELECT 1 AS here")
            case .script: try await pool.script("SELECT 1 AS here")
            case .batch:
                _ = try await pool.query(batch: [
                    Statement("SELECT 1"), Statement("SELECT 2 AS here"),
                ])
            case .transaction, .commit:
                try await pool.transaction { transaction throws(PostgresError) in
                    _ = try await transaction.query("SELECT 1")
                    _ = try await transaction.query("SELECT 2 AS here")
                }
            }
        }
    }

    @Test(arguments: Call.allCases, [true, false])
    func callsTimeOutOnASilentLink(call: Call, isHeard: Bool) async throws {
        try await TestDatabase.with { database in
            let link = try DatabaseLink(to: database.url)
            defer { link.close() }
            var options = ConnectionOptions(timeout: .milliseconds(500))
            options.preparesStatements = call != .unprepared
            let pool = ConnectionPool(url: link.url, size: 2, options: options)
            // The statement is prepared before, so that the silence meets the statement itself.
            try await call.make(pool)
            link.follow {
                call.isMeant($0) ? (isHeard ? .fallSilentBehind : .fallSilent) : .pass
            }
            let error = await #expect(throws: PostgresError.self) { try await call.make(pool) }
            #expect(error?.code == call.code, "\(error?.description ?? "")")
            #expect(await pool.health().idle == 0, "no connection over the link is kept")
            link.restore()
            try await call.make(pool)
            await pool.close()
        }
    }

    @Test func openingTimesOutOnASilentLink() async throws {
        try await TestDatabase.with { database in
            let link = try DatabaseLink(to: database.url) { _ in .fallSilent }
            defer { link.close() }
            var limits = PoolLimits()
            limits.waitMilliseconds = 300
            let pool = ConnectionPool(
                url: link.url, size: 1, options: ConnectionOptions(timeout: .seconds(5)),
                limits: limits)
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("SELECT 1")
            }
            #expect(error?.code == .poolTimeout)
            link.restore()
            let isBack = try await eventually {
                do throws(PostgresError) {
                    return try await pool.query("SELECT 1").count == 1
                } catch {
                    #expect(error.isRetryable)
                    return false
                }
            }
            #expect(isBack)
            await pool.close()
        }
    }

    @Test(arguments: [
        ("53100", true), ("53200", true), ("57014", true), ("58030", true), ("25006", true),
        ("40001", true), ("55P03", true), ("57P01", true), ("08006", true),
        ("22021", false), ("23505", false), ("42601", false), ("25P02", false), ("57000", false),
    ])
    func serverShortagesAreRetryable(state: String, isRetryable: Bool) {
        let error = PostgresError(.statementFailed, "x", sqlState: state)
        #expect(error.isRetryable == isRetryable)
    }
}
