// Random claims, reports, ends and deaths of two replicas: budgets count exactly the bytes that
// came.
import Base
import Downloads
import Postgres
import Scheduling
import Store
import Support
import Testing

@Suite struct BudgetWorldTests {
    private static let mebi: Int64 = 1 << 20
    private static let size = 1536 * mebi

    private struct Run {
        let claim: ClaimedDownload
        let replica: Int
        var received: Int64 = 0
        /// The period whose counter counts the run.
        var period: Int
    }

    private struct World {
        let budgets: BudgetLab
        var replicas: [Ledger]
        var runs: [Run] = []
        var random: SeededGenerator
        /// Hours since the beginning of the world.
        var period = 0
        /// The bytes that came in each period.
        var came: [Int: Int64] = [:]

        var lab: StoreLab { budgets.lab }
        var now: Timestamp { Timestamp(seconds: 1_900_000_800 + Int64(period) * 3600) }

        mutating func dice(_ range: ClosedRange<Int64>) -> Int64 {
            Int64.random(in: range, using: &random)
        }

        mutating func claim() async throws {
            let place = Int(dice(0...Int64(replicas.count - 1)))
            let answer = try await budgets.claim(
                replicas[place], total: Int(dice(1...4)), at: now)
            for claim in answer.runs {
                runs.append(Run(claim: claim, replica: place, period: period))
            }
        }

        /// The bytes of a step: never more than a chunk.
        mutating func arrive(_ place: Int) -> Int64 {
            let bytes = dice(0...64) * mebi
            runs[place].received += bytes
            return bytes
        }

        mutating func report() async throws {
            for (number, ledger) in replicas.enumerated() {
                let places = runs.indices.filter { runs[$0].replica == number }
                guard !places.isEmpty else { continue }
                for place in places {
                    came[period, default: 0] += arrive(place)
                    runs[place].period = period
                }
                let whole = runs[places[0]].claim.need
                let list = places.map { (runs[$0].claim, received: runs[$0].received) }
                let refused = try await budgets.settle(ledger, list, whole: whole, at: now).refused
                for id in refused { try await end(id, bytes: 0, .retryScheduled) }
            }
        }

        mutating func end(
            _ id: Identifier, bytes: Int64, _ outcome: RunOutcome
        ) async throws {
            guard let place = runs.firstIndex(where: { $0.claim.download.id == id }) else { return }
            var run = runs.remove(at: place)
            run.received += bytes
            came[run.period, default: 0] += bytes
            var end = budgets.lab.end(run.claim, outcome)
            (end.received, end.sent) = (run.received, 0)
            let accepted = try await replicas[run.replica].finish([end])
            #expect(accepted == [id])
        }

        /// A replica dies and another takes its place; bytes since its last report are not counted.
        mutating func die() async throws {
            let place = Int(dice(0...Int64(replicas.count - 1)))
            _ = try await lab.pool.query(
                "UPDATE replicas SET expires_at = now() - interval '1 s' WHERE replica_no = $1",
                [replicas[place].replica])
            replicas[place] = try await lab.register()
            while try await replicas[place].reap() > 0 {}
            runs.removeAll { $0.replica == place }
        }
    }

    @Test(arguments: 0..<6)
    func whatIsSpentIsWhatCame(_ seed: UInt64) async throws {
        try await StoreLab.with { lab in
            let budgets = try BudgetLab(
                lab,
                """
                [{"name": "hard", "bytes": \(Self.size), "per": "hour", "scope": "deployment",
                  "hard": true},
                 {"name": "soft", "bytes": \(Self.size / 2), "per": "hour", "scope": "session"}]
                """)
            var world = World(
                budgets: budgets,
                replicas: [try await lab.register(), try await lab.register()],
                random: SeededGenerator(seed: seed))
            for _ in 0..<12 {
                let bytes = world.dice(0...300) * Self.mebi
                try await lab.submit(
                    1, ["count_of_bytes_client_expects_to_receive": .integer(bytes)],
                    origin: "https://o\(world.dice(1...3)).example:443")
            }
            for step in 0..<45 {
                switch world.dice(0...11) {
                case 0...4: try await world.claim()
                case 5...8: try await world.report()
                case 9:
                    if let run = world.runs.first {
                        let bytes = world.dice(0...64) * Self.mebi
                        let outcome: RunOutcome =
                            world.dice(0...1) == 0 ? .retryScheduled : .succeeded
                        try await world.end(run.claim.download.id, bytes: bytes, outcome)
                    }
                case 10: try await world.die()
                default: world.period += 1
                }
                let place = "seed \(seed), step \(step)"
                #expect(try await budgets.wrongCounters() == 0, "\(place)")
                for name in ["hard", "soft"] {
                    try await check(world, name, place)
                }
            }
            for run in world.runs {
                try await world.end(run.claim.download.id, bytes: 0, .canceled)
            }
            #expect(try await budgets.sums("hard").reserved == 0)
            #expect(try await budgets.sums("soft").reserved == 0)
        }
    }

    private func check(_ world: World, _ name: String, _ place: String) async throws {
        let rows = try await world.lab.pool.query(
            """
            SELECT ((extract(epoch FROM starts_at) - 1900000800) / 3600)::int, spent
            FROM budget_counters WHERE budget = $1
            """, [name])
        var counted: [Int: Int64] = [:]
        for row in rows {
            let period = Int(try row.get(0, as: Int32.self))
            counted[period, default: 0] += try row.get(1, as: Int64.self)
        }
        #expect(counted.filter { $0.value > 0 } == world.came.filter { $0.value > 0 }, "\(place)")
        guard name == "hard" else { return }
        let chunks = Int64(world.runs.count + 1) * BudgetDemand.leastChunk
        for spent in counted.values { #expect(spent <= Self.size + chunks, "\(place)") }
    }
}
