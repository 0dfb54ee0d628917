// The output for the reader, and the file for machines.
import Foundation

/// The table, the lines while benchmarks run, the JSON.
enum Report {
    /// Writes a line to standard error.
    static func say(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }

    /// Writes to standard output.
    static func write(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// A sample in one line.
    static func line(_ sample: Sample) -> String {
        let extras = sample.extras.sorted { $0.key < $1.key }
            .map { "\($0.key) \(number($0.value))" }
        let parts =
            [
                number(sample.value), "\(number(sample.microsecondsEach)) us CPU each",
                "others used \(number(sample.foreignProcessors)) CPUs",
            ] + extras
        return parts.joined(separator: ", ")
    }

    /// All comparisons in one table, with their notes below.
    static func table(_ comparisons: [Comparison]) -> String {
        var rows = [
            [
                "benchmark", "unit", "peer", "peer: median (min-max)", "Lull: median (min-max)",
                "ratio (min-max)", "goal", "met", "CPU us each: peer / Lull", "others' CPUs",
            ]
        ]
        rows += comparisons.map { cells($0) }
        let widths = rows[0].indices.map { column in
            rows.map { $0[column].count }.max() ?? 0
        }
        let lines = rows.map { row in
            let cells = zip(row, widths).map {
                $0.padding(toLength: $1, withPad: " ", startingAt: 0)
            }
            return "| " + cells.joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined()
        let notes = comparisons.map { "- \($0.name), \($0.peerName): \($0.note)" }
        let counts = countLines(comparisons)
        return ([lines[0], rule] + lines.dropFirst() + [""] + counts + notes)
            .joined(separator: "\n") + "\n"
    }

    /// The counts of both sides for a unit of work, as a table and an empty line; nothing if they
    /// were not counted.
    static func countLines(_ comparisons: [Comparison]) -> [String] {
        let rows = comparisons.compactMap { comparison -> String? in
            guard let counts = comparison.counts else { return nil }
            func both(_ value: (Count) -> Double?) -> String {
                let sides = [counts.peer.flatMap(value), value(counts.lull)]
                return sides.map { $0.map(number) ?? "-" }.joined(separator: " / ")
            }
            let cells = [
                comparison.name, comparison.peerName, counts.unit, both(\.calls), both(\.switches),
                both(\.allocations), both(\.copied), both(\.log),
            ]
            return "| " + cells.joined(separator: " | ") + " |"
        }
        guard !rows.isEmpty else { return [] }
        return [
            "| benchmark | peer | for each | system calls: peer / Lull | voluntary switches: "
                + "peer / Lull | allocations: peer / Lull | bytes copied: peer / Lull | WAL bytes: "
                + "peer / Lull |",
            "|---|---|---|---|---|---|---|---|",
        ] + rows + [""]
    }

    /// The cells in the row of a comparison.
    static func cells(_ comparison: Comparison) -> [String] {
        let ratio = Spread(comparison.ratios)
        let met = comparison.goal.isMet(
            by: ratio.median, Spread(comparison.lull.map(\.value)).median)
        let both = comparison.peer + comparison.lull
        return [
            comparison.name, comparison.unit, comparison.peerName,
            text(Spread(comparison.peer.map(\.value))),
            text(Spread(comparison.lull.map(\.value))), text(ratio), comparison.goal.text,
            met.map { $0 ? "yes" : "no" } ?? "-",
            number(Spread(comparison.peer.map(\.microsecondsEach)).median) + " / "
                + number(Spread(comparison.lull.map(\.microsecondsEach)).median),
            number(Spread(both.map(\.foreignProcessors)).median),
        ]
    }

    /// Writes the results to a new file and returns its path.
    static func save(_ results: some Encodable, pairs: Int) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "results")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let run = Run(pairs: pairs, results: results)
        let file = folder.appending(path: "\(run.time).json")
        try encoder.encode(run).write(to: file)
        return file.path(percentEncoded: false)
    }

    private struct Run<Results: Encodable>: Encodable {
        let time = Date.now.formatted(Date.ISO8601FormatStyle(timeSeparator: .omitted))
        let command = CommandLine.arguments.joined(separator: " ")
        let processors = ProcessInfo.processInfo.processorCount
        let system = ProcessInfo.processInfo.operatingSystemVersionString
        let pairs: Int
        let results: Results
    }

    private static func text(_ spread: Spread) -> String {
        "\(number(spread.median)) (\(number(spread.least))-\(number(spread.most)))"
    }

    /// A number with three significant digits.
    static func number(_ value: Double) -> String {
        switch abs(value) {
        case 100...: String(Int(value.rounded()))
        case 10...: String(format: "%.1f", value)
        default: String(format: "%.2f", value)
        }
    }
}
