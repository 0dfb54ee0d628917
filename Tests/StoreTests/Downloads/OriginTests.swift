// Origins are told apart by their names: the answers and the state of one do not count for another.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct OriginTests {
    private static let first = "https://first.example:443"
    private static let second = "https://second.example:443"

    private func waiting(_ lab: StoreLab, each count: Int) async throws -> Ledger {
        try await lab.submit(count, origin: Self.first)
        try await lab.submit(count, origin: Self.second)
        return try await lab.register()
    }

    @Test func eachOriginHasItsLimit() async throws {
        try await StoreLab.with { lab in
            let ledger = try await waiting(lab, each: 3)
            let heads = try await lab.heads(ledger)
            #expect(Set(heads.map(\.originKey)).count == 2)
            let limits = PolicyLimits(perOrigin: 2)
            let claims = try await lab.claim(ledger, limits: limits)
            #expect(claims.count == 4)
            for origin in [Self.first, Self.second] {
                #expect(claims.filter { $0.download.url.hasPrefix(origin) }.count == 2)
            }
            #expect(try await lab.wrongGates() == 0)
        }
    }

    @Test func retryAfterBlocksOnlyItsOrigin() async throws {
        try await StoreLab.with { lab in
            let ledger = try await waiting(lab, each: 2)
            let limits = PolicyLimits(perOrigin: 1)
            let claims = try await lab.claim(ledger, limits: limits)
            #expect(claims.count == 2)
            for claim in claims {
                var run = lab.end(claim, .failed)
                if claim.download.url.hasPrefix(Self.first) {
                    run.coolOrigin = try await lab.now() + .seconds(600)
                }
                #expect(try await ledger.finish([run]).count == 1)
            }
            let left = try await lab.claim(ledger, limits: limits)
            #expect(left.map(\.download.url) == [Self.second + "/file"])
            let cooling = try await ledger.pushbacks([Self.first, Self.second], app: 1)
            #expect(cooling.keys.sorted() == [Self.first])
        }
    }

    @Test func concurrentIntakesNumberAnOriginOnce() async throws {
        try await StoreLab.with { lab in
            let names = (0..<12).map { "https://o\($0).example:443" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<24 {
                    group.addTask {
                        // A new intake knows no origin yet.
                        let intake = Intake(pool: lab.pool)
                        var random = SeededGenerator(seed: UInt64(number))
                        for name in names.shuffled(using: &random) {
                            _ = try await intake.submit(lab.draft(origin: name))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let wrong = try await lab.number(
                """
                SELECT count(*) FROM downloads d JOIN origins o USING (origin_key)
                WHERE d.url <> o.origin || '/file'
                """)
            #expect(wrong == 0)
            #expect(try await lab.number("SELECT count(*) FROM origins") == 12)
            #expect(try await lab.number("SELECT count(*) FROM gates WHERE kind = 1") == 12)
            #expect(try await lab.number("SELECT count(*) FROM lanes") == 12)
            #expect(try await lab.wrongLanes() == [])
        }
    }
}
