// The program behind scripts/simulate: worlds from seeds, and mutants that must be caught.
import Glibc
import Simulation

@main struct Simulate {
    private static let chunk: UInt64 = 100
    private static let seedsForAMutant: UInt64 = 2000

    static func main() async {
        let words = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let count = words.first ?? 10_000
        let first = words.dropFirst().first ?? 1
        var (steps, broken) = (0, 0)
        await withTaskGroup(of: [Outcome].self) { group in
            for start in stride(from: first, to: first + count, by: Int(chunk)) {
                group.addTask { run(start..<min(start + chunk, first + count)) }
            }
            for await part in group {
                for world in part {
                    steps += world.steps
                    guard let violation = world.violation else { continue }
                    broken += 1
                    print("seed \(world.seed): \(violation)")
                }
            }
        }
        print("\(count) worlds, \(steps) steps, \(broken) broken")
        let missed = await mutants()
        exit(broken == 0 && missed == 0 ? 0 : 1)
    }

    /// How a world ended.
    private struct Outcome {
        let seed: UInt64
        let steps: Int
        let violation: String?
    }

    private static func run(_ seeds: Range<UInt64>) -> [Outcome] {
        seeds.map { seed in
            let world = World.run(seed: seed)
            return Outcome(seed: seed, steps: world.count, violation: world.violation)
        }
    }

    /// Says by which seed each mutant is caught.
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
