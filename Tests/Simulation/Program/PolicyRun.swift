// Checks every property of the engine in many worlds, and that every fault of it is detected.
import Glibc
import PolicyWorlds

/// A run over the worlds of some seeds.
struct PolicyRun {
    private static let chunk: UInt64 = 25
    private static let seedsForAMutant: UInt64 = 1000
    let seeds: Range<UInt64>

    /// A property in the worlds of some seeds.
    private struct Part {
        let property: PolicyProperty
        var cases = 0
        /// The worlds that violated the property.
        var broken: [String] = []
    }

    /// Ends the process: with 0 if all properties hold, each was tested, and every fault is
    /// detected.
    func run() async -> Never {
        var parts: [PolicyProperty: Part] = [:]
        await withTaskGroup(of: Part.self) { group in
            for property in PolicyProperty.allCases {
                for start in stride(
                    from: seeds.lowerBound, to: seeds.upperBound, by: Int(Self.chunk))
                {
                    group.addTask {
                        Self.check(property, start..<min(start + Self.chunk, seeds.upperBound))
                    }
                }
            }
            for await part in group {
                parts[part.property, default: Part(property: part.property)].cases += part.cases
                parts[part.property]?.broken += part.broken
            }
        }
        var isGood = true
        for property in PolicyProperty.allCases {
            guard let part = parts[property] else { continue }
            print("\(property): \(part.cases) cases, \(part.broken.count) worlds broken")
            for words in part.broken.prefix(5) { print("    \(words)") }
            isGood = isGood && part.broken.isEmpty && part.cases > 0
        }
        let missed = await mutants()
        let count = seeds.count
        print("\(count) worlds of each of \(PolicyProperty.allCases.count) properties")
        let faults = EngineMutant.allCases.count + FairMutant.allCases.count
        print("\(faults) mutants, \(missed) not caught")
        exit(isGood && missed == 0 ? 0 : 1)
    }

    private static func check(_ property: PolicyProperty, _ seeds: Range<UInt64>) -> Part {
        var part = Part(property: property)
        for seed in seeds {
            do {
                let check = try property.check(seed: seed)
                part.cases += check.cases
                if let words = check.violation { part.broken.append("seed \(seed): \(words)") }
            } catch {
                part.broken.append("seed \(seed): \(error)")
            }
        }
        return part
    }

    private static func isCaught(_ body: () throws -> Bool) -> Bool {
        do {
            return try body()
        } catch {
            return false
        }
    }

    /// Prints the seed by which each mutant is detected.
    ///
    /// - Returns: how many were not.
    private func mutants() async -> Int {
        await withTaskGroup(of: (String, UInt64?).self) { group in
            for mutant in EngineMutant.allCases {
                group.addTask {
                    let seed = (1...Self.seedsForAMutant).first { seed in
                        Self.isCaught { try PolicyProperty.catches(mutant, seed: seed) }
                    }
                    return (mutant.rawValue, seed)
                }
            }
            for mutant in FairMutant.allCases {
                group.addTask {
                    let seed = (1...Self.seedsForAMutant).first { seed in
                        Self.isCaught { try PolicyProperty.catches(mutant, seed: seed) }
                    }
                    return (mutant.rawValue, seed)
                }
            }
            var missed = 0
            for await (mutant, seed) in group {
                print("mutant \(mutant): \(seed.map { "seed \($0)" } ?? "not caught")")
                if seed == nil { missed += 1 }
            }
            return missed
        }
    }
}
