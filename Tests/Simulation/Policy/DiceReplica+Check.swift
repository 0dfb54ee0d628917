// Runs two hundred steps of a world, and checks the forbidden states after each.
import Base
import Scheduling
import Simulation

extension DiceReplica {
    private static let steps = 200

    private static func policies() throws -> [Policy] {
        let tight = PolicyLimits(running: 3, perOrigin: 2, perSession: 3)
        var narrow = Policy(limits: tight)
        narrow.limits.running = 1
        let nightly = try Policy.parse(
            [
                "windows": ["night": ["22:00-06:00"]],
                "rules": [
                    [
                        "name": "at-night", "match": ["is_discretionary": true],
                        "require": ["window night"],
                    ]
                ],
            ], defaults: tight
        ) { _ in true }.get()
        return [Policy(limits: tight), narrow, nightly]
    }

    /// The world of a seed after its steps.
    static func world(seed: UInt64) throws -> DiceReplica {
        var world = DiceReplica(seed: seed, policies: try policies())
        for _ in 0..<steps where world.violations.isEmpty { world.step() }
        return world
    }

    /// Runs a world, and ends it by a drain or by letting all work end.
    ///
    /// - Returns: what was seen, and the kinds of trouble that it had.
    static func check(seed: UInt64) throws -> (check: PropertyCheck, seen: Set<String>) {
        var world = try world(seed: seed)
        if world.violations.isEmpty {
            if seed % 3 == 0 { world.drain() } else { world.finish() }
        }
        var check = PropertyCheck()
        check.count(world.seen.count)
        check.expect(world.violations.isEmpty, world.violations.joined(separator: "; "))
        return (check, world.seen)
    }

    /// Ends the faults, and checks that all waiting work runs and ends, with or without windows.
    private mutating func finish() {
        // In worlds with windows every wake is late, because a night would take ten thousand polls.
        let lateness: Duration = conductor.policy.rules.isEmpty ? .zero : .seconds(600)
        for _ in 0..<5000 where store.live > 0 {
            endElsewhere()
            store.endSuspended()
            answer()
            endRun()
            now = max(now, wakeAt) + lateness
            deliver(.ticked)
            guard violations.isEmpty else { return }
        }
        if store.live > 0 { violations.append("work is left for ever") }
    }

    /// Drains, and checks that nothing is claimed afterwards and that every run was told to yield.
    private mutating func drain() {
        deliver(.drained)
        isDrained = true
        for _ in 0..<50 {
            answer()
            if runs.values.contains(where: \.isEmpty) {
                violations.append("a run goes on after the drain")
            }
            endRun()
            guard violations.isEmpty else { return }
        }
        if conductor.runningCount != 0 { violations.append("runs are left") }
    }
}
