// The directory of lanes: the head of each lane, whatever waits behind it.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct LanesTests {
    @Test func lanesReturnTheirHeads() async throws {
        try await StoreLab.with { lab in
            let other = try #require(
                await Sessions(pool: lab.pool).put(
                    app: 1, identifier: "other", configuration: SessionConfiguration()
                ).record
            ).key
            let a = "https://a.example:443"
            let b = "https://b.example:443"
            try await lab.submit(3, origin: a)
            try await lab.submit(2, origin: b)
            try await lab.submit(1, origin: a, session: other)
            try await lab.submit(1, ["is_discretionary": true], origin: a)
            try await lab.submit(1, ["priority": 1.0], origin: a)
            try await lab.submit(1, ["suspended": true], origin: "https://c.example:443")
            let ledger = try await lab.register()
            let now = try await lab.now()
            let heads = try await lab.heads(ledger)
            #expect(heads.count == 5)
            #expect(Set(heads.map(\.lane)).count == 5)
            #expect(heads.filter { $0.session == "other" }.map(\.sessionKey) == [other])
            #expect(heads.count { $0.schedulingClass == .discretionary } == 1)
            #expect(heads.count { $0.rank == 0 } == 1)
            #expect(heads.allSatisfy { $0.runAt <= now })
            #expect(heads.allSatisfy { $0.origin.running == 0 && $0.sessionGate.running == 0 })
            let first = try await lab.pool.query("SELECT min(run_at) FROM queue")[0]
                .get(0, as: TimestampValue.self).timestamp
            #expect(heads.map(\.runAt).min() == first)
        }
    }

    @Test func lanesReturnTheirGates() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3)
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger, total: 2).count == 2)
            _ = try await lab.pool.query("UPDATE gates SET running_limit = 7 WHERE kind = 1")
            let head = try #require(await lab.heads(ledger).first)
            #expect(head.origin.running == 2)
            #expect(head.origin.limit == 7)
            #expect(head.origin.notBefore == nil)
            #expect(head.sessionGate.running == 2)
            #expect(head.sessionGate.limit == nil)
        }
    }

    @Test func emptyLanesReturnTheDatabaseTime() async throws {
        try await StoreLab.with { lab in
            let before = try await lab.now()
            let (page, now) = try await lab.register().lanes()
            #expect(page == LanePage(heads: []))
            #expect(now >= before)
        }
    }
}
