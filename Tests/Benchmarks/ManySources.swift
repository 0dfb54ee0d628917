// B26: the looks of a thousand sources, alone and beside fifty thousand others.
import Foundation

enum ManySources {
    /// As many as an app may have.
    private static let looking = 1_000
    private static let others = 50_000
    /// The time without a due source in which the reads of the database are counted.
    private static let quietSeconds = 20

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "psql"] { try plan.need(program) }
        let body = String(repeating: "x", count: 1024)
        let origin = try NginxServer(plan, name: "b26-nginx", location: "return 200 \"\(body)\";")
        defer { origin.stop() }
        func side(_ name: String, others: Int) -> (String, (Int) throws -> Sample) {
            (name, { try look(name: "b26-\(name)-\($0)", at: origin.port, others: others, plan) })
        }
        let rounds = try Rounds(
            plan, [side("alone", others: 0), side("beside", others: others)])
        return [
            Comparison(
                name: "B26 looks of sources", unit: "looks/s", peerName: "no others",
                peer: rounds["alone"], lull: rounds["beside"], goal: .atLeast(0.8),
                note:
                    "from the first of \(looking) PUTs of a source until each has looked at its "
                    + "file of 1 KiB, beside \(others) sources that are not due; rows_each are "
                    + "rows that the database read for a look, quiet_rows and "
                    + "quiet_transactions those of \(quietSeconds) s without a due source")
        ]
    }

    private static func look(
        name: String, at port: Int, others: Int, _ plan: Plan
    ) throws -> Sample {
        let lull = try LullServer(
            plan, name: name,
            settings: ["LULL_MAX_RUNNING": "64", "LULL_MAX_RUNNING_PER_ORIGIN": "64"])
        defer { lull.stop() }
        let connection = try HTTPConnection(port: lull.port)
        func put(_ number: Int) throws {
            let answer = try connection.exchange(
                "PUT", "/v1/sources/s\(number)",
                body: """
                    {"url": "http://127.0.0.1:\(port)/\(number)", "kind": "file", \
                    "schedule": {"every": "6h"}}
                    """)
            guard answer.status == 201 else { throw BenchmarkError("a source: \(answer.status)") }
        }
        func looked(_ count: Int) throws {
            while try lull.value(
                "SELECT count(*) FROM source_looks WHERE outcome IS NOT NULL", plan: plan) < count
            { Thread.sleep(forTimeInterval: 0.1) }
        }
        try put(0)
        try looked(1)
        if others > 0 { try copy(others, lull, plan) }
        let before = try readings(lull, plan)
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            for number in 1...looking - 1 { try put(number) }
            try looked(looking)
        }
        Thread.sleep(forTimeInterval: 3)
        let after = try readings(lull, plan)
        Thread.sleep(forTimeInterval: Double(quietSeconds))
        let quiet = try readings(lull, plan)
        let count = looking - 1
        return lap.sample(
            Double(count) / lap.seconds, count: count,
            extras: [
                "rows_each": Double(after.rows - before.rows) / Double(count),
                "quiet_rows": Double(quiet.rows - after.rows),
                "quiet_transactions": Double(quiet.transactions - after.transactions),
            ])
    }

    /// Copies the first source into apps of a thousand, each with a look within the next day.
    private static func copy(_ count: Int, _ lull: LullServer, _ plan: Plan) throws {
        try Command.check(
            "psql",
            [
                "-Xqc",
                """
                INSERT INTO sources (app_no, identifier, id, session, spec, turn_at, timetable,
                    known)
                SELECT 2 + n / \(looking), 'c' || n, gen_random_uuid(), s.session, s.spec,
                    now() + interval '1 hour' + n * interval '1 second', s.timetable, s.known
                FROM sources s, generate_series(1, \(count)) n WHERE s.identifier = 's0'
                """,
            ], plan: plan, environment: lull.database)
        try Command.check(
            "psql", ["-Xqc", "VACUUM ANALYZE sources"], plan: plan, environment: lull.database)
    }

    /// Rows that the database has read, and its transactions, as far as sessions have told.
    private static func readings(
        _ lull: LullServer, _ plan: Plan
    ) throws -> (rows: Int, transactions: Int) {
        // Sessions tell their figures within a second after their last transaction.
        Thread.sleep(forTimeInterval: 1.5)
        func sum(_ figure: String) throws -> Int {
            try lull.value("SELECT sum(\(figure)) FROM pg_stat_database", plan: plan)
        }
        return (
            try sum("tup_fetched + tup_returned"), try sum("xact_commit + xact_rollback")
        )
    }
}
