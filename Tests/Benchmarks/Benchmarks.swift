// The program behind scripts/bench: runs the chosen benchmarks, prints one table, writes one file
// of results.
import Foundation

/// A benchmark: the program that it measures beside Lull, both in one run.
struct Benchmark: Sendable {
    /// The name on the command line, as in the table of goals.
    let name: String
    /// One line for the list of benchmarks.
    let summary: String
    /// Measures; a peer that is not installed is left out, and the output says so.
    let run: @Sendable (Plan) throws -> [Comparison]

    static let all = [
        Benchmark(name: "B1", summary: "10,000 files of 10 KiB", run: ManyFiles.small.run),
        Benchmark(name: "B2", summary: "one file of 2 GiB with its digest", run: BigFile.plain.run),
        Benchmark(name: "B3", summary: "200 files of 8 MiB", run: ManyFiles.medium.run),
        Benchmark(
            name: "B1-busy", summary: "B1 beside a busy core",
            run: ManyFiles.smallBesideBusyCore.run),
        Benchmark(
            name: "B3-busy", summary: "B3 beside a busy core",
            run: ManyFiles.mediumBesideBusyCore.run),
        Benchmark(name: "B4", summary: "1,000 slow downloads at once", run: SlowOrigins.run),
        Benchmark(name: "B5", summary: "creates, each after its commit", run: Submissions.run),
        Benchmark(name: "B6", summary: "one download by its identifier", run: Lookups.run),
        Benchmark(name: "B7", summary: "GET /livez", run: Liveness.run),
        Benchmark(name: "B8", summary: "a claim of 50, whatever waits", run: Claims.run),
        Benchmark(name: "B9", summary: "memory with a million waiting", run: MillionRows.run),
        Benchmark(
            name: "B10", summary: "20,000 webhooks to one receiver", run: OneReceiver.run),
        Benchmark(
            name: "B11", summary: "content of 1 GiB over 8 connections", run: ContentReads.run),
        Benchmark(
            name: "FC", summary: "the forecast of 100,000 waiting downloads", run: Forecasts.run),
        Benchmark(name: "R11", summary: "5,000 slow clients", run: SlowClients.run),
        Benchmark(
            name: "R13", summary: "the costliest 4 MiB of each endpoint", run: CostlyBodies.run),
        Benchmark(
            name: "B13", summary: "4,000 files from 4,000 origins", run: ManyOrigins.run),
        Benchmark(name: "B12", summary: "a limit switched at run time", run: RateSwitch.run),
        Benchmark(
            name: "B14", summary: "what a finished download leaves in the database",
            run: Footprint.run),
        Benchmark(
            name: "B15", summary: "webhooks beside receivers that never answer",
            run: SilentReceivers.run),
        Benchmark(
            name: "B16", summary: "a condition that flips for a million downloads",
            run: ConditionFlip.run),
        Benchmark(
            name: "B17", summary: "one file of 1 KiB from POST to its end", run: OneFile.run),
        Benchmark(name: "B18", summary: "one file of 1 GiB over TLS", run: BigFile.encrypted.run),
        Benchmark(
            name: "B19", summary: "64 files of 64 MiB, eight at once", run: ManyFiles.large.run),
        Benchmark(
            name: "B20", summary: "from an event to its webhook, 1,000 a second",
            run: OneReceiver.delays),
        Benchmark(
            name: "B21", summary: "a walk over 300,000 downloads for a rare filter",
            run: RareFilter.run),
        Benchmark(
            name: "B22", summary: "a start with a million rows and 200,000 files",
            run: MillionRows.start),
        Benchmark(
            name: "B23", summary: "a claim beside an old snapshot", run: OldSnapshot.run),
        Benchmark(
            name: "B24", summary: "400 files of 1 MiB into an object store", run: StoredFiles.run),
        Benchmark(
            name: "B25", summary: "1 GiB that a client brings by one PUT", run: StagedFile.run),
        Benchmark(
            name: "B26", summary: "looks beside 50,000 sources that are not due",
            run: ManySources.run),
    ]
}

/// The goals that another command checks, for the end of a run of all benchmarks.
private let elsewhere = [
    ("F1", "forecasts against what came", "scripts/fortnight forecast"),
    ("F2", "a fortnight against what no plan can beat", "scripts/fortnight"),
    ("R1, R2, R3", "kills, stops, a lost database", "scripts/chaos 1000"),
    ("R4, R5", "system calls that fail, full disks", "LULL_FAULTS=full scripts/test FaultTests"),
    ("R6, R7", "hostile origins, HTTP vectors", "scripts/conformance curl-cases llhttp"),
    ("R8, R14", "fuzzed bytes", "scripts/fuzz NAME SECONDS"),
    ("R9", "simulated worlds", "scripts/simulate 1000000"),
    ("R10", "destinations that are refused", "scripts/test EgressTests"),
    ("R12", "every operation of the API", "scripts/conformance schemathesis keys"),
    ("R15", "lost answers of PostgreSQL", "LULL_LOSSY=full scripts/test LossyLinkTests"),
    ("R16", "a link that goes silent", "scripts/test SilentLink"),
]

@main struct Benchmarks {
    static func main() {
        do {
            try measure(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Report.say("bench: \(error)")
            exit(1)
        }
    }

    private static func measure(_ names: [String]) throws {
        if names.first == "--report" { return try ReportPage.write(from: names.dropFirst()) }
        if names.first == "--against" {
            // Writing to a peer that closed its end must not end the program.
            signal(SIGPIPE, SIG_IGN)
            let plan = try Plan()
            let outcome = Result { try Against.run(Array(names.dropFirst()), plan) }
            try plan.remove()
            return try outcome.get()
        }
        let chosen = Benchmark.all.filter { names.isEmpty || names.contains($0.name) }
        let known = Benchmark.all.map(\.name)
        guard names.allSatisfy(known.contains) else {
            let lines = Benchmark.all.map { "  \($0.name)  \($0.summary)" }
            throw BenchmarkError("known are\n\(lines.joined(separator: "\n"))")
        }
        // Writing to a peer that closed its end must not end the program.
        signal(SIGPIPE, SIG_IGN)
        let plan = try Plan()
        var comparisons: [Comparison] = []
        // A benchmark that cannot be measured here does not keep the others from their rows.
        var left: [String] = []
        for benchmark in chosen {
            Report.say("\(benchmark.name): \(benchmark.summary)")
            do {
                comparisons += try benchmark.run(plan)
            } catch {
                left.append("\(benchmark.name): \(error)")
                Report.say("  not measured: \(error)")
            }
        }
        try plan.remove()
        Report.write(Report.table(comparisons))
        if names.isEmpty {
            let lines = elsewhere.map { "- \($0.0), \($0.1): `\($0.2)`" }
            Report.write("\nMeasured by other commands:\n\(lines.joined(separator: "\n"))\n")
        }
        if !left.isEmpty {
            Report.write("\nNot measured:\n\(left.map { "- \($0)" }.joined(separator: "\n"))\n")
        }
        let file = try Report.save(comparisons, pairs: plan.pairs)
        Report.say("results: \(file)")
        guard left.isEmpty else { throw BenchmarkError("\(left.count) were not measured") }
    }
}
