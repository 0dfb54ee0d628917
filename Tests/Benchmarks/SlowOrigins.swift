// B4: a thousand slow downloads at once, against aria2's daemon.
import Foundation

enum SlowOrigins {
    private static let count = 1000
    private static let bytes = 1 << 20
    private static let rate = "64k"

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "aria2c"] { try plan.need(program) }
        try FileLimit.raise(to: 4 * count)
        let files = try plan.makeFolder("b4-origin")
        try makeFiles(in: files)
        let origin = try NginxServer(
            plan, name: "b4-nginx", location: "root \(files); limit_rate \(rate);")
        defer { origin.stop() }
        let urls = names.map { "http://127.0.0.1:\(origin.port)/\($0)" }
        let rounds = try Rounds(
            plan,
            [
                ("aria2c", { try aria2(urls, $0, plan) }),
                ("lull", { try lull(urls, $0, plan) }),
            ])
        var counts: [String: Count] = [:]
        if try plan.counts {
            var round = plan.pairs
            counts["aria2c"] = try Count(of: "aria2c", name: "B4", plan) {
                _ = try aria2(urls, round, $0)
                round += 1
                return count
            }
            counts["lull"] = try Count(of: "lull", name: "B4", plan) {
                _ = try lull(urls, round, $0)
                round += 1
                return count
            }
        }
        let note =
            "aria2c \(Aria2Daemon.arguments) -j \(count); \(count) files of \(bytes >> 10) KiB, "
            + "nginx limit_rate \(rate); from the first call until the last file is whole; "
            + "CPU and memory of Lull's process alone, postgres_cpu_s is its database's"
        return [
            ("B4 rate", "MiB/s", Comparison.Goal.atLeast(0.98), nil),
            ("B4 CPU", "s", .atMost(0.6), "cpu_s"),
            ("B4 memory", "MiB", .atMost(0.75), "peak_mib"),
        ].map { name, unit, goal, extra in
            Comparison(
                name: name, unit: unit, peerName: "aria2c",
                peer: rounds["aria2c"].map { $0.showing(extra) },
                lull: rounds["lull"].map { $0.showing(extra) }, goal: goal, note: note,
                counts: extra == nil
                    ? Comparison.Counts(of: "aria2c", unit: "file", in: counts) : nil)
        }
    }

    private static let names = (0..<count).map { "s" + String(10_000 + $0) }

    private static func makeFiles(in folder: String) throws {
        try Data(count: bytes).write(to: URL(filePath: "\(folder)/\(names[0])"))
        for name in names.dropFirst() {
            try FileManager.default.linkItem(
                atPath: "\(folder)/\(names[0])", toPath: "\(folder)/\(name)")
        }
    }

    private static func lull(_ urls: [String], _ round: Int, _ plan: Plan) throws -> Sample {
        let lull = try LullServer(
            plan, name: "b4-lull-\(round)",
            settings: ["LULL_MAX_RUNNING": "\(count)", "LULL_MAX_RUNNING_PER_ORIGIN": "\(count)"])
        defer { lull.stop() }
        let items = urls.map { #"{"url":"\#($0)"}"# }.joined(separator: ",")
        let alone = try ProcessFigures(of: lull.pid)
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            _ = try PostRun(
                port: lull.port, path: "/v1/downloads/batch",
                bodies: [#"{"downloads":[\#(items)]}"#], connections: 1)
            while try !lull.isIdle() { Thread.sleep(forTimeInterval: 0.1) }
        }
        let figures = try ProcessFigures(of: lull.pid)
        let succeeded = try lull.value(
            "SELECT count(*) FROM downloads WHERE state = lull_state('succeeded')", plan: plan)
        guard succeeded == count else {
            throw BenchmarkError("\(succeeded) of \(count) downloads succeeded")
        }
        let cpu = figures.cpuSeconds - alone.cpuSeconds
        return sample(
            lap, cpu: cpu, figures, extras: ["postgres_cpu_s": lap.cpuSeconds - cpu])
    }

    private static func aria2(_ urls: [String], _ round: Int, _ plan: Plan) throws -> Sample {
        let output = try plan.makeFolder("b4-aria2-\(round)")
        let daemon = try Aria2Daemon(plan, output: output, atOnce: count)
        defer { daemon.stop() }
        let alone = try ProcessFigures(of: daemon.pid)
        let (_, lap) = try Lap.time(servers: [daemon.pid]) {
            try daemon.add(urls)
            try daemon.finish(looking: 0.1)
        }
        let figures = try ProcessFigures(of: daemon.pid)
        for name in names {
            let path = "\(output)/\(name)"
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            guard size == bytes else { throw BenchmarkError("\(path) is not whole") }
        }
        return sample(lap, cpu: figures.cpuSeconds - alone.cpuSeconds, figures, extras: [:])
    }

    private static func sample(
        _ lap: Lap, cpu: Double, _ figures: ProcessFigures, extras: [String: Double]
    ) -> Sample {
        let own = ["cpu_s": cpu, "peak_mib": Double(figures.peakBytes) / 1_048_576]
        return lap.sample(
            Double(count * bytes >> 20) / lap.seconds, count: count,
            extras: own.merging(extras) { $1 })
    }
}

extension Sample {
    /// The run with one of its extras as the compared value; nil for the value as it is.
    fileprivate func showing(_ extra: String?) -> Sample {
        guard let extra, let value = extras[extra] else { return self }
        return Sample(
            value: value, microsecondsEach: microsecondsEach,
            foreignProcessors: foreignProcessors, extras: extras)
    }
}
