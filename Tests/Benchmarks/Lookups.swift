// B6: one download by its identifier, against SELECTs of such a row by its key.
import Foundation

enum Lookups {
    private static let seconds = 10
    private static let connections = 128
    private static let clients = 64
    private static let rows = 10_000

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["wrk", "pgbench", "psql"] { try plan.need(program) }
        let lull = try LullServer.roomy(plan, name: "b6-lull", connections: clients + 36)
        defer { lull.stop() }
        let script = try fill(lull)
        let statement = try prepare(lull, plan)
        let rounds = try Rounds(
            plan,
            [
                ("pgbench", { _ in try select(lull, statement, plan).sample }),
                ("lull", { _ in try get(lull, script, plan).sample }),
            ])
        let counts = try Count.each(
            [
                ("pgbench", { try select(lull, statement, $0).count }),
                (
                    "lull",
                    { plan in
                        let lull = try LullServer(plan, name: "b6-counted", isCounted: false)
                        defer { lull.stop() }
                        return try get(lull, try fill(lull), plan).count
                    }
                ),
            ], name: "B6", plan)
        return [
            Comparison(
                name: "B6", unit: "reads/s", peerName: "pgbench SELECT", peer: rounds["pgbench"],
                lull: rounds["lull"], goal: .atLeast(0.9),
                note: "wrk -t1 -c\(connections), pgbench -M prepared -c \(clients) -j 2, "
                    + "\(seconds) s, \(rows) waiting rows in turn and at random; the peer reads "
                    + "the wide row from a copy of the table, Lull joins queue and gates; CPU "
                    + "each is Lull's and the database's",
                counts: Comparison.Counts(of: "pgbench", unit: "read", in: counts))
        ]
    }

    /// Creates the rows, and returns the script that asks for each of them.
    private static func fill(_ lull: LullServer) throws -> String {
        let body = Submissions.body
        let run = try PostRun(
            port: lull.port, path: "/v1/downloads", bodies: Array(repeating: body, count: rows),
            connections: 64)
        return requests(for: try run.answers.map(Created.id))
    }

    /// Lua that asks for one download after the other; the requests are made beforehand, so that
    /// wrk stays cheap.
    static func requests(for ids: [String]) -> String {
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            local ids = {\(list)}
            local whole, place = {}, 0
            init = function()
              for index, id in ipairs(ids) do
                whole[index] = wrk.format("GET", "/v1/downloads/" .. id)
              end
            end
            request = function()
              place = place % #whole + 1
              return whole[place]
            end
            """
    }

    private static func get(
        _ lull: LullServer, _ script: String, _ plan: Plan
    ) throws -> (sample: Sample, count: Int) {
        let (result, lap) = try Lap.time(servers: [lull.pid]) {
            try lull.counted {
                try Wrk(plan: plan, script: script).run(
                    port: lull.port, path: "/", connections: connections, seconds: seconds)
            }
        }
        let sample = lap.sample(
            result.perSecond, count: result.requests,
            extras: ["p50_us": result.median, "p99_us": result.p99])
        return (sample, result.requests)
    }

    private static func select(
        _ lull: LullServer, _ script: String, _ plan: Plan
    ) throws -> (sample: Sample, count: Int) {
        let (result, lap) = try Lap.time(servers: [lull.pid]) {
            try lull.logged(by: "pgbench", plan) {
                try PgBench(
                    output: try Command.check(
                        "pgbench",
                        [
                            "-n", "-M", "prepared", "-c", "\(clients)", "-j", "2",
                            "-T", "\(seconds)", "-f", script,
                        ], plan: plan, environment: lull.database))
            }
        }
        let count = result.transactions
        return (lap.sample(result.perSecond, count: count), count)
    }

    /// A table with equal rows under a number that pgbench can draw.
    private static func prepare(_ lull: LullServer, _ plan: Plan) throws -> String {
        for sql in [
            "CREATE TABLE bench_rows AS SELECT row_number() OVER ()::int AS number, d.* "
                + "FROM downloads d",
            "ALTER TABLE bench_rows ADD PRIMARY KEY (number)",
            "VACUUM ANALYZE",
        ] {
            try Command.check(
                "psql", ["-XqAtc", sql], plan: plan, environment: lull.database)
        }
        let file = plan.path("select.sql")
        let text = """
            \\set number random(1, \(rows))
            SELECT * FROM bench_rows WHERE number = :number;

            """
        try Data(text.utf8).write(to: URL(filePath: file))
        return file
    }
}

/// The figures that pgbench prints at its end.
struct PgBench {
    let perSecond: Double
    let transactions: Int

    init(output: String) throws {
        func word(after start: String) -> Substring? {
            let line = output.split(separator: "\n").first { $0.hasPrefix(start) }
            return line?.dropFirst(start.count).prefix { $0 != " " && $0 != "/" }
        }
        guard let rate = word(after: "tps = ").flatMap({ Double($0) }),
            let count = word(after: "number of transactions actually processed: ")
                .flatMap({ Int($0) })
        else { throw BenchmarkError("pgbench said \(output)") }
        perSecond = rate
        transactions = count
    }
}
