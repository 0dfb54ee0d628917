// B14: the bytes that a finished download with one webhook leaves in the database.
import Foundation

enum Footprint {
    private static let downloads = 2_000
    private static let each = 100
    private static let goal = 2_500.0

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "psql"] { try plan.need(program) }
        let nginx = try NginxServer(plan, name: "b14-nginx", location: "return 200 \"content\";")
        defer { nginx.stop() }
        let samples = try (0..<plan.pairs).map { round in
            let left = try bytesLeft(round, nginx.port, plan)
            Report.say("  \(round + 1)/\(plan.pairs) lull: \(Int(left)) bytes")
            return Sample(value: left, microsecondsEach: 0, foreignProcessors: 0)
        }
        return [
            Comparison(
                name: "B14", unit: "bytes each", peerName: "\(Int(goal)) bytes",
                peer: samples.map { _ in
                    Sample(value: goal, microsecondsEach: 0, foreignProcessors: 0)
                }, lull: samples, goal: .atMost(1),
                note: "how much all relations of the database grow between the \(downloads)th and "
                    + "the \(2 * downloads)th download that has ended, with one webhook that was "
                    + "delivered, after VACUUM")
        ]
    }

    private static func bytesLeft(_ round: Int, _ origin: Int, _ plan: Plan) throws -> Double {
        let lull = try LullServer(
            plan, name: "b14-lull-\(round)",
            settings: [
                "LULL_WEBHOOK_DESTINATIONS": "loopback", "LULL_LOG_LEVEL": "error",
                "LULL_MAX_RUNNING_PER_ORIGIN": "64",
            ])
        defer { lull.stop() }
        let base = "http://127.0.0.1:\(origin)"
        let item = #"{"url":"\#(base)/f","webhook_url":"\#(base)/h"}"#
        let items = Array(repeating: item, count: each).joined(separator: ",")
        let bodies = Array(repeating: #"{"downloads":[\#(items)]}"#, count: downloads / each)
        func size(after count: Int) throws -> Int {
            _ = try PostRun(
                port: lull.port, path: "/v1/downloads/batch", bodies: bodies, connections: 1)
            let end = ContinuousClock.now + .seconds(300)
            while try lull.value("SELECT count(*) FROM deliveries WHERE state = 2", plan: plan)
                < count
            {
                guard .now < end else { throw BenchmarkError("webhooks did not arrive") }
                Thread.sleep(forTimeInterval: 0.1)
            }
            // VACUUM runs twice: the first makes empty pages of indexes, the second lets them be
            // used again.
            for statement in ["VACUUM", "VACUUM", "CHECKPOINT"] {
                try Command.check(
                    "psql", ["-XqAtc", statement], plan: plan, environment: lull.database)
            }
            return try lull.value(
                """
                SELECT sum(pg_relation_size(oid)) FROM pg_class
                WHERE relkind IN ('r', 'i', 't') AND oid >= 16384
                """, plan: plan)
        }
        let before = try size(after: downloads)
        return Double(try size(after: 2 * downloads) - before) / Double(downloads)
    }
}
