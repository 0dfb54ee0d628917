// The program behind scripts/simulate: worlds from seeds, and mutants that must be detected. With
// `digest` before the numbers: prints one number over all events of the worlds, and runs no
// mutants. With `policy` before them: runs worlds of the engine, for each of its properties, and
// its mutants.
import Glibc
import Simulation

@main struct Simulate {
    private static let chunk: UInt64 = 100
    private static let seedsForAMutant: UInt64 = 2000

    static func main() async {
        let words = CommandLine.arguments.dropFirst()
        let numbers = words.compactMap { UInt64($0) }
        let count = numbers.first ?? 10_000
        let first = numbers.dropFirst().first ?? 1
        if words.first == "policy" {
            await PolicyRun(seeds: first..<first + count).run()
        }
        var (steps, broken, digest) = (0, 0, 0 as UInt64)
        await withTaskGroup(of: [Outcome].self) { group in
            for start in stride(from: first, to: first + count, by: Int(chunk)) {
                group.addTask { run(start..<min(start + chunk, first + count)) }
            }
            for await part in group {
                for world in part {
                    steps += world.steps
                    // A sum does not depend on the order in which parts end.
                    digest &+= (world.seed ^ world.trace) &* 0x9e37_79b9_7f4a_7c15
                    guard let violation = world.violation else { continue }
                    broken += 1
                    print("seed \(world.seed): \(violation)")
                }
            }
        }
        if words.first == "digest" {
            print(digest)
            exit(broken == 0 ? 0 : 1)
        }
        print("\(count) worlds, \(steps) steps, \(broken) broken")
        let missed = await mutants()
        print("\(Mutant.allCases.count) mutants, \(missed) not caught")
        exit(broken == 0 && missed == 0 ? 0 : 1)
    }

    /// The end of a world.
    private struct Outcome {
        let seed: UInt64
        let steps: Int
        let trace: UInt64
        let violation: String?
    }

    private static func run(_ seeds: Range<UInt64>) -> [Outcome] {
        seeds.map { seed in
            let world = World.run(seed: seed)
            return Outcome(
                seed: seed, steps: world.count, trace: world.trace, violation: world.violation)
        }
    }

    /// Prints the seed by which each mutant is detected.
    ///
    /// - Returns: how many were not.
    private static func mutants() async -> Int {
        await withTaskGroup(of: (Mutant, String?).self) { group in
            for mutant in Mutant.allCases {
                group.addTask {
                    for seed in 1...seedsForAMutant {
                        guard let words = World.run(seed: seed, mutant: mutant).violation else {
                            continue
                        }
                        return (mutant, "seed \(seed): \(words)")
                    }
                    return (mutant, nil)
                }
            }
            var missed = 0
            for await (mutant, words) in group {
                print("mutant \(mutant): \(words ?? "not caught")")
                if words == nil { missed += 1 }
            }
            return missed
        }
    }
}
