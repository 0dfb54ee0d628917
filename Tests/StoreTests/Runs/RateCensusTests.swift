// The facts that replicas learn of each other's runs, and of limits that were changed elsewhere.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct RateCensusTests {
    @Test func censusCountsRunsOfAllReplicas() async throws {
        try await StoreLab.with { lab in
            var configuration = SessionConfiguration()
            configuration.maxBytesPerSecond = 5000
            let slow = try #require(
                await Sessions(pool: lab.pool).put(
                    app: 1, identifier: "slow", configuration: configuration
                ).record
            ).key
            try await lab.submit(3, ["max_bytes_per_second": 700])
            try await lab.submit(2, session: slow)
            let (first, second) = (try await lab.register(), try await lab.register())
            let claims = try await lab.claim(first, total: 5)
            #expect(claims.count == 5)
            try await lab.submit(1)
            #expect(try await lab.claim(second).count == 1)
            let origins = Set(claims.map(\.originKey))
            let census = try await second.rateCensus(
                sessions: [1, slow], origins: origins.sorted() + [77], apps: [1, 9],
                downloads: claims.map(\.download.id))
            #expect(census.replicas == 2 && census.running == 6)
            #expect(census.runningOfSessions == [1: 4, slow: 2])
            #expect(census.limitsOfSessions == [slow: 5000])
            #expect(census.runningOfOrigins.values.reduce(0, +) == 6)
            #expect(census.runningOfApps == [1: 6] && census.runningOfClasses == [.normal: 6])
            #expect(census.limitsOfDownloads.count == 3)
            #expect(census.limitsOfDownloads.values.allSatisfy { $0 == 700 })
            let limited = claims.filter { $0.download.spec.maxBytesPerSecond == 700 }
            #expect(limited.count == 3)
        }
    }

    @Test func censusReportsChangedPolicyAndLimits() async throws {
        try await StoreLab.with { lab in
            let (ledger, claim) = try await lab.running(["max_bytes_per_second": 700])
            let old = try #require(await lab.find(claim.download.id)).download
            var new = old
            new.spec.maxBytesPerSecond = 900
            _ = try await lab.downloads.change(old, to: new, origins: nil, app: 1)
            let policies = Policies(pool: lab.pool)
            for _ in 0..<3 {
                _ = try await policies.replace(
                    document: ["bandwidth": "1MiB"])
            }
            let census = try await ledger.rateCensus(
                sessions: [], origins: [], downloads: [claim.download.id])
            #expect(census.limitsOfDownloads == [claim.download.id: 900])
            #expect(try await ledger.heartbeat(lease: .seconds(60)).policyVersion == 3)
            #expect(census.runningOfSessions.isEmpty && census.runningOfOrigins.isEmpty)
        }
    }
}
