// Plans that serve all values, and the times at which they are made again.
import Support
import Testing

@testable import Postgres

@Suite struct PlanReuseTests {
    private static let counts = """
        SELECT generic_plans, custom_plans FROM pg_prepared_statements WHERE statement = $1
        """

    /// A statement of which a plan for one value is cheaper than one for an unknown number.
    private static let look = """
        SELECT count(*) FROM unnest($1::bigint[]) u(key) JOIN plan_reuse r ON r.key = u.key
        """

    private static func plans(
        reused: Bool
    ) async throws -> (generic: Int64, custom: Int64) {
        var options = ConnectionOptions()
        options.reusesPlans = reused
        return try await withConnection(options: options) { connection in
            try await connection.script(
                """
                CREATE TABLE plan_reuse (key bigint PRIMARY KEY);
                INSERT INTO plan_reuse SELECT generate_series(1, 100000);
                ANALYZE plan_reuse;
                """)
            for key in 1...12 as ClosedRange<Int64> {
                let row = try await connection.query(look, [[key]])[0]
                #expect(try row.get(0, as: Int64.self) == 1)
            }
            let row = try await connection.query(counts, [look])[0]
            return (try row.get(0), try row.get(1))
        }
    }

    @Test func aSessionThatReusesPlansMakesNoneForTheValuesOfACall() async throws {
        let reused = try await Self.plans(reused: true)
        #expect(reused.custom == 0 && reused.generic == 12)
        // Without reuse the server plans each of these calls.
        let others = try await Self.plans(reused: false)
        #expect(others.custom > 0)
    }

    @Test func plansAreUsedTwiceAsLongEachTimeUpToABound() {
        var age = PlanExpiry(from: 0)
        var (now, last): (Int64, Int64) = (0, 0)
        var spans: [Int64] = []
        while spans.count < 12 {
            now += 2_000_000
            if age.isOver(at: now) {
                spans.append((now - last) / 1_000_000_000)
                last = now
            }
        }
        #expect(spans == [1, 2, 4, 8, 16, 32, 64, 64, 64, 64, 64, 64])
    }

    /// One call an hour keeps its plans; the first calls of a crowd after that get new ones.
    @Test func plansOfASessionThatRestsAreMadeAnewAfterSomeCalls() {
        var age = PlanExpiry(from: 0)
        let hour: Int64 = 3_600_000_000_000
        let calls = (1...Int64(3 * PlanExpiry.callsAtLeast)).map { age.isOver(at: $0 * hour) }
        let renewed = calls.indices.filter { calls[$0] }
        #expect(renewed == [PlanExpiry.callsAtLeast, 2 * PlanExpiry.callsAtLeast + 1])
    }

    /// A prepared statement stays so: only its plan is forgotten.
    @Test func statementsStayPreparedWhenPlansAreForgotten() async throws {
        var options = ConnectionOptions()
        options.reusesPlans = true
        try await TestDatabase.with { database in
            let pool = ConnectionPool(url: database.url, size: 1, options: options)
            try await pool.withConnection { connection throws(PostgresError) in
                try await connection.agePlans()
            }
            for number in 0..<Int64(2 * PlanExpiry.callsAtLeast) {
                let row = try await pool.query("SELECT $1::bigint", [number])[0]
                #expect(try row.get(0, as: Int64.self) == number)
            }
            let prepared = try await pool.withConnection { connection throws(PostgresError) in
                (count: await connection.preparedCount, age: await connection.planExpiry)
            }
            #expect(prepared.count == 1)
            // The plans were forgotten once, and are young again.
            var age = try #require(prepared.age)
            let isOver = (0..<PlanExpiry.callsAtLeast + 1).map { _ in age.isOver(at: 0) }
            #expect(!isOver.contains(true))
            await pool.close()
        }
    }
}

extension PostgresConnection {
    /// Makes its plans an hour old.
    fileprivate func agePlans() throws(PostgresError) {
        planExpiry = PlanExpiry(from: -3_600_000_000_000)
    }
}
