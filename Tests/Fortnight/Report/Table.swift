// The table of a run: each scheduler's mean over all seeds, with the least and the greatest.
import Foundation

/// Scores of several worlds beside their bounds.
struct Table {
    private var names: [String] = []
    private var scores: [String: [Score]] = [:]
    private var costs: [String: [Double]] = [:]
    private var bounds: [Bounds] = []

    /// Adds the results of one world.
    mutating func add(_ outcomes: [Outcome], bounds: Bounds?) {
        for score in outcomes.map(Score.init) {
            if scores[score.name] == nil { names.append(score.name) }
            scores[score.name, default: []].append(score)
            if let bounds { costs[score.name, default: []].append(score.cost / bounds.cost) }
        }
        if let bounds { self.bounds.append(bounds) }
    }

    /// The table as Markdown.
    var text: String {
        var lines = [
            "| Policy | missed complete_by % | at peak % | cost (bound = 1) "
                + "| wait discretionary, h | wait normal, min | its p99 |",
            "|---|---|---|---|---|---|---|",
        ]
        for name in names {
            let all = scores[name] ?? []
            lines.append(
                "| \(name) | "
                    + [
                        cell(all.map(\.missed), 2), cell(all.map(\.atPeak), 1),
                        cell(costs[name] ?? [], 2), cell(all.map(\.discretionaryWait), 1),
                        cell(all.map(\.normalWait), 1), cell(all.map(\.normalWaitP99), 0),
                    ].joined(separator: " | ") + " |")
        }
        if !bounds.isEmpty {
            lines.append(
                "| bound: least cost | - | \(cell(bounds.map(\.peakOfLeastCost), 1)) | 1 "
                    + "| - | - | - |")
            let ratios = bounds.map { $0.costOfLeastPeak / $0.cost }
            lines.append(
                "| bound: least at peak | - | \(cell(bounds.map(\.peak), 1)) | "
                    + "\(cell(ratios, 2)) | - | - | - |")
        }
        return lines.joined(separator: "\n")
    }

    /// The means for the picture of misses against cost.
    var points: [(name: String, missed: Double, cost: Double)] {
        names.compactMap { name in
            guard let all = scores[name], let cost = costs[name] else { return nil }
            return (
                name, all.map(\.missed).reduce(0, +) / Double(all.count),
                cost.reduce(0, +) / Double(cost.count)
            )
        }
    }

    /// The mean, with the least and the greatest in brackets.
    private func cell(_ values: [Double], _ digits: Int) -> String {
        guard let least = values.min(), let greatest = values.max() else { return "-" }
        let mean = values.reduce(0, +) / Double(values.count)
        func text(_ value: Double) -> String { String(format: "%.\(digits)f", value) }
        return "\(text(mean)) (\(text(least)) - \(text(greatest)))"
    }
}
