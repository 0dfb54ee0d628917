// Limits of the deployment, of apps, sessions and origins hold over replicas.
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct GateTests {
    /// A limit for each kind of gate; one of them is the narrow one.
    private static let table: [PolicyLimits] = [
        PolicyLimits(running: 7, perOrigin: 1000),
        PolicyLimits(perOrigin: 1000, perApp: 5),
        PolicyLimits(perOrigin: 1000, perSession: 3),
        PolicyLimits(perOrigin: 2),
        PolicyLimits(running: 9, perOrigin: 3, perSession: 4, perApp: 6),
    ]

    @Test(arguments: table.indices)
    func limitsHoldOverThreeReplicas(_ place: Int) async throws {
        let limits = Self.table[place]
        try await StoreLab.with(connections: 10) { lab in
            let sessions = try await sessions(lab)
            for number in 0..<3 {
                for session in sessions {
                    try await lab.submit(
                        8, origin: "https://o\(number).example:443", session: session.key,
                        app: session.app)
                }
            }
            let ledgers = [
                try await lab.register(), try await lab.register(), try await lab.register(),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, ledger) in ledgers.enumerated() {
                    group.addTask {
                        try await work(lab, ledger, limits, seed: UInt64(place * 10 + number))
                    }
                }
                group.addTask {
                    for _ in 0..<60 { try await check(lab, limits) }
                }
                try await group.waitForAll()
            }
            try await check(lab, limits)
            #expect(try await lab.wrongGates() == 0)
            // No place stays empty: the downloads that are left fill the narrowest gate again.
            for ledger in ledgers { try await ledger.unregister() }
            let last = try await lab.register()
            for _ in 0..<4 { _ = try await claim(lab, last, limits, total: 100) }
            let running = try await lab.number("SELECT count(*) FROM queue WHERE state = 1")
            #expect(running == Int64(Self.most[place]))
        }
    }

    /// Two apps, three sessions, three origins.
    private static let most = [7, 10, 9, 6, 9]

    private func sessions(_ lab: StoreLab) async throws -> [(key: Int64, app: Int64)] {
        _ = try await APIKeys(pool: lab.pool).create(app: "second", digest: [1])
        let rows = try await lab.pool.query(
            """
            INSERT INTO sessions (app_no, identifier) VALUES (1, 'more');
            """)
        #expect(rows.count == 0)
        return try await lab.pool.query("SELECT session_no, app_no FROM sessions ORDER BY 1")
            .map { (try $0.get(0), try $0.get(1)) }
    }

    private func claim(
        _ lab: StoreLab, _ ledger: Ledger, _ limits: PolicyLimits, total: Int
    ) async throws -> [ClaimedDownload] {
        let heads = try await lab.heads(ledger)
        var apps: [Int64: Int] = [:]
        for head in heads { apps[head.app] = limits.app(head.appName) }
        let quotas = heads.map { LaneQuota(head: $0, count: total) }
        return try await ledger.claim(
            ClaimOrder(quotas, total: total, appLimits: apps), limits: limits
        ).runs
    }

    private func work(
        _ lab: StoreLab, _ ledger: Ledger, _ limits: PolicyLimits, seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        var held: [ClaimedDownload] = []
        for _ in 0..<20 {
            held += try await claim(lab, ledger, limits, total: 1 + Int(random.next() % 5))
            guard let one = held.first, random.next() % 2 == 0 else { continue }
            held.removeFirst()
            _ = try await ledger.widen(
                by: Int(random.next() % 3), one.download.id, fence: one.fence, limits: limits)
            var run = lab.end(one, .retryScheduled, at: try await lab.now())
            run.download.nextAttemptAt = run.runAt
            _ = try await ledger.finish([run])
        }
    }

    private func check(_ lab: StoreLab, _ limits: PolicyLimits) async throws {
        let most = try await lab.pool.query(
            """
            SELECT coalesce(max(n) FILTER (WHERE kind = 1), 0),
                coalesce(max(n) FILTER (WHERE kind = 2), 0),
                coalesce(max(n) FILTER (WHERE kind = 3), 0),
                coalesce(max(n) FILTER (WHERE kind = 4), 0)
            FROM (
                SELECT 1 AS kind, sum(1 + extra_streams) AS n FROM queue WHERE state = 1
                    GROUP BY origin_key
                UNION ALL
                SELECT 2, sum(1 + extra_streams) FROM queue WHERE state = 1 GROUP BY session_no
                UNION ALL
                SELECT 3, sum(1 + extra_streams) FROM queue WHERE state = 1 GROUP BY app_no
                UNION ALL
                SELECT 4, count(*) FROM queue WHERE state = 1) z
            """)[0]
        #expect(try most.get(0, as: Int64.self) <= Int64(limits.perOrigin))
        #expect(try most.get(1, as: Int64.self) <= Int64(limits.perSession ?? .max))
        #expect(try most.get(2, as: Int64.self) <= Int64(limits.perApp ?? .max))
        #expect(try most.get(3, as: Int64.self) <= Int64(limits.running ?? .max))
    }

    @Test func ownLimitsOfAppsAndSessionsOnlyLower() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(9)
            let keys = APIKeys(pool: lab.pool)
            let ledger = try await lab.register()
            for (app, session, expected) in [(3, 9, 3), (9, 4, 4), (9, 9, 5), (0, 9, 0)] {
                var change = AppLimitChange()
                change.running = .most(Int32(app))
                #expect(try await keys.limit(app: "default", change)?.running == Int32(app))
                let isKnown = try await Sessions(pool: lab.pool).put(
                    app: 1, identifier: "default",
                    configuration: SessionConfiguration.limited(session))
                #expect(isKnown.record != nil)
                let claims = try await lab.claim(
                    ledger, limits: PolicyLimits(perOrigin: 100, perSession: 5))
                #expect(claims.count == expected)
                let runs = claims.map { claim in
                    var run = lab.end(claim, .retryScheduled)
                    run.download.nextAttemptAt = run.runAt
                    return run
                }
                _ = try await ledger.finish(runs)
            }
        }
    }
}

extension SessionConfiguration {
    fileprivate static func limited(_ running: Int) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.maxRunning = Int64(running)
        return configuration
    }
}
