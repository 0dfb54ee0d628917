// The engine's properties in a few worlds; `scripts/simulate policy` runs many, optimized.
import Testing

@testable import PolicyWorlds

@Suite struct PolicyWorldTests {
    @Test(arguments: PolicyProperty.allCases)
    func thePropertyHoldsInEveryWorld(_ property: PolicyProperty) throws {
        for seed in 1...8 as ClosedRange<UInt64> {
            let violation = try property.check(seed: seed).violation
            #expect(violation == nil, "seed \(seed)")
        }
    }

    /// A simulation without any trouble in it proves nothing.
    @Test func everyTroubleHappens() throws {
        let seen = try (0..<48 as Range<UInt64>).reduce(into: Set<String>()) {
            $0.formUnion(try DiceReplica.check(seed: $1).seen)
        }
        #expect(
            seen.isSuperset(of: [
                "crash", "empty claim", "claim of unknown outcome", "early order", "late end",
                "void claim",
            ]))
    }

    @Test func aSeedReproducesItsWorld() throws {
        for seed in 0..<4 as Range<UInt64> {
            let (first, second) = try (DiceReplica.world(seed: seed), DiceReplica.world(seed: seed))
            #expect(first.now == second.now)
            #expect(first.runs == second.runs)
            #expect(first.store.heads() == second.store.heads())
        }
    }

    /// Some of the mutants that a few worlds detect.
    @Test(arguments: [
        EngineMutant.ignoresTheFirstRule, .takesSoftForHard, .ignoresPushes, .ignoresEnds,
    ])
    func aMutantIsCaught(_ mutant: EngineMutant) throws {
        let isCaught = try (1...100 as ClosedRange<UInt64>).contains {
            try PolicyProperty.catches(mutant, seed: $0)
        }
        #expect(isCaught)
    }

    /// Faults in shares, and in a replica's knowledge of lanes.
    @Test(arguments: FairMutant.allCases)
    func aFaultOfSharesIsCaught(_ mutant: FairMutant) throws {
        let isCaught = try (1...60 as ClosedRange<UInt64>).contains {
            try PolicyProperty.catches(mutant, seed: $0)
        }
        #expect(isCaught)
    }
}
