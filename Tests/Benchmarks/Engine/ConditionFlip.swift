// B16: a pushed condition that flips for very many waiting downloads, against one that flips none.
// LULL_BENCH_PAIRS is 2 at most: a condition that changes more often in ten minutes is damped.
import Foundation

enum ConditionFlip {
    /// The number of waiting downloads; LULL_BENCH_WAITING sets a smaller one.
    private static let waiting =
        ProcessInfo.processInfo.environment["LULL_BENCH_WAITING"].flatMap { Int($0) } ?? 1_000_000
    /// The largest number of lanes: each has an address of its own.
    private static let lanes = min(100_000, max(1, waiting / 10))
    private static let running = 64
    private static let policy = """
        {"conditions": {"grid": {"type": "number", "default": 9},
                        "other": {"type": "number", "default": 9}},
         "rules": [{"name": "grid", "require": ["grid < 5"]},
                   {"name": "none", "match": {"session": "nobody"}, "require": ["other < 5"]}]}
        """

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("psql")
        // The origin answers at every address of the loopback: a network whose origins all refuse
        // counts as not reached, and one download at a time tries.
        let origin = try NginxServer(
            plan, name: "b16-nginx", location: "return 404;", addresses: ["0.0.0.0"])
        defer { origin.stop() }
        let lull = try LullServer(
            plan, name: "b16", settings: ["LULL_MAX_RUNNING": String(running)])
        defer { lull.stop() }
        let connection = try HTTPConnection(port: lull.port)
        try put(connection)
        let before = try ProcessFigures(of: lull.pid).peakBytes
        try Backlog(
            lanes: lanes, each: max(1, waiting / lanes),
            origin: "'http://127.' || 10 + n / 62500 || '.' || n / 250 % 250 || '.' "
                + "|| n % 250 + 1 || ':\(origin.port)'"
        ).fill(lull, plan)
        // A new version of the policy makes the replica read all lanes again.
        try put(connection)
        try settle(lull)
        let bytes = try ProcessFigures(of: lull.pid).peakBytes - before
        Report.say("  \(lanes) lanes are known, \(bytes / lanes) bytes each at the peak")
        let rounds = try Rounds(
            plan,
            [
                ("flips nothing", { _ in try flip("other", lull, connection, plan) }),
                ("flips all", { _ in try flip("grid", lull, connection, plan) }),
            ])
        let note =
            "\(waiting) waiting downloads in \(lanes) lanes; 1 over the time of the PUT. acted_ms "
            + "is from the push to the first claim, by the database's clock, and has to be below "
            + "1,000"
        return [
            Comparison(
                name: "B16 \(waiting) wait", unit: "pushes/s", peerName: "flips nothing",
                peer: rounds["flips nothing"], lull: rounds["flips all"], goal: .atLeast(0.5),
                note: note)
        ]
    }

    private static func put(_ connection: HTTPConnection) throws {
        let stored = try connection.exchange("PUT", "/v1/policy", body: policy)
        guard stored.status == 200 else {
            throw BenchmarkError("the policy was answered \(stored.status)")
        }
    }

    /// Waits until every lane was read.
    private static func settle(_ lull: LullServer) throws {
        for _ in 0..<6000 {
            if try lull.metric("lull_lanes_known") >= lanes { return }
            Thread.sleep(forTimeInterval: 0.05)
        }
        throw BenchmarkError("the lanes were not read within five minutes")
    }

    private static func push(
        _ name: String, _ value: Int, _ connection: HTTPConnection
    ) throws {
        let answer = try connection.exchange(
            "PUT", "/v1/conditions/\(name)", body: #"{"value": \#(value)}"#)
        guard answer.status == 200 else {
            throw BenchmarkError("a push was answered \(answer.status)")
        }
    }

    private static func flip(
        _ name: String, _ lull: LullServer, _ connection: HTTPConnection, _ plan: Plan
    ) throws -> Sample {
        let claimed = "SELECT count(*) FROM attempts"
        let before = try lull.value(claimed, plan: plan)
        var pushSeconds = 0.0
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            pushSeconds = try Lap.time { try push(name, 1, connection) }.lap.seconds
            // The pause is equal for both, so that their processor times compare.
            Thread.sleep(forTimeInterval: 0.2)
        }
        var acted = 0
        if name == "grid" {
            for _ in 0..<200 {
                acted = try lull.value(
                    """
                    SELECT coalesce(ceil(extract(epoch FROM min(a.started_at)
                        - min(c.pushed_at)) * 1000), -1)::bigint
                    FROM conditions c LEFT JOIN attempts a ON a.started_at >= c.pushed_at
                    WHERE c.name = 'grid'
                    """, plan: plan)
                if acted >= 0 { break }
                Thread.sleep(forTimeInterval: 0.02)
            }
            guard (0..<1000).contains(acted) else {
                throw BenchmarkError("the first claim came \(acted) ms after the push")
            }
        } else {
            let after = try lull.value(claimed, plan: plan)
            guard after == before else { throw BenchmarkError("something was claimed") }
        }
        try push(name, 9, connection)
        Thread.sleep(forTimeInterval: 1)
        return lap.sample(
            1 / pushSeconds, count: 1,
            extras: ["acted_ms": Double(acted), "push_ms": pushSeconds * 1000])
    }
}
