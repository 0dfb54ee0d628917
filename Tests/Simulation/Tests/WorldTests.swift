// Seeded worlds keep every rule, and a world with a fault in it does not.
import Simulation
import Testing

@Suite struct WorldTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func everyRuleHoldsAfterEveryStep(_ part: UInt64) {
        for seed in 1 + 10 * part...10 + 10 * part {
            let world = World.run(seed: seed)
            #expect(world.violation == nil, "seed \(seed)")
            #expect(world.count > 0)
        }
    }

    @Test(arguments: Mutant.allCases.filter { !Mutant.rare.contains($0) })
    func everyMutantIsCaught(_ mutant: Mutant) {
        let caught = (1...100 as ClosedRange<UInt64>).contains {
            World.run(seed: $0, mutant: mutant).violation != nil
        }
        #expect(caught)
    }

    @Test func aSeedReproducesItsWorld() {
        for seed in 1...10 as ClosedRange<UInt64> {
            #expect(World.run(seed: seed).trace == World.run(seed: seed).trace)
        }
        #expect(World.run(seed: 1).trace != World.run(seed: 2).trace)
    }
}
