// A picture of ratios as SVG: a bar for each comparison, from its least to its most, and its goal.
import Foundation

enum RatioPicture {
    private static let (left, width, right) = (230.0, 520.0, 90.0)
    private static let rowHeight = 26.0
    private static let top = 34.0

    /// Draws ratios on a logarithmic scale; to the right of the line at 1 Lull's figure is the
    /// larger one.
    static func draw(_ comparisons: [Comparison]) -> String {
        let rows = comparisons.map { (comparison: $0, ratio: Spread($0.ratios)) }
        var all: [Double] = [0.5, 2]
        for row in rows {
            all += [row.ratio.least, row.ratio.most]
            all += goals(row.comparison)
        }
        let least: Double = log2(all.min() ?? 0.5).rounded(.down)
        let most: Double = log2(all.max() ?? 2).rounded(.up)
        func x(_ ratio: Double) -> Double {
            left + (log2(ratio) - least) / (most - least) * width
        }
        let height = top + rowHeight * Double(rows.count) + 12
        var parts = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 "#
                + "\(number(left + width + right)) \(number(height))"
                + #"" font-family="sans-serif" font-size="12">"#,
            #"<rect width="100%" height="100%" fill="white"/>"#,
        ]
        for power in Int(least)...Int(most) {
            let ratio = pow(2, Double(power))
            let color = power == 0 ? "#333333" : "#dddddd"
            parts.append(line(x(ratio), top - 8, x(ratio), height - 8, color, 1))
            let name = ratio < 1 ? "1/\(Int(1 / ratio))" : "\(Int(ratio))"
            parts.append(text(x(ratio), top - 14, name, "middle"))
        }
        for (place, row) in rows.enumerated() {
            let y = top + rowHeight * (Double(place) + 0.5)
            let met = row.comparison.goal.isMet(
                by: row.ratio.median, Spread(row.comparison.lull.map(\.value)).median)
            let color = met == nil ? "#777777" : met == true ? "#2a7d3f" : "#b8402a"
            let name = "\(row.comparison.name), \(row.comparison.peerName)"
            parts.append(text(left - 10, y + 4, name, "end"))
            parts.append(line(x(row.ratio.least), y, x(row.ratio.most), y, color, 5))
            parts.append(
                #"<circle cx="\#(number(x(row.ratio.median)))" cy="\#(number(y))" r="5" "#
                    + #"fill="\#(color)"/>"#)
            for goal in goals(row.comparison) {
                parts.append(line(x(goal), y - 9, x(goal), y + 9, "#1f4e9e", 2))
            }
            parts.append(
                text(left + width + 12, y + 4, Report.number(row.ratio.median), "start"))
        }
        return (parts + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    /// The places of the goal among the ratios.
    private static func goals(_ comparison: Comparison) -> [Double] {
        switch comparison.goal {
        case .atLeast(let ratio), .atMost(let ratio): [ratio]
        case .within(let part): [1 - part, 1 + part]
        case .below, .none: []
        }
    }

    private static func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, _ width: Double
    ) -> String {
        #"<line x1="\#(number(x1))" y1="\#(number(y1))" x2="\#(number(x2))" y2="\#(number(y2))" "#
            + #"stroke="\#(color)" stroke-width="\#(number(width))"/>"#
    }

    private static func text(_ x: Double, _ y: Double, _ text: String, _ anchor: String) -> String {
        let safe = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return #"<text x="\#(number(x))" y="\#(number(y))" text-anchor="\#(anchor)">"#
            + "\(safe)</text>"
    }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
