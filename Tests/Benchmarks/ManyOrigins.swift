// B13: small files from very many origins, against as many files from forty.
import Foundation

enum ManyOrigins {
    private static let count = 4_000
    private static let few = 40
    /// The number of waiting lanes that are due.
    private static let due = 100
    private static let lanes = 100_000
    private static let atOnce = 128
    private static let batch = 1_000

    static func run(_ plan: Plan) throws -> [Comparison] {
        for program in ["nginx", "psql"] { try plan.need(program) }
        let addresses = (0..<count).map { "127.1.\($0 / 250).\($0 % 250 + 1)" }
        let body = String(repeating: "x", count: 1024)
        let origin = try NginxServer(
            plan, name: "b13-nginx", location: "return 200 \"\(body)\";",
            addresses: ["127.0.0.1"] + addresses)
        defer { origin.stop() }
        func side(_ name: String, origins: Int, dated: Int) -> (String, (Int) throws -> Sample) {
            (
                name,
                { round in
                    try fetch(
                        name: "b13-\(origins)-\(dated)-\(round)", port: origin.port,
                        Array(addresses.prefix(origins)), dated: dated, plan)
                }
            )
        }
        let rounds = try Rounds(
            plan,
            [
                side("few", origins: few, dated: 0), side("many", origins: count, dated: 0),
                side("dated", origins: due, dated: lanes - due),
            ])
        let note =
            "\(count) files of 1 KiB in batches of \(batch), LULL_MAX_RUNNING \(atOnce), "
            + "6 an origin; from the first POST until the last has succeeded"
        return [
            ("B13 \(count) origins", "many"), ("B13 \(due) of \(lanes) lanes due", "dated"),
        ].map { name, side in
            Comparison(
                name: name, unit: "files/s", peerName: "\(few) origins", peer: rounds["few"],
                lull: rounds[side], goal: .atLeast(0.8), note: note)
        }
    }

    private static func fetch(
        name: String, port: Int, _ origins: [String], dated: Int, _ plan: Plan
    ) throws -> Sample {
        let lull = try LullServer(
            plan, name: name,
            settings: [
                "LULL_MAX_RUNNING": String(atOnce), "LULL_MAX_RUNNING_PER_ORIGIN": "6",
            ])
        defer { lull.stop() }
        if dated > 0 { try wait(dated, lull, plan) }
        let urls = (0..<count).map { "http://\(origins[$0 % origins.count]):\(port)/\($0)" }
        let bodies = stride(from: 0, to: count, by: batch).map { first in
            let items = urls[first..<first + batch].map { #"{"url":"\#($0)"}"# }
            return #"{"downloads":[\#(items.joined(separator: ","))]}"#
        }
        let before = try DatabaseShare(of: lull, plan)
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            _ = try PostRun(
                port: lull.port, path: "/v1/downloads/batch", bodies: bodies, connections: 1)
            while try lull.value(
                "SELECT count(*) FROM downloads WHERE state = lull_state('succeeded')", plan: plan)
                < count
            { Thread.sleep(forTimeInterval: 0.05) }
        }
        let share = try DatabaseShare(of: lull, plan).each(of: count, since: before)
        return lap.sample(Double(count) / lap.seconds, count: count, extras: share)
    }

    /// Adds lanes that wait for tomorrow.
    private static func wait(_ lanes: Int, _ lull: LullServer, _ plan: Plan) throws {
        try Command.check(
            "psql",
            [
                "-Xqc",
                """
                SELECT lull_make_origins(array_agg('https://w' || n || ':443'))
                    FROM generate_series(1, \(lanes)) n;
                SELECT cardinality(lull_enter_lanes(array_agg(ROW(1, 1, origin_key, 0, 2, 3, 0,
                    'infinity', now() + interval '1 day', 'infinity', 0)::lane_entry
                    ORDER BY origin_key)))
                    FROM origins;
                INSERT INTO queue (id, lane_no, app_no, run_at, session_no, origin_key,
                    state_since, deadline, life_since, class, rank)
                SELECT gen_random_uuid(), lane_no, 1, next_at, 1, origin_key, now(),
                    now() + interval '8 days', now(), 0, 2 FROM lanes;
                """,
            ], plan: plan, environment: lull.database)
    }
}
