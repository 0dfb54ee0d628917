// A world in the form that the program for the bounds reads.
import Foundation

/// The part of a world that no scheduler can change: capacities, prices and the movable downloads.
struct WorldDump: Codable {
    let seed: UInt64
    let utilisation: Double
    let hours: Int
    let slots: Int
    let perOrigin: Int
    /// Discretionary downloads of the counted weeks, without those that EDF misses.
    let downloads: [WorldDownload]
    /// The bytes that the link has for these downloads in each hour, beside normal work.
    let link: [Double]
    /// For each origin the bytes that one transfer gets in each hour.
    let rates: [[Double]]
    let prices: [Double]
    let isPeak: [Bool]

    init(_ world: World) {
        seed = world.seed
        utilisation = world.utilisation
        let hours = World.minutes / 60 + 4 * 24
        self.hours = hours
        slots = World.slots
        perOrigin = World.perOrigin
        let edf = Simulation.run(world, EDF())
        let missed = Set(
            edf.jobs.filter { ($0.ended ?? .max) > $0.download.deadline }.map(\.download.number))
        downloads = world.downloads.filter {
            $0.isDiscretionary && World.counted.contains($0.created) && !missed.contains($0.number)
        }
        link = (0..<hours).map { hour in
            let carried = (0..<60).reduce(0) { $0 + world.link(hour * 60 + $1) }
            return max(0, carried - edf.normalBytes[hour])
        }
        rates = (0..<World.origins).map { origin in
            (0..<hours).map { hour in
                (0..<60).reduce(0) { $0 + world.rate(ofOrigin: origin, hour * 60 + $1) }
            }
        }
        prices = (0..<hours).map { world.price($0 * 60) }
        isPeak = (0..<hours).map { World.isPeak($0 * 60) }
    }

    /// Writes one file for each seed.
    static func write(seeds: Int, utilisation: Double, folder: String) throws {
        for seed in 1...seeds {
            let dump = WorldDump(World(seed: UInt64(seed), utilisation: utilisation))
            let name = "world-\(seed)-\(Int((utilisation * 100).rounded())).json"
            let path = URL(fileURLWithPath: folder).appendingPathComponent(name)
            try JSONEncoder().encode(dump).write(to: path)
        }
    }
}
