// B5: creates, each answered after its commit, against one-row inserts by pgbench.
import Foundation

enum Submissions {
    private static let seconds = 10
    private static let connections = 64

    /// A download that is not due for years, so that only the intake works.
    static let body =
        #"{"url":"http://127.0.0.1:18080/exports/2026/11/report-0042.parquet","#
        + #""earliest_begin_date":"2036-01-01T00:00:00Z","task_description":"nightly export","#
        + #""count_of_bytes_client_expects_to_receive":10485760}"#

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["wrk", "pgbench", "psql"] { try plan.need(program) }
        let lull = try LullServer.roomy(
            plan, name: "b5-lull", connections: connections + 36)
        defer { lull.stop() }
        _ = try PostRun(
            port: lull.port, path: "/v1/downloads", bodies: [body], connections: 1)
        let script = try prepare(lull, plan)
        let rounds = try Rounds(
            plan,
            [
                ("pgbench", { _ in try insert(lull, script, plan).sample }),
                ("lull", { _ in try create(lull, plan).sample }),
            ])
        let counts = try Count.each(
            [
                ("pgbench", { try insert(lull, script, $0).count }),
                (
                    "lull",
                    { plan in
                        let lull = try LullServer.roomy(
                            plan, name: "b5-counted", connections: connections + 36)
                        defer { lull.stop() }
                        return try create(lull, plan).count
                    }
                ),
            ], name: "B5", plan)
        let bytes = try lull.value(
            "SELECT pg_column_size(d) FROM download_requests d LIMIT 1", plan: plan)
        return [
            Comparison(
                name: "B5", unit: "jobs/s", peerName: "pgbench INSERT", peer: rounds["pgbench"],
                lull: rounds["lull"], goal: .atLeast(1.5),
                note: "\(connections) connections, \(seconds) s; the peer's table has the columns, "
                    + "indexes and values of the wide row (\(bytes) bytes); Lull also writes the "
                    + "queue's row and the event; CPU each is Lull's and the database's",
                counts: Comparison.Counts(of: "pgbench", unit: "create", in: counts))
        ]
    }

    private static func create(
        _ lull: LullServer, _ plan: Plan
    ) throws -> (sample: Sample, count: Int) {
        let before = try lull.value("SELECT count(*) FROM downloads", plan: plan)
        let script = """
            wrk.method = "POST"
            wrk.headers["Content-Type"] = "application/json"
            wrk.body = '\(body)'
            """
        let (result, lap) = try Lap.time(servers: [lull.pid]) {
            try lull.counted {
                try Wrk(plan: plan, script: script).run(
                    port: lull.port, path: "/v1/downloads", connections: connections,
                    seconds: seconds)
            }
        }
        // Creates that wrk did not wait for may be stored, those that were answered must be.
        let stored = try lull.value("SELECT count(*) FROM downloads", plan: plan) - before
        guard (result.requests...result.requests + connections).contains(stored) else {
            throw BenchmarkError("\(result.requests) creates were answered, \(stored) are stored")
        }
        let sample = lap.sample(
            result.perSecond, count: result.requests,
            extras: ["p50_us": result.median, "p99_us": result.p99])
        return (sample, stored)
    }

    private static func insert(
        _ lull: LullServer, _ script: String, _ plan: Plan
    ) throws -> (sample: Sample, count: Int) {
        let before = try lull.value("SELECT count(*) FROM bench_jobs", plan: plan)
        let (output, lap) = try Lap.time(servers: [lull.pid]) {
            try lull.logged(by: "pgbench", plan) {
                try Command.check(
                    "pgbench",
                    [
                        "-n", "-M", "prepared", "-c", "\(connections)", "-j", "2",
                        "-T", "\(seconds)", "-f", script,
                    ], plan: plan, environment: lull.database)
            }
        }
        let stored = try lull.value("SELECT count(*) FROM bench_jobs", plan: plan) - before
        return (lap.sample(try PgBench(output: output).perSecond, count: stored), stored)
    }

    /// A table like that of downloads, and a script that inserts rows like Lull's.
    private static func prepare(_ lull: LullServer, _ plan: Plan) throws -> String {
        try Command.check(
            "psql", ["-XqAtc", "CREATE TABLE bench_jobs (LIKE download_requests INCLUDING ALL)"],
            plan: plan, environment: lull.database)
        let columns =
            "app_no, session_no, session, origin_key, class, priority, created_at, "
            + "earliest_begin_at, expected_bytes, url, spec"
        let values = try Command.check(
            "psql",
            [
                "-XqAtc",
                """
                SELECT format('%s, %s, %L, %s, %s, %s, now(), %L, %s, %L, %L', app_no, session_no,
                    session, origin_key, class, priority, earliest_begin_at, expected_bytes, url,
                    spec) FROM downloads LIMIT 1
                """,
            ], plan: plan, environment: lull.database)
        let file = plan.path("insert.sql")
        // A colon begins a variable of pgbench only before a letter or an underscore.
        let statement =
            "INSERT INTO bench_jobs (id, \(columns)) VALUES (gen_random_uuid(), "
            + "\(values.split(separator: "\n").joined()));\n"
        try Data(statement.utf8).write(to: URL(filePath: file))
        return file
    }
}
