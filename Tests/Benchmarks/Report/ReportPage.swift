// scripts/bench --report: docs/benchmarks.md and its pictures, made from the files of results.
import Foundation

/// The page about measured runs, and the pictures in it.
enum ReportPage {
    /// One file of results.
    private struct Run: Decodable {
        let time: String
        let command: String
        let processors: Int
        let system: String
        let pairs: Int
        let results: [Comparison]
    }

    /// Writes the page.
    ///
    /// - Parameter files: results as `scripts/bench` saved them, the older first; if several have
    ///   a benchmark,
    ///   the last one counts.
    /// - Throws: `BenchmarkError` without files, and errors of reading and writing.
    static func write(from files: some Collection<String>) throws {
        guard !files.isEmpty else {
            throw BenchmarkError("usage: scripts/bench --report RESULTS.json ...")
        }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let runs = try files.map {
            try decoder.decode(Run.self, from: Data(contentsOf: URL(filePath: $0)))
        }
        var order: [String] = []
        var latest: [String: (run: Run, comparison: Comparison)] = [:]
        for run in runs {
            for comparison in run.results {
                let key = "\(comparison.name), \(comparison.peerName)"
                if latest[key] == nil { order.append(key) }
                latest[key] = (run, comparison)
            }
        }
        let measured = order.sorted { rank($0) < rank($1) }.compactMap { latest[$0] }
        let tests = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let docs = tests.deletingLastPathComponent().appending(path: "docs")
        let pictures = docs.appending(path: "benchmarks")
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
        try Data(RatioPicture.draw(measured.map(\.comparison)).utf8)
            .write(to: pictures.appending(path: "ratios.svg"))
        try Data(page(measured).utf8).write(to: docs.appending(path: "benchmarks.md"))
        Report.say("docs/benchmarks.md: \(measured.count) comparisons of \(runs.count) runs")
    }

    /// The rank orders by number: B2 before B11.
    private static func rank(_ key: String) -> String {
        let number = key.drop { $0.isLetter }.prefix { $0.isNumber }
        let kind = key.prefix { $0.isLetter }
        let zeros = String(repeating: "0", count: max(0, 4 - number.count))
        return "\(kind)\(zeros)\(number)\(key)"
    }

    private static func page(_ measured: [(run: Run, comparison: Comparison)]) -> String {
        var lines = [
            "# Benchmarks", "",
            "Made by `scripts/bench --report` from the results of the runs below; not edited. Each "
                + "ratio is of one run: the peer, or the limit, and Lull in turn on the same "
                + "machine, median with minimum and maximum. Times of other machines differ by "
                + "more than two; the ratios are what counts.", "",
            "![Lull's figure by the peer's, with the goal of each](benchmarks/ratios.svg)", "",
            "| Benchmark | Unit | Peer | Peer's figure | Lull's figure | Ratio | Goal | Met | "
                + "CPU us each: peer / Lull | Others' CPUs |",
            "|---|---|---|---|---|---|---|---|---|---|",
        ]
        lines += measured.map { "| " + Report.cells($0.comparison).joined(separator: " | ") + " |" }
        let counts = Report.countLines(measured.map(\.comparison))
        if !counts.isEmpty {
            lines += [
                "", "## Counts", "",
                "What each side needed for a unit of work, in runs of their own: `strace -c -f`, "
                    + "`voluntary_ctxt_switches` or `getrusage`, and a preloaded library that "
                    + "counts calls of `malloc` and its kind and the bytes of `memcpy` and "
                    + "`memmove`. PostgreSQL's own are not among Lull's.", "",
            ]
            lines += counts.dropLast()
        }
        lines += ["", "## What was measured", ""]
        lines += measured.map { item in
            "- \(item.comparison.name), \(item.comparison.peerName): \(item.comparison.note)."
        }
        lines += ["", "## Runs", ""]
        var named: Set<String> = []
        for (run, _) in measured where named.insert(run.time).inserted {
            let names = run.command.split(separator: " ").dropFirst().joined(separator: " ")
            lines.append(
                "- \(run.time): `LULL_BENCH_PAIRS=\(run.pairs) scripts/bench \(names)`, "
                    + "\(run.processors) processors, \(run.system)")
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
