// Two thousand worlds of two hundred steps: what must never be is looked for after each.
import Core
import Synchronization
import Testing

@Suite struct ConductorSimulationTests {
    private static let worlds = 2000
    private static let steps = 200
    private static let parts = 8

    private func policies() throws -> [Policy] {
        let tight = PolicyLimits(running: 3, perOrigin: 2, perSession: 3)
        var narrow = Policy(limits: tight)
        narrow.limits.running = 1
        var nightly = try Policies.nightly()
        nightly.limits = tight
        return [Policy(limits: tight), narrow, nightly]
    }

    @Test(arguments: 0..<parts)
    func simulationNeverStallsNorRunsADownloadTwice(_ part: Int) throws {
        let policies = try policies()
        var seen: Set<String> = []
        for seed in stride(from: part, to: Self.worlds, by: Self.parts) {
            var world = SimulatedReplica(seed: UInt64(seed), policies: policies)
            for step in 0..<Self.steps {
                world.step()
                guard world.violations.isEmpty else {
                    Issue.record("seed \(seed), step \(step): \(world.violations)")
                    return
                }
            }
            if seed % 3 == 0 { drain(&world) } else { finish(&world) }
            guard world.violations.isEmpty else {
                Issue.record("seed \(seed), at the end: \(world.violations)")
                return
            }
            seen.formUnion(world.seen)
        }
        // A simulation that never gets into trouble proves nothing.
        for trouble in [
            "crash", "empty claim", "claim of unknown outcome", "early order", "late end",
            "void claim",
        ] where part % 4 != 0 {
            #expect(seen.contains(trouble), "\(trouble) never happened")
        }
    }

    @Test func sameSeedReproducesTheRun() throws {
        let policies = try policies()
        for seed in UInt64(0)..<20 {
            var first = SimulatedReplica(seed: seed, policies: policies)
            var second = SimulatedReplica(seed: seed, policies: policies)
            for _ in 0..<Self.steps {
                first.step()
                second.step()
            }
            #expect(first.now == second.now)
            #expect(first.runs == second.runs)
            #expect(first.store.heads() == second.store.heads())
        }
    }

    /// With faults over, everything that waits runs and ends, window or not.
    private func finish(_ world: inout SimulatedReplica) {
        // In worlds with windows every wake is late, or the night would take ten thousand polls.
        let lateness: Duration = world.conductor.policy.rules.isEmpty ? .zero : .seconds(600)
        for _ in 0..<5000 where world.store.live > 0 {
            world.endElsewhere()
            world.store.endSuspended()
            world.answer()
            world.endRun()
            world.now = max(world.now, world.wakeAt) + lateness
            world.deliver(.ticked)
            guard world.violations.isEmpty else { return }
        }
        if world.store.live > 0 { world.violations.append("work is left for ever") }
    }

    /// After a drain nothing is asked, and every run was told to give way.
    private func drain(_ world: inout SimulatedReplica) {
        world.deliver(.drained)
        world.isDrained = true
        for _ in 0..<50 {
            world.answer()
            if world.runs.values.contains(where: \.isEmpty) {
                world.violations.append("a run goes on after the drain")
            }
            world.endRun()
            guard world.violations.isEmpty else { return }
        }
        if world.conductor.runningCount != 0 { world.violations.append("runs are left") }
    }
}
