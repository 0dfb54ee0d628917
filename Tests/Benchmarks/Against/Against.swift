// scripts/bench --against: an older build and the new one in turn, in one run.
import Foundation

/// Two builds and the measurements of each.
struct Against {
    private let plan: Plan
    private let builds: [Build]
    private var results: [Row] = []

    /// The values of one measure for one workload.
    struct Row: Encodable {
        let benchmark: String
        let unit: String
        let measure: Measure
        let before: [Double]
        let after: [Double]
        let goal: Double?
    }

    /// Compares by the named workloads, or by all.
    static func run(_ arguments: [String], _ plan: Plan) throws {
        guard let older = arguments.first else {
            throw BenchmarkError("usage: scripts/bench --against BINARY [NAME ...]")
        }
        let names = arguments.dropFirst()
        let known = Workload.all.map(\.name) + ["idle"]
        guard names.allSatisfy(known.contains) else {
            throw BenchmarkError("--against knows \(known.joined(separator: ", "))")
        }
        let chosen = Workload.all.filter { names.isEmpty || names.contains($0.name) }
        var against = Against(
            plan: plan,
            builds: [
                try Build(name: "before", binary: older, plan: plan),
                try Build(name: "after", binary: plan.lull, plan: plan),
            ])
        for program in Set(chosen.flatMap(\.needs) + ["strace"]).sorted() { try plan.need(program) }
        let origin = try Origin(
            plan, small: chosen.contains { $0.name == "B1" },
            large: chosen.contains { $0.name == "B2" })
        defer { origin.stop() }
        for workload in chosen { try against.compare(workload, origin) }
        if names.isEmpty || names.contains("idle") { try against.idle() }
        Report.write(against.table)
        Report.say("results: \(try Report.save(against.results, pairs: plan.pairs))")
    }

    private init(plan: Plan, builds: [Build]) {
        self.plan = plan
        self.builds = builds
    }

    private mutating func compare(_ workload: Workload, _ origin: Origin) throws {
        Report.say("\(workload.name): for each \(workload.unit)")
        var seen: [String: [Measure: [Double]]] = [:]
        for round in 0..<plan.pairs {
            // Each round begins with the other build.
            for build in round.isMultiple(of: 2) ? builds : builds.reversed() {
                let used = try timed(workload, build, origin, "\(round)")
                for (measure, value) in used {
                    seen[build.name, default: [:]][measure, default: []].append(value)
                }
                say(build, used)
            }
        }
        for build in builds {
            var counts = try counted(workload, build, origin)
            counts[.calls] = try traced(workload, build, origin)
            for (measure, value) in counts { seen[build.name, default: [:]][measure] = [value] }
            say(build, counts)
        }
        for measure in Measure.allCases {
            // A measure that neither build has makes no row.
            guard let before = seen["before"]?[measure], let after = seen["after"]?[measure],
                (before + after).contains(where: { $0 >= 0.01 })
            else { continue }
            results.append(
                Row(
                    benchmark: workload.name, unit: workload.unit, measure: measure,
                    before: before, after: after, goal: workload.goals[measure]))
        }
    }

    private func say(_ build: Build, _ values: [Measure: Double]) {
        let parts = Measure.allCases.compactMap { measure in
            values[measure].map { "\(Report.number($0)) \(measure.rawValue)" }
        }
        Report.say("  \(build.name): \(parts.joined(separator: ", "))")
    }

    private func server(
        _ workload: Workload, _ build: Build, _ name: String, _ more: [String: String] = [:]
    ) throws -> LullServer {
        let settings = try build.settings(workload.settings)
        return try LullServer(
            plan, name: "\(workload.name)-\(build.name)-\(name)",
            settings: settings.merging(more) { $1 }, binary: build.binary)
    }

    /// Time, and the numbers that the kernel counts anyway; nothing disturbs the work.
    private func timed(
        _ workload: Workload, _ build: Build, _ origin: Origin, _ round: String
    ) throws -> [Measure: Double] {
        let server = try server(workload, build, round)
        defer { server.stop() }
        let work = try workload.prepare(plan, server, origin, .whole)
        // Each page is written whole to the log once after a checkpoint: here before the work
        // begins.
        try Command.check(
            "psql", ["-XqAtc", "CHECKPOINT"], plan: plan, environment: server.database)
        try Command.check("sync", [], plan: plan)
        let before = try Counters(server, plan)
        let units = try work()
        return try Counters(server, plan).used(since: before, units: units)
    }

