// B21: a walk over 300,000 downloads for a filter that few of them meet.
import Foundation

enum RareFilter {
    private static let rows = 300_000
    private static let marked = 3

    /// A page of the list with a filter.
    private struct Page: Decodable {
        let data: [LullServer.Download]
        let nextCursor: String?
    }

    static func run(_ plan: Plan) throws -> [Comparison] {
        try plan.need("psql")
        let lull = try LullServer(plan, name: "b21")
        defer { lull.stop() }
        try Command.check(
            "psql",
            [
                "-Xqc",
                """
                INSERT INTO origins (origin) VALUES ('https://o:443');
                INSERT INTO download_requests (id, app_no, session_no, created_at, session, url,
                    spec, origin_key, priority, class)
                SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - 4000000 + n), 12,
                    '0') || '7000' || '8' || lpad(to_hex(n), 15, '0'))::uuid, 1, 1, now(),
                    'default', 'https://o/f', CASE WHEN n % \(rows / marked) = 0
                        THEN '{"metadata": {"kind": "rare"}}' ELSE '{}' END::jsonb,
                    (SELECT max(origin_key) FROM origins), 0.5, 0
                FROM generate_series(1, \(rows)) n;
                INSERT INTO download_results (app_no, id, state, finished_at)
                SELECT app_no, id, lull_state('failed'), now() FROM download_requests;
                """,
            ], plan: plan, environment: lull.database)
        try Command.check(
            "psql", ["-Xqc", "VACUUM ANALYZE download_requests, download_results"], plan: plan,
            environment: lull.database)
        let rounds = try Rounds(
            plan,
            [
                (
                    "limit",
                    { _ in Sample(value: 0.2, microsecondsEach: 0, foreignProcessors: 0) }
                ),
                ("lull", { _ in try walk(lull) }),
            ])
        return [
            Comparison(
                name: "B21 rare filter", unit: "walks/s", peerName: "a walk in 5 s",
                peer: rounds["limit"], lull: rounds["lull"], goal: .atLeast(1),
                note:
                    "GET /v1/downloads?metadata[kind]=rare over \(rows) rows, page by page to its "
                    + "end; \(marked) rows meet it")
        ]
    }

    private static func walk(_ lull: LullServer) throws -> Sample {
        let connection = try HTTPConnection(port: lull.port)
        var (found, pages) = (0, 0)
        let (_, lap) = try Lap.time(servers: [lull.pid]) {
            var cursor: String?
            repeat {
                let place = cursor.map { "&cursor=\($0)" } ?? ""
                let answer = try connection.exchange(
                    "GET", "/v1/downloads?metadata%5Bkind%5D=rare&limit=100\(place)")
                guard answer.status == 200 else { throw BenchmarkError("a page: \(answer.status)") }
                let page = try answer.json(Page.self)
                found += page.data.count
                pages += 1
                cursor = page.nextCursor
            } while cursor != nil
        }
        guard found == marked else {
            throw BenchmarkError("\(found) of \(marked) were found on \(pages) pages")
        }
        return lap.sample(
            1 / lap.seconds, count: 1, extras: ["pages": Double(pages), "seconds": lap.seconds])
    }
}
