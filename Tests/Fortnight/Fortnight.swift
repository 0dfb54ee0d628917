// The program behind scripts/fortnight: policies over simulated fortnights, one table.
import Foundation

@main struct Fortnight {
    /// `run` prints the table and draws pictures; `forecast` scores forecasts, `limits` what could
    /// be forecast at best; `dump` writes worlds for bounds.py.
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
        case "run":
            guard let seeds = words.popFirst().flatMap(Int.init), seeds > 0,
                let utilisation = words.popFirst().flatMap(Double.init)
            else { return usage() }
            try run(seeds: seeds, utilisation: utilisation, pictures: words.popFirst())
        case "forecast":
            guard let seeds = words.popFirst().flatMap(Int.init), seeds > 0,
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

    private static func run(seeds: Int, utilisation: Double, pictures: String?) throws {
        let bounds = try Bounds.read("Tests/Fortnight/bounds.json", utilisation: utilisation)
        var table = Table()
        for seed in 1...UInt64(seeds) {
            let world = World(seed: seed, utilisation: utilisation)
            let outcomes = outcomes(of: world)
            let bound = bounds[seed]
            precondition(bound?.belong(to: world) != false, "bounds.json is of other worlds")
            table.add(outcomes, bounds: bound)
            if seed == 1, let pictures {
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

    private static func outcomes(of world: World) -> [Outcome] {
        [
            Simulation.run(world, FIFO()), Simulation.run(world, Cron()),
            Simulation.run(world, EDF()),
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
            "usage: Fortnight run SEEDS UTILISATION [FOLDER] | forecast SEEDS UTILISATION | "
                + "limits SEEDS UTILISATION FUTURES | "
                + "dump FOLDER SEEDS UTILISATION...")
    }
}