    /// Allocations and statements, counted in a run of their own.
    private func counted(
        _ workload: Workload, _ build: Build, _ origin: Origin
    ) throws -> [Measure: Double] {
        guard let library = ProcessInfo.processInfo.environment["BENCH_PRELOAD"] else {
            throw BenchmarkError("BENCH_PRELOAD is not set: use scripts/bench")
        }
        let file = plan.path("\(workload.name)-\(build.name).allocations")
        let counting = ["LD_PRELOAD": library, "BENCH_ALLOCATIONS": file]
        let first = try server(workload, build, "counted")
        defer { first.stop() }
        try Command.check(
            "psql",
            ["-XqAtc", "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'"],
            plan: plan, environment: first.database)
        first.stop()
        let server = try server(workload, build, "counted", counting)
        defer { server.stop() }
        let hasStatements =
            try Command.run(
                "psql", ["-XqAtc", "CREATE EXTENSION pg_stat_statements"], plan: plan,
                environment: server.database
            ).status == 0
        let statements = "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements"
        let work = try workload.prepare(plan, server, origin, .small)
        let earlier = hasStatements ? try server.value(statements, plan: plan) : 0
        let before = try Instrument.numbers(in: file)[0]
        let units = Double(try work())
        var counts: [Measure: Double] = [:]
        counts[.allocations] = Double(try Instrument.numbers(in: file)[0] - before) / units
        if hasStatements {
            let later = try server.value(statements, plan: plan)
            counts[.statements] = Double(later - earlier) / units
        }
        return counts
    }

    /// System calls of the process, without those of its database.
    private func traced(
        _ workload: Workload, _ build: Build, _ origin: Origin
    ) throws -> Double {
        let server = try server(workload, build, "traced")
        defer { server.stop() }
        let work = try workload.prepare(plan, server, origin, .small)
        let file = plan.path("\(workload.name)-\(build.name).calls")
        let tracer = try Command(
            "strace", ["-c", "-f", "-o", file, "-p", String(server.pid)], plan: plan,
            log: "\(file).log")
        try eventually("strace is attached", alive: tracer) {
            (FileManager.default.contents(atPath: "\(file).log")?.count ?? 0) > 0
        }
        let units = Double(try work())
        tracer.interrupt()
        return try Instrument.calls(in: file) / units
    }

    /// Both builds idle side by side: how often their threads wake, how fast they stop.
    private mutating func idle() throws {
        Report.say("idle: a minute each, at the same time")
        let servers = try builds.map {
            try LullServer(plan, name: "idle-\($0.name)", binary: $0.binary)
        }
        defer { for server in servers { server.stop() } }
        Thread.sleep(forTimeInterval: 10)
        let before = try servers.map { try Counters.switches(of: $0.pid) }
        Thread.sleep(forTimeInterval: 60)
        let wakes = try zip(servers, before).map {
            Double(Counters.switches(from: $1, to: try Counters.switches(of: $0.pid))) / 60
        }
        let stops = servers.map { server in
            let start = ContinuousClock.now
            server.stop()
            return (ContinuousClock.now - start) / .milliseconds(1)
        }
        for (measure, values, goal) in [
            (Measure.wakes, wakes, 3.0 / wakes[0]), (.stop, stops, 500 / stops[0]),
        ] {
            results.append(
                Row(
                    benchmark: "idle", unit: "process", measure: measure, before: [values[0]],
                    after: [values[1]], goal: goal))
        }
    }
}

extension Against {
    /// All rows with their medians and extremes.
    fileprivate var table: String {
        var lines = [
            "| benchmark | for each | measure | before | after | after / before | goal | met |",
            "|---|---|---|---|---|---|---|---|",
        ]
        for row in results {
            let before = Spread(row.before)
            let after = Spread(row.after)
            let ratio = after.median / before.median
            let met = row.goal.map { ratio <= $0 ? "yes" : "no" } ?? "-"
            let cells = [
                row.benchmark, row.unit, row.measure.rawValue, Self.text(before),
                Self.text(after), String(format: "%.2f", ratio),
                row.goal.map { String(format: "<= %.2f", $0) } ?? "-", met,
            ]
            lines.append("| " + cells.joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func text(_ spread: Spread) -> String {
        spread.least == spread.most
            ? Report.number(spread.median)
            : "\(Report.number(spread.median)) (\(Report.number(spread.least))-"
                + "\(Report.number(spread.most)))"
    }
}
