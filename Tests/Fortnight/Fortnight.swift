// The program behind scripts/fortnight: policies over simulated fortnights, one table.
import Foundation

@main struct Fortnight {
    /// `run` prints the table and draws pictures, `engine` has only the engine's rows; `forecast`
    /// scores forecasts, `limits` scores the best possible forecasts; `dump` writes worlds for
    /// bounds.py.
    static func main() throws {
        var words = CommandLine.arguments.dropFirst()
        switch words.popFirst() {
        case "dump":
            guard let folder = words.popFirst(), let seeds = words.popFirst().flatMap(Int.init)
            else { return usage() }
            for word in words {
                guard let utilisation = Double(word) else { return usage() }
                try WorldDump.write(seeds: seeds, utilisation: utilisation, folder: folder)
            }
        case "engine":
            guard let seeds = words.popFirst().flatMap(seeds),
                let utilisation = words.popFirst().flatMap(Double.init)
            else { return usage() }
            try run(seeds: seeds, utilisation: utilisation, of: engine)
        case "run":
            guard let seeds = words.popFirst().flatMap(seeds),
                let utilisation = words.popFirst().flatMap(Double.init)
            else { return usage() }
            try run(
                seeds: seeds, utilisation: utilisation, of: { baselines(of: $0) + engine(of: $0) },
                pictures: words.popFirst())
        case "forecast":
            guard let seeds = words.popFirst().flatMap(seeds),
                let utilisation = words.popFirst().flatMap(Double.init)
            else { return usage() }
            ForecastTable.run(seeds: seeds, utilisation: utilisation)
        case "limits":
            guard let seeds = words.popFirst().flatMap(Int.init), seeds > 0,
                let utilisation = words.popFirst().flatMap(Double.init),
                let futures = words.popFirst().flatMap(Int.init), futures > 0
            else { return usage() }
            ForecastTable.runLimits(seeds: seeds, utilisation: utilisation, futures: futures)
        default: usage()
        }
    }

    /// Reads a range of worlds: `8` for the first eight, `5-8` for the fifth to the eighth.
    private static func seeds(_ text: String) -> ClosedRange<UInt64>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
        guard ends.count <= 2, let last = ends.last ?? nil,
            let first = ends.count == 1 ? 1 : ends[0],
            0 < first, first <= last
        else { return nil }
        return first...last
    }

    private static func run(
        seeds: ClosedRange<UInt64>, utilisation: Double, of outcomes: (World) -> [Outcome],
        pictures: String? = nil
    ) throws {
        let bounds = try Bounds.read("Tests/Fortnight/bounds.json", utilisation: utilisation)
        var table = Table()
        for seed in seeds {
            let world = World(seed: seed, utilisation: utilisation)
            let outcomes = outcomes(world)
            let bound = bounds[seed]
            precondition(bound?.belong(to: world) != false, "bounds.json is of other worlds")
            table.add(outcomes, bounds: bound)
            FileHandle.standardError.write(Data("to seed \(seed):\n\(table.text)\n".utf8))
            if seed == seeds.lowerBound, let pictures {
                try write(Charts.hours(world, outcomes), pictures, "hours.svg")
                try write(Charts.waits(outcomes), pictures, "waits.svg")
            }
        }
        print(table.text)
        if let pictures { try write(Charts.trade(table.points), pictures, "trade.svg") }
    }

    private static func write(_ text: String, _ folder: String, _ name: String) throws {
        let path = URL(fileURLWithPath: folder).appendingPathComponent(name)
        try Data(text.utf8).write(to: path)
    }

    private static func baselines(of world: World) -> [Outcome] {
        [
            Simulation.run(world, FIFO()), Simulation.run(world, Cron()),
            Simulation.run(world, EDF()),
        ]
    }

    private static func engine(of world: World) -> [Outcome] {
        [
            Simulation.run(
                world, EngineScheduler(name: "nights, soft", policy: EnginePolicies.nights)),
            Simulation.run(
                world, EngineScheduler(name: "off peak, soft", policy: EnginePolicies.offPeak)),
            Simulation.run(
                world, EngineScheduler(name: "least price", policy: EnginePolicies.leastPrice)),
        ]
    }

    private static func usage() {
        print(
            "usage: Fortnight run SEEDS UTILISATION [FOLDER] | engine SEEDS UTILISATION | "
                + "forecast SEEDS UTILISATION | "
                + "limits SEEDS UTILISATION FUTURES | "
                + "dump FOLDER SEEDS UTILISATION...; but for limits and dump SEEDS may be "
                + "FIRST-LAST"
        )
    }
}
