// Pictures as SVG text: lines, bars and words, nothing else.
import Foundation

/// A drawing of a fixed size, in pixels from the upper left.
struct Drawing {
    /// Colours that people who see few colours can tell apart (Okabe and Ito 2008).
    static let colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]

    private let width: Double
    private let height: Double
    private var elements: [String] = []

    init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    mutating func line(_ points: [(Double, Double)], _ color: String, width: Double = 1.5) {
        let text = points.map { "\(Drawing.number($0.0)),\(Drawing.number($0.1))" }
        elements.append(
            "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(width)\" points=\""
                + text.joined(separator: " ") + "\"/>")
    }

    mutating func bar(x: Double, y: Double, width: Double, height: Double, _ color: String) {
        elements.append(
            "<rect x=\"\(Drawing.number(x))\" y=\"\(Drawing.number(y))\" "
                + "width=\"\(Drawing.number(width))\" height=\"\(Drawing.number(height))\" "
                + "fill=\"\(color)\"/>")
    }

    mutating func dot(_ x: Double, _ y: Double, _ color: String) {
        elements.append(
            "<circle cx=\"\(Drawing.number(x))\" cy=\"\(Drawing.number(y))\" r=\"4\" "
                + "fill=\"\(color)\"/>")
    }

    mutating func text(_ words: String, x: Double, y: Double, anchor: String = "start") {
        let safe = words.replacingOccurrences(of: "&", with: "&amp;")
            .replacingOccurrences(of: "<", with: "&lt;")
        elements.append(
            "<text x=\"\(Drawing.number(x))\" y=\"\(Drawing.number(y))\" "
                + "text-anchor=\"\(anchor)\">\(safe)</text>")
    }

    /// The SVG text.
    var svg: String {
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Drawing.number(width)) "
            + "\(Drawing.number(height))\" font-family=\"sans-serif\" font-size=\"12\">\n"
            + "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
            + elements.joined(separator: "\n") + "\n</svg>\n"
    }

    private static func number(_ value: Double) -> String { String(format: "%.1f", value) }
}
