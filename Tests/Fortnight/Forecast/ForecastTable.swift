// F1: forecasts of simulated fortnights against the real begins.
import Foundation
import Scheduling

/// The quality of the forecasts of some worlds.
struct ForecastTable {
    struct Row {
        var cases = 0
        var held = 0
        var close = 0
        var rightOpening = 0
        var naiveOpening = 0
        var loss = 0.0
        var naiveLoss = 0.0
        var width = 0.0

        /// A count as a part of the forecasts.
        func part(_ count: Int) -> Double { Double(count) / Double(max(1, cases)) }

        var text: String {
            func percent(_ count: Int) -> String {
                let tenths = Int((1000 * Double(count) / Double(max(1, cases))).rounded())
                return "\(tenths / 10).\(tenths % 10)"
            }
            let ratio = Int((100 * loss / max(1, naiveLoss)).rounded())
            let hundredths = ratio % 100 < 10 ? "0\(ratio % 100)" : "\(ratio % 100)"
            return "\(cases) | \(percent(rightOpening)) | \(percent(naiveOpening)) | "
                + "\(percent(close)) | \(percent(held)) | \(ratio / 100).\(hundredths) | "
                + "\(Int(width / Double(max(1, cases)) / 60))"
        }
    }

    /// The figures over all leads.
    private(set) var all = Row()
    private var groups = ForecastCalibration.bounds.map { _ in Row() }

    /// Runs worlds and prints the table; the results so far go to standard error, world by world.
    static func run(seeds: ClosedRange<UInt64>, utilisation: Double) {
        let table = worlds(seeds.map { World(seed: $0, utilisation: utilisation) }) {
            FileHandle.standardError.write(Data("to seed \($0.seed): | \($1.all.text) |\n".utf8))
        }
        print(table.text)
    }

    /// Runs worlds and prints the best possible forecasts of them: the engine itself runs over
    /// other futures by the world's own laws.
    static func runLimits(seeds: Int, utilisation: Double, futures: Int) {
        let others = (1...UInt64(futures)).map {
            World(seed: 1_000_000 + $0, utilisation: utilisation)
        }
        let worlds = (1...UInt64(seeds)).map { World(seed: $0, utilisation: utilisation) }
        print(ForecastTable.worlds(worlds, others: others).text)
    }

    /// Scores the forecasts in some worlds.
    ///
    /// - Parameters:
    ///   - worlds: the worlds.
    ///   - others: worlds whose downloads come in other futures; empty for the service's
    ///     forecast.
    ///   - report: takes each world that was run, and the table so far.
    /// - Returns: the table.
    static func worlds(
        _ worlds: [World], others: [World] = [],
        report: (World, ForecastTable) -> Void = { _, _ in }
    ) -> ForecastTable {
        var table = ForecastTable()
        for world in worlds {
            var made: [ForecastCase] = []
            let probe = ForecastProbe(
                EngineScheduler(name: "nights, soft", policy: EnginePolicies.nights),
                policy: EnginePolicies.nights, others: others,
                keep: { made = $0 })
            let outcome = Simulation.run(world, probe)
            table.add(made, outcome)
            report(world, table)
        }
        return table
    }

    /// Scores the forecasts of a world in the order of time: each is widened by the misses known
    /// when it was made.
    private mutating func add(_ made: [ForecastCase], _ outcome: Outcome) {
        var calibration = ForecastCalibration()
        let known = made.compactMap { forecast in
            outcome.jobs[forecast.number].began.map { (forecast, came: $0) }
        }
        var open = known.sorted { $0.came < $1.came }[...]
        for (forecast, came) in known {
            while let next = open.first, next.came <= forecast.madeAt {
                calibration.score(
                    next.0.range, came: Double(next.came - next.0.madeAt) * 60,
                    naive: next.0.naive)
                open.removeFirst()
            }
            // Forecasts of the first week only show how far off ranges are.
            guard World.counted.contains(forecast.madeAt) else { continue }
            score(forecast, came: came, calibration.widened(forecast.range))
        }
    }

    private mutating func score(_ forecast: ForecastCase, came minute: Int, _ range: ForecastRange)
    {
        let came = Double(minute - forecast.madeAt) * 60
        let naive = ForecastRange([forecast.naive])
        var row = Row(cases: 1)
        row.held = range.p10 <= came && came <= range.p90 ? 1 : 0
        row.close = abs(range.p50 - came) <= max(1800, 0.2 * came) ? 1 : 0
        func isRight(_ seconds: Double) -> Bool {
            abs(seconds - came) <= 1800
                || ForecastTable.opening(forecast.madeAt + Int(seconds / 60))
                    == ForecastTable.opening(minute)
        }
        row.rightOpening = isRight(range.p50) ? 1 : 0
        row.naiveOpening = isRight(forecast.naive) ? 1 : 0
        row.loss = ForecastCalibration.pinball(range, came)
        row.naiveLoss = ForecastCalibration.pinball(naive, came)
        row.width = range.p90 - range.p10
        ForecastTable.add(row, to: &all)
        ForecastTable.add(row, to: &groups[ForecastCalibration.group(of: range.p50)])
    }

    private static func add(_ row: Row, to sum: inout Row) {
        sum.cases += row.cases
        sum.held += row.held
        sum.close += row.close
        sum.rightOpening += row.rightOpening
        sum.naiveOpening += row.naiveOpening
        sum.loss += row.loss
        sum.naiveLoss += row.naiveLoss
        sum.width += row.width
    }

    /// A number for each span in which the nights are open, and for each hour outside of them.
    private static func opening(_ minute: Int) -> Int {
        func isOpen(_ minute: Int) -> Bool {
            let day = minute / 1440 % 7
            let hour = minute / 60 % 24
            return day >= 5 || hour < 6 || hour >= 22
        }
        guard isOpen(minute) else { return -minute / 60 }
        var hour = minute / 60
        while hour > 0, isOpen((hour - 1) * 60) { hour -= 1 }
        return hour
    }

    /// The table as Markdown.
    private var text: String {
        let names = ["under 1 h", "1 to 6 h", "6 to 16 h", "from 16 h on"]
        var lines = [
            "| lead | forecasts | right opening % | the naive one's % | p50 close % | "
                + "p10 to p90 holds % | pinball / naive | mean width, min |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for (name, row) in zip(names, groups) { lines.append("| \(name) | \(row.text) |") }
        lines.append("| all | \(all.text) |")
        return lines.joined(separator: "\n")
    }
}
