// B9: the memory that a million waiting downloads add; B22: a start with them, and with files.
import Foundation

enum MillionRows {
    private static let waiting = 1_000_000
    private static let lanes = 1_000
    private static let files = 200_000
    /// A backlog of a closed session, with addresses where nothing listens.
    private static let backlog = Backlog(
        lanes: lanes, each: waiting / lanes,
        origin: "'http://127.0.' || n / 250 || '.' || n % 250 + 1 || ':9'", isClosed: true)

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("psql")
        let empty = try LullServer(plan, name: "b9-empty")
        defer { empty.stop() }
        let full = try LullServer(plan, name: "b9-full")
        defer { full.stop() }
        try backlog.fill(full, plan)
        // Memory grows with the requests that are answered, so both servers get equal ones.
        try use(empty)
        try use(full)
        let none = try ProcessFigures(of: empty.pid).peakBytes
        let million = try ProcessFigures(of: full.pid).peakBytes
        return [
            Comparison(
                name: "B9 \(waiting) wait", unit: "MiB more", peerName: "20 MiB",
                peer: [sample(20)], lull: [sample(Double(million - none) / 1_048_576)],
                goal: .atMost(1),
                note:
                    "peak resident memory of lull with \(waiting) waiting downloads in \(lanes) "
                    + "lanes (\(million >> 10) KiB) less that with none (\(none >> 10) KiB)")
        ]
    }

    /// The time from the start of the program to the first claim.
    static func start(_ plan: Plan) throws -> [Comparison] {
        try plan.need("psql")
        var found: [Sample] = []
        let first = try LullServer(plan, name: "b22")
        defer { first.stop() }
        try backlog.fill(first, plan)
        // A running replica sees a gate that is opened by hand only after a minute, so no download
        // begins before the stop.
        try Command.check(
            "psql",
            ["-Xqc", "UPDATE gates SET running_limit = NULL WHERE kind = lull_gate('session')"],
            plan: plan, environment: first.database)
        first.stop()
        for _ in 0..<plan.pairs {
            try scatter(in: first.data)
            let began = ContinuousClock.now
            let lull = try LullServer(plan, name: "b22")
            defer { lull.stop() }
            let ready = (ContinuousClock.now - began) / .seconds(1)
            var age = -1
            while age < 0 {
                age = try lull.value(
                    """
                    SELECT coalesce((extract(epoch FROM clock_timestamp() - min(started_at))
                        * 1000)::bigint, -1)
                    FROM attempts WHERE started_at >= pg_postmaster_start_time()
                    """, plan: plan)
                guard ContinuousClock.now - began < .seconds(120) else {
                    throw BenchmarkError("nothing was claimed within two minutes")
                }
            }
            let seconds = (ContinuousClock.now - began) / .seconds(1) - Double(age) / 1000
            Report.say("  ready after \(ready) s, the first claim after \(seconds) s")
            found.append(sample(seconds, ["ready_s": ready]))
        }
        return [
            Comparison(
                name: "B22 start", unit: "s", peerName: "2 s", peer: found.map { _ in sample(2) },
                lull: found, goal: .atMost(1),
                note:
                    "from the start of lull and its private PostgreSQL to the first claim, with "
                    + "\(waiting) waiting downloads and \(files) files that the sweep looks at")
        ]
    }

    private static func sample(_ value: Double, _ extras: [String: Double] = [:]) -> Sample {
        Sample(value: value, microsecondsEach: 0, foreignProcessors: 0, extras: extras)
    }

    private static func use(_ lull: LullServer) throws {
        for _ in 0..<1000 {
            let connection = try HTTPConnection(port: lull.port)
            for path in ["/v1/downloads?limit=100", "/livez", "/readyz"] {
                let answer = try connection.exchange("GET", path)
                guard answer.status == 200 else {
                    throw BenchmarkError("\(path): \(answer.status)")
                }
            }
        }
        Thread.sleep(forTimeInterval: 20)
    }

    /// Files of attempts that no row names, in all folders.
    private static func scatter(in data: String) throws {
        for number in 0..<files {
            let folder = "\(data)/content/" + String(format: "%02x", number % 256)
            if number < 256 {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true)
            }
            let path = "\(folder)/dl_\(number).1"
            guard FileManager.default.createFile(atPath: path, contents: Data()) else {
                throw BenchmarkError("\(path) cannot be made")
            }
        }
    }
}
