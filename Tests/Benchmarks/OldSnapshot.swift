// B23: a claim while an old snapshot keeps every dead row, without autovacuum, after much churn.
import Foundation

enum OldSnapshot {
    /// The time during which rows change beside the snapshot; LULL_BENCH_SNAPSHOT_SECONDS sets
    /// another.
    private static let seconds =
        ProcessInfo.processInfo.environment["LULL_BENCH_SNAPSHOT_SECONDS"].flatMap { Double($0) }
        ?? 60
    private static let batch = 1_000
    /// The most downloads a second, so that the disk has room for those of an hour.
    private static let perSecond = 150.0

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "psql", "pgbench"] { try plan.need(program) }
        let origin = try NginxServer(plan, name: "b23-nginx", location: "return 200 \"x\";")
        defer { origin.stop() }
        let lull = try LullServer(
            plan, name: "b23-lull", settings: ["LULL_MAX_RUNNING_PER_ORIGIN": "64"])
        defer { lull.stop() }
        try Backlog(lanes: 500, each: 20, isClosed: true).fill(lull, plan)
        var calm: [Sample] = []
        for round in 0..<plan.pairs {
            calm.append(try Claims.claim(lull, plan, "b23-calm-\(round)"))
        }
        try Command.check(
            "psql",
            ["-Xqc", "ALTER SYSTEM SET autovacuum = off", "-c", "SELECT pg_reload_conf()"],
            plan: plan, environment: lull.database)
        let snapshot = try Command(
            "psql",
            [
                "-Xqc",
                "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM gates; "
                    + "SELECT pg_sleep(86400)",
            ], plan: plan, log: plan.path("b23-snapshot.log"), environment: lull.database)
        defer { snapshot.stop() }
        let ended = try churn(lull, origin, plan)
        var old: [Sample] = []
        for round in 0..<plan.pairs {
            old.append(try Claims.claim(lull, plan, "b23-old-\(round)"))
        }
        guard snapshot.isRunning else { throw BenchmarkError("the snapshot was given up") }
        return [
            Comparison(
                name: "B23", unit: "claims/s", peerName: "calm", peer: calm, lull: old,
                goal: .atLeast(0.33),
                note: "1 over the median of a look and claim of 50 among 10,000 rows; a snapshot "
                    + "was open and autovacuum off for \(Int(seconds)) s, in which \(ended) "
                    + "downloads were created, fetched and ended, \(Int(perSecond)) a second at "
                    + "most")
        ]
    }

    /// Creates and fetches until the time is over.
    ///
    /// - Returns: the number of downloads that have ended.
    private static func churn(
        _ lull: LullServer, _ origin: NginxServer, _ plan: Plan
    ) throws -> Int {
        // The session is not that of the waiting rows, which lets no download begin.
        let made = try HTTPConnection(port: lull.port).exchange(
            "PUT", "/v1/sessions/churn", body: "{}")
        guard made.status == 201 else { throw BenchmarkError("session: \(made.status)") }
        let items = (0..<batch).map { #"{"url":"http://127.0.0.1:\#(origin.port)/\#($0)"}"# }
        let body =
            #"{"session":"churn","downloads":[\#(items.joined(separator: ","))]}"#
        let began = ContinuousClock.now
        var count = 0
        while .now < began + .seconds(seconds) {
            _ = try PostRun(
                port: lull.port, path: "/v1/downloads/batch", bodies: [body], connections: 1)
            count += batch
            // The check for the end is slow, because a list walks the versions of rows that the
            // snapshot keeps.
            while try !lull.isIdle(session: "churn") { Thread.sleep(forTimeInterval: 0.5) }
            let due = began + .seconds(Double(count) / perSecond)
            Thread.sleep(forTimeInterval: max(0, (due - .now) / .seconds(1)))
        }
        let ended = try lull.value(
            "SELECT count(*) FROM downloads WHERE state = lull_state('succeeded')", plan: plan)
        guard ended == count else { throw BenchmarkError("\(ended) of \(count) succeeded") }
        return count
    }
}
