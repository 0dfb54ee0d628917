// The program behind scripts/simulate: worlds from seeds, and mutants that must be caught.
import Glibc
import Simulation

@main struct Simulate {
    static func main() {
        let words = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let count = words.first ?? 10_000
        let first = words.dropFirst().first ?? 1
        var steps = 0
        var broken = 0
        for seed in first..<first + count {
            let world = World.run(seed: seed)
            steps += world.count
            guard let violation = world.violation else { continue }
            broken += 1
            print("seed \(seed): \(violation)")
        }
        print("\(count) worlds, \(steps) steps, \(broken) broken")
        for mutant in Mutant.allCases {
            let caught = (1...2000 as ClosedRange<UInt64>).first {
                World.run(seed: $0, mutant: mutant).violation != nil
            }
            guard let caught else {
                print("mutant \(mutant) was not caught")
                continue
            }
            let words = World.run(seed: caught, mutant: mutant).violation ?? ""
            print("mutant \(mutant): seed \(caught): \(words)")
        }
    }
}
