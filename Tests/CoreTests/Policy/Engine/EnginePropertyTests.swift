// Properties of the engine over random worlds, after every step; and that they see faults.
import Foundation
import Testing

@testable import Core

@Suite struct EnginePropertyTests {
    /// A fifth of the worlds of each run; more with LULL_POLICY_WORLDS.
    private static let worlds: UInt64 = {
        let given = ProcessInfo.processInfo.environment["LULL_POLICY_WORLDS"]
        return (given.flatMap { UInt64($0) } ?? 200) / 5
    }()

    /// Nothing begins that the verdict holds back, no slot stays free while something is open, and
    /// there are never more runs than slots.
    @Test(arguments: 0..<5 as Range<UInt64>)
    func theEngineDoesWhatTheVerdictSays(_ part: UInt64) throws {
        var begun = 0
        for seed in part * Self.worlds..<(part + 1) * Self.worlds {
            let world = try EngineWorld.run(seed: seed)
            guard world.violation == nil else {
                Issue.record("seed \(seed): \(world.violation ?? "")")
                return
            }
            begun += world.trace.count
        }
        #expect(begun > Int(Self.worlds))
    }

    @Test(arguments: EngineMutant.allCases)
    func everyMutantIsCaught(_ mutant: EngineMutant) throws {
        for seed in 0..<100 as Range<UInt64>
        where try EngineWorld.run(seed: seed, mutant: mutant).violation != nil { return }
        Issue.record("nothing sees \(mutant)")
    }

    /// Two weeks later in the same half of the year, under other names of rules, and with the
    /// rules in the opposite order, the same begins at the same time.
    @Test(arguments: [
        EngineVariant(shift: .seconds(14 * 86_400)), EngineVariant(prefix: "x-"),
        EngineVariant(isReversed: true),
    ])
    func theOrderIsTheSame(_ variant: EngineVariant) throws {
        for seed in 0..<20 as Range<UInt64> {
            let plain = try EngineWorld.run(seed: seed, steps: 25)
            let other = try EngineWorld.run(seed: seed, steps: 25, variant: variant)
            guard plain.trace == other.trace else {
                Issue.record("seed \(seed): \(plain.trace.count) and \(other.trace.count)")
                return
            }
        }
    }
}
