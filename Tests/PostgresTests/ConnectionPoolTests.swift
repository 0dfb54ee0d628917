// Many tasks, few connections, and servers that go away.
import Postgres
import Support
import Testing

@Suite struct ConnectionPoolTests {
    private func withPool(
        size: Int, limits: PoolLimits = .patient,
        _ body: (ConnectionPool) async throws -> Void
    ) async throws {
        try await TestDatabase.with { database in
            let pool = ConnectionPool(url: database.url, size: size, limits: limits)
            do { try await body(pool) } catch {
                await pool.close()
                throw error
            }
            await pool.close()
        }
    }

    @Test func opensLazilyUpToItsSize() async throws {
        try await withPool(size: 3) { pool in
            #expect(await pool.health().open == 0)
            let pids = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        try await pool.query("SELECT pg_backend_pid(), pg_sleep(0.005)")[0].get(0)
                    }
                }
                return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
            }
            #expect((1...3).contains(pids.count))
            let health = await pool.health()
            #expect(health.open == pids.count && health.idle == pids.count && health.waiting == 0)
        }
    }

    /// A connection that comes back while tasks begin to wait reaches one of them: no task waits
    /// beside an idle connection.
    @Test(arguments: 1...4)
    func noConnectionIsLostBetweenWaitersAndThoseThatComeBack(size: Int) async throws {
        var limits = PoolLimits.patient
        limits.waitersMax = 1000
        try await withPool(size: size, limits: limits) { pool in
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<24 {
                    group.addTask {
                        var count = 0
                        for _ in 0..<100 {
                            let answer: Int64 = try await pool.query("SELECT $1", [Int64(number)])[
                                0
                            ].get(0)
                            if answer == number { count += 1 }
                            if count.isMultiple(of: 7) { await Task.yield() }
                        }
                        return count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(answers == 2400)
            // A connection may still be opened for a task that got another one.
            let isIdle = try await eventually {
                let health = await pool.health()
                return health.idle == health.open && health.waiting == 0
            }
            #expect(isIdle)
            #expect(await pool.health().open <= size)
            #expect(pool.gauge.waiting == 0 && pool.gauge.refusals == 0)
        }
    }

    @Test func aClosedPoolKeepsNothingThatComesBack() async throws {
        try await withPool(size: 2) { pool in
            try await pool.withConnection { connection throws(PostgresError) in
                await pool.close()
                _ = try await connection.query("SELECT 1")
            }
            let isEmpty = try await eventually { pool.gauge.open == 0 && pool.gauge.idle == 0 }
            #expect(isEmpty)
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("SELECT 1")
            }
            #expect(error?.code == .poolClosed)
        }
    }

    @Test func waitsAndRefusalsAreCounted() async throws {
        var limits = PoolLimits()
        limits.waitMilliseconds = 5000
        limits.waitersMax = 1
        try await withPool(size: 1, limits: limits) { pool in
            _ = try await pool.query("SELECT 1")
            let before = pool.gauge.waits
            #expect(pool.gauge.open == 1 && pool.gauge.idle == 1 && pool.gauge.refusals == 0)
            try await pool.withConnection { _ in
                #expect(pool.gauge.idle == 0 && pool.gauge.open == 1)
                await #expect(throws: PostgresError.self) { try await pool.query("SELECT 2") }
            }
            #expect(pool.gauge.waits == before + 1 && pool.gauge.refusals == 1)
            #expect(pool.gauge.waitSeconds > 0 && pool.gauge.waiting == 0)
            let isIdle = try await eventually { pool.gauge.idle == 1 }
            #expect(isIdle)
        }
    }

    @Test func aTerminatedIdleSessionIsReplaced() async throws {
        try await withPool(size: 1) { pool in
            let first = try await pool.query("SELECT pg_backend_pid()")[0].get(0, as: Int32.self)
            try await TestDatabase.with { other in
                let killer = PostgresConnection(url: other.url)
                try await killer.open()
                _ = try await killer.query("SELECT pg_terminate_backend($1)", [first])
                let isGone = try await eventually {
                    try await killer.query(
                        "SELECT FROM pg_stat_activity WHERE pid = $1", [first]
                    ).isEmpty
                }
                #expect(isGone)
                await killer.close()
            }
            let second = try await pool.query("SELECT pg_backend_pid()")[0].get(0, as: Int32.self)
            #expect(second != first)
            #expect(await pool.health().open == 1)
        }
    }

    @Test func aSessionLostDuringAStatementIsReplaced() async throws {
        try await withPool(size: 1) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("SELECT pg_terminate_backend(pg_backend_pid())")
            }
            #expect(error?.code == .outcomeUnknown)
            let left: Int = try await pool.query("SELECT 1")[0].get(0)
            #expect(left == 1)
        }
    }

    @Test func aSessionInATransactionIsNotReused() async throws {
        try await withPool(size: 1) { pool in
            try await pool.script("BEGIN; CREATE TABLE t (a int)")
            let found = try await pool.query("SELECT to_regclass('t') IS NULL")
            #expect(try found[0].get(0, as: Bool.self))
        }
    }

    @Test func waitsForAConnectionTimeOut() async throws {
        var limits = PoolLimits()
        limits.waitMilliseconds = 50
        try await withPool(size: 1, limits: limits) { pool in
            // On a busy machine a connection takes longer to open than a caller waits here.
            let isOpen = try await eventually {
                do throws(PostgresError) {
                    return try await pool.query("SELECT 1").count == 1
                } catch {
                    return false
                }
            }
            #expect(isOpen)
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { _ throws(PostgresError) in
                    _ = try await pool.query("SELECT 1")
                }
            }
            #expect(error?.code == .poolTimeout && error?.isRetryable == true)
            #expect(await pool.health().waiting == 0)
            let left = try await pool.query("SELECT 1").count
            #expect(left == 1)
        }
    }

    @Test func tooManyWaitersAreRefusedAtOnce() async throws {
        var limits = PoolLimits.patient
        limits.waitersMax = 0
        try await withPool(size: 1, limits: limits) { pool in
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { _ throws(PostgresError) in
                    _ = try await pool.query("SELECT 1")
                }
            }
            #expect(error?.code == .poolFull)
        }
    }

    @Test func anUnreachableServerIsReportedAfterTheWait() async throws {
        var limits = PoolLimits()
        limits.waitMilliseconds = 100
        limits.backoffMilliseconds = 10
        let pool = ConnectionPool(url: "postgresql:///x?host=/nowhere", size: 2, limits: limits)
        // A wait that ends before the first attempt has failed reports only the wait.
        let emitsEvent = try await eventually {
            let error = await #expect(throws: PostgresError.self) {
                try await pool.query("SELECT 1")
            }
            #expect(error?.isRetryable == true)
            return error?.code == .connectionFailed
        }
        #expect(emitsEvent)
        #expect(try await eventually { await pool.health().open == 0 })
        let health = await pool.health()
        #expect(health.failures > 0 && health.lastError?.code == .connectionFailed)
    }

    @Test func aClosedPoolRefusesAndEndsItsSessions() async throws {
        try await withPool(size: 2) { pool in
            let during = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { connection throws(PostgresError) in
                    await pool.close()
                    _ = try await connection.query("SELECT 1")
                    _ = try await pool.query("SELECT 1")
                }
            }
            #expect(during?.code == .poolClosed)
            #expect(await pool.health().open == 0)
        }
    }

    @Test func readsDurabilitySettings() async throws {
        try await withPool(size: 1) { pool in
            let settings = try await pool.durabilitySettings()
            #expect(!settings.fsync && !settings.areSafe)  // The test server is fast, not safe.
            #expect(settings.synchronousCommit == "on" && settings.serverVersion >= 150_000)
        }
    }
}
