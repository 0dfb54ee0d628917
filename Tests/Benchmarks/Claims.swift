// B8: a claim of fifty whatever waits, against a claim before ten thousand rows.
import Foundation

enum Claims {
    private static let each = 50
    private static let transactions = 200

    /// A queue to claim from.
    private struct Shape {
        let name: String
        let lanes: Int
        let rows: Int
        /// Rows before all others whose origin has all its places taken.
        var full = 0
    }

    private static let base = Shape(name: "10k uniform", lanes: 500, rows: 10_000)
    /// The number of waiting rows in the large queues; LULL_BENCH_WAITING sets another.
    private static let waiting =
        ProcessInfo.processInfo.environment["LULL_BENCH_WAITING"].flatMap { Int($0) } ?? 1_000_000
    private static let shapes = [
        Shape(name: "\(waiting) uniform", lanes: 500, rows: waiting),
        Shape(
            name: "\(waiting), one full origin", lanes: 500, rows: 10_000,
            full: max(1, waiting - 10_000)),
        Shape(name: "100,000 lanes", lanes: 100_000, rows: 100_000),
    ]

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["psql", "pgbench"] { try plan.need(program) }
        var servers: [(shape: Shape, lull: LullServer)] = []
        defer { for server in servers { server.lull.stop() } }
        for (place, shape) in ([base] + shapes).enumerated() {
            let lull = try LullServer(plan, name: "b8-\(place)")
            servers.append((shape, lull))
            // The session is closed, so that nothing but the benchmark claims.
            try Backlog(
                lanes: shape.lanes, each: shape.rows / shape.lanes, isClosed: true, full: shape.full
            ).fill(lull, plan)
        }
        let rounds = try Rounds(
            plan,
            servers.enumerated().map { place, server in
                (server.shape.name, { try claim(server.lull, plan, "b8-\(place)-\($0)") })
            })
        return shapes.map { shape in
            Comparison(
                name: "B8 \(shape.name)", unit: "claims/s", peerName: base.name,
                peer: rounds[base.name], lull: rounds[shape.name], goal: .atLeast(0.67),
                note:
                    "1 over the median of \(transactions) looks and claims of \(each), each rolled "
                    + "back; one connection of pgbench")
        }
    }

    /// The median of looks and claims of fifty, each rolled back.
    static func claim(_ lull: LullServer, _ plan: Plan, _ name: String) throws -> Sample {
        let folder = try plan.makeFolder(name)
        let script = """
            BEGIN;
            UPDATE gates SET running_limit = NULL WHERE kind = lull_gate('session');
            SELECT 1 / (count(c) = \(each))::int FROM (
                SELECT array_agg(ROW(z.lane_no, 1, 6, NULL, NULL, NULL, NULL)::claim_lane) AS lanes
                FROM (
                SELECT lane_no FROM lull_lanes('{0,2}', 32, \(2 * each), '0', 0, '{}', '{}')
                ORDER BY next_at LIMIT \(2 * each)) z) l,
                lull_claim((SELECT max(replica_no) FROM replicas), l.lanes, '{}', NULL, \(each),
                    NULL) c;
            ROLLBACK;

            """
        try Data(script.utf8).write(to: URL(filePath: "\(folder)/claim.sql"))
        let before = try DatabaseShare(of: lull, plan)
        let (_, lap) = try Lap.time {
            try Command.check(
                "pgbench",
                [
                    "-n", "-M", "prepared", "-t", "\(transactions)", "-f", "\(folder)/claim.sql",
                    "-l", "--log-prefix", "\(folder)/log",
                ], plan: plan, environment: lull.ledger)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        guard let log = files.first(where: { $0.hasPrefix("log") }) else {
            throw BenchmarkError("pgbench wrote no log")
        }
        let lines = try String(contentsOfFile: "\(folder)/\(log)", encoding: .utf8)
            .split(separator: "\n")
        let times = lines.compactMap { Double($0.split(separator: " ")[2]) }.sorted()
        guard times.count == transactions else { throw BenchmarkError("a claim failed") }
        let median = times[times.count / 2] / 1_000_000
        var extras = try DatabaseShare(of: lull, plan).each(of: transactions, since: before)
        extras["ms_median"] = median * 1000
        extras["ms_p99"] = times[times.count * 99 / 100] / 1000
        return lap.sample(1 / median, count: transactions, extras: extras)
    }
}
