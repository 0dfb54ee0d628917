// The bounds that no plan can beat, as bounds.py computed them.
import Foundation

/// The optima of one world's linear programs.
struct Bounds: Codable, Sendable {
    let seed: UInt64
    let utilisation: Double
    /// The gigabytes that the plans carry.
    let gigabytes: Double
    /// The cost of the cheapest plan.
    let cost: Double
    /// Percent of the bytes at peak in the plan with the fewest.
    let peak: Double

    /// The cost of the plan with the fewest bytes at peak.
    let costOfLeastPeak: Double
    /// Percent of the bytes at peak in the cheapest plan.
    let peakOfLeastCost: Double

    enum CodingKeys: String, CodingKey {
        case seed, utilisation, gigabytes, cost, peak
        case costOfLeastPeak = "cost_of_least_peak"
        case peakOfLeastCost = "peak_of_least_cost"
    }

    /// Whether the bounds were computed for this world, not for another with an equal seed.
    func belong(to world: World) -> Bool {
        let bytes = WorldDump(world).downloads.reduce(0) { $0 + $1.bytes }
        return abs(bytes / 1e9 - gigabytes) < 0.01
    }

    /// Reads the file of all bounds, and gives those of a utilisation by seed.
    static func read(_ path: String, utilisation: Double) throws -> [UInt64: Bounds] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let all = try JSONDecoder().decode([Bounds].self, from: data)
        return Dictionary(
            all.filter { $0.utilisation == utilisation }.map { ($0.seed, $0) },
            uniquingKeysWith: { $1 })
    }
}
