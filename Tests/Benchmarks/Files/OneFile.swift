// B17: the time of one small file from its POST to its end, while nothing else happens.
import Foundation

enum OneFile {
    private static let count = 200
    private static let bytes = 1024

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "curl", "pgbench", "psql"] { try plan.need(program) }
        let files = try plan.makeFolder("b17-origin")
        for number in 0..<count {
            let line = "file \(number)\n"
            let text = String(repeating: line, count: bytes / line.utf8.count + 1)
            try Data(text.utf8.prefix(bytes)).write(to: URL(filePath: "\(files)/f\(number)"))
        }
        let origin = try NginxServer(plan, name: "b17-nginx", location: "root \(files);")
        defer { origin.stop() }
        let lull = try LullServer(plan, name: "b17-lull")
        defer { lull.stop() }
        try Command.check(
            "psql",
            ["-XqAtc", "CREATE TABLE one_commit (id bigserial PRIMARY KEY, at timestamptz)"],
            plan: plan, environment: lull.database)
        let url = "http://127.0.0.1:\(origin.port)/f"
        var (peer, ours): ([Times], [Times]) = ([], [])
        let rounds = try Rounds(
            plan,
            [
                (
                    "curl",
                    { round in
                        let (times, lap) = try Lap.time { try fetch(url, "\(round)", lull, plan) }
                        peer.append(times)
                        return lap.sample(times.p50, count: count, extras: ["p99_ms": times.p99])
                    }
                ),
                (
                    "lull",
                    { _ in
                        let (times, lap) = try Lap.time(servers: [lull.pid]) {
                            try download(url, lull)
                        }
                        ours.append(times)
                        return lap.sample(times.p50, count: count, extras: ["p99_ms": times.p99])
                    }
                ),
            ])
        let counts = try counts(url, lull, plan)
        let note =
            "\(count) files of \(bytes) bytes, one after the other; the peer is the time of one "
            + "curl for all of them, which syncs nothing, plus that of a one-row commit by pgbench "
            + "on the same server; Lull's is from the POST to the answer of a GET with wait"
        func samples(_ side: String, _ times: [Times]) -> [Sample] {
            zip(rounds[side], times).map { sample, times in
                Sample(
                    value: times.p99, microsecondsEach: sample.microsecondsEach,
                    foreignProcessors: sample.foreignProcessors)
            }
        }
        return [
            Comparison(
                name: "B17 p50", unit: "ms", peerName: "curl -o and a commit",
                peer: rounds["curl"], lull: rounds["lull"], goal: .atMost(1.5), note: note,
                counts: counts),
            Comparison(
                name: "B17 p99", unit: "ms", peerName: "curl -o and a commit",
                peer: samples("curl", peer), lull: samples("lull", ours), goal: .atMost(1.5),
                note: note),
        ]
    }

    /// The counts for a file: one curl for all files and one pgbench for all commits, their starts
    /// included, and those of Lull.
    private static func counts(
        _ url: String, _ lull: LullServer, _ plan: Plan
    ) throws -> Comparison.Counts? {
        func fetched(_ plan: Plan) throws -> Int {
            _ = try lull.logged(by: "pgbench", plan) {
                try fetch(url, plan.instrument?.name ?? "", lull, plan)
            }
            return count
        }
        var counts = try Count.each(
            [
                ("curl", fetched), ("pgbench", fetched),
                (
                    "lull",
                    { plan in
                        let lull = try LullServer(plan, name: "b17-counted", isCounted: false)
                        defer { lull.stop() }
                        _ = try lull.counted { try download(url, lull) }
                        return count
                    }
                ),
            ], name: "B17", plan)
        guard let files = counts["curl"], let commits = counts["pgbench"] else { return nil }
        counts["peers"] = Count(files, and: commits)
        return Comparison.Counts(of: "peers", unit: "file", in: counts)
    }

    /// The milliseconds within which half of the files, and 99 in a hundred, ended.
    private struct Times {
        let p50: Double
        let p99: Double

        init(_ values: [Double]) throws {
            guard values.count == count else {
                throw BenchmarkError("\(values.count) times instead of \(count)")
            }
            let sorted = values.sorted()
            p50 = sorted[count / 2]
            p99 = sorted[count * 99 / 100]
        }

        init(_ first: Times, and second: Times) {
            p50 = first.p50 + second.p50
            p99 = first.p99 + second.p99
        }
    }

    /// Fetches the files by one curl, and makes as many commits.
    private static func fetch(
        _ url: String, _ round: String, _ lull: LullServer, _ plan: Plan
    ) throws -> Times {
        let output = try plan.makeFolder("b17-curl-\(round)")
        let all = (0..<count).flatMap { ["-o", "\(output)/f\($0)", "\(url)\($0)"] }
        let text = try Command.check(
            "curl", ["-sf", "-w", "%{time_total}\\n"] + all, plan: plan)
        let files = try Times(
            text.split(separator: "\n").compactMap { Double($0).map { $0 * 1000 } })
        let script = "\(output).sql"
        try Data("INSERT INTO one_commit (at) VALUES (now());\n".utf8)
            .write(to: URL(filePath: script))
        let log = "\(output).log"
        try Command.check(
            "pgbench",
            ["-n", "-c", "1", "-t", "\(count)", "-f", script, "-l", "--log-prefix", log],
            plan: plan, environment: lull.database)
        let names = try FileManager.default.contentsOfDirectory(atPath: plan.folder)
            .filter { plan.path($0).hasPrefix(log) }
        // The fields are client, number, microseconds, and more.
        let lines = try names.flatMap {
            try String(contentsOfFile: plan.path($0), encoding: .utf8).split(separator: "\n")
        }
        let commits = try Times(
            lines.compactMap { line in
                let words = line.split(separator: " ")
                return words.count > 2 ? Double(words[2]).map { $0 / 1000 } : nil
            })
        return Times(files, and: commits)
    }

    /// Fetches the files by Lull, each after the end of the last.
    private static func download(_ url: String, _ lull: LullServer) throws -> Times {
        let connection = try HTTPConnection(port: lull.port)
        var times: [Double] = []
        for number in 0..<count {
            let start = ContinuousClock.now
            let created = try connection.exchange(
                "POST", "/v1/downloads", body: #"{"url":"\#(url)\#(number)"}"#)
            let path = "/v1/downloads/\(try Created.id(created.body))?wait=60"
            var state = ""
            while state != "succeeded" {
                let download: LullServer.Download = try connection.exchange("GET", path).json()
                state = download.state
                guard ["waiting", "running", "succeeded"].contains(state) else {
                    throw BenchmarkError("download \(download.id) is \(state)")
                }
            }
            times.append((ContinuousClock.now - start) / .milliseconds(1))
        }
        return try Times(times)
    }
}
