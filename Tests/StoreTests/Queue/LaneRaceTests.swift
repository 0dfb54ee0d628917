// Creates, claims, ends and the removal of lanes at once: no lane sleeps while a row waits in it.
import Base
import Downloads
import Postgres
import Store
import Testing

@Suite struct LaneRaceTests {
    /// Few lanes that become empty again and again, so that most commits meet at one of them.
    @Test(arguments: [1, 2, 3])
    func noLaneSleepsOverARowThatWaits(seed: UInt64) async throws {
        try await StoreLab.with(connections: 10) { lab in
            let ledgers = [
                try await lab.register(), try await lab.register(), try await lab.register(),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (place, ledger) in ledgers.enumerated() {
                    group.addTask { try await work(lab, ledger, seed: seed * 100 + UInt64(place)) }
                }
                for place in UInt64(0)..<3 {
                    group.addTask { try await create(lab, seed: seed * 1000 + place) }
                }
                group.addTask { try await forget(lab, rounds: 150) }
                group.addTask {
                    for _ in 0..<150 {
                        let wrong = try await lab.wrongLanes()
                        #expect(wrong == [])
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await lab.wrongLanes() == [])
            #expect(try await lab.wrongGates() == 0)
            // Every waiting row is found.
            var rounds = 0
            while try await lab.number("SELECT count(*) FROM queue") > 0, rounds < 50 {
                let claims = try await lab.claim(ledgers[0])
                _ = try await ledgers[0].finish(claims.map { lab.end($0, .succeeded) })
                rounds += 1
            }
            #expect(try await lab.number("SELECT count(*) FROM queue") == 0)
            #expect(try await lab.downloads.queue.auditQueued() == 0)
        }
    }

    private func create(_ lab: StoreLab, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let intake = Intake(pool: lab.pool)
        for _ in 0..<120 {
            let origin = "https://o\(random.next() % 2).example:443"
            if random.next() % 3 == 0 {
                let drafts = try (0..<3).map { try lab.draft(origin: "https://o\($0).example:443") }
                _ = try await intake.submit(batch: drafts, idempotency: nil)
            } else {
                _ = try await intake.submit(lab.draft(origin: origin))
            }
        }
    }

    private func work(_ lab: StoreLab, _ ledger: Ledger, seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<120 {
            let claims = try await lab.claim(ledger, total: 1 + Int(random.next() % 6))
            let now = try await lab.now()
            let runs = claims.map { claim in
                let outcome: RunOutcome =
                    random.next() % 4 == 0 ? .retryScheduled : .succeeded
                var run = lab.end(claim, outcome, at: now)
                if run.outcome == .retryScheduled {
                    run.runAt = now + .milliseconds(Int64(random.next() % 20))
                    run.download.nextAttemptAt = run.runAt
                }
                return run
            }
            _ = try await ledger.finish(runs)
        }
    }

    private func forget(_ lab: StoreLab, rounds: Int) async throws {
        for _ in 0..<rounds {
            _ = try await lab.pool.query(
                "SELECT lull_forget_lanes(0, 1000, clock_timestamp() + interval '1 h')")
            _ = try await lab.downloads.queue.sumQueued(limit: 100)
        }
    }
}
