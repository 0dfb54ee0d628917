// The number of rows that a page of a list reads.
import Base
import Downloads
import Postgres
import Testing

@testable import Store

@Suite struct ListTests {
    @Test(arguments: [DownloadOrder.newestFirst, .oldestFirst])
    func liveListIsReadInIndexOrder(_ order: DownloadOrder) async throws {
        try await StoreLab.with { lab in
            try await lab.submit(60)
            var filter = DownloadFilter()
            filter.states = [.waiting, .running]
            let plan = try await ListTests.plan(lab, filter, order)
            #expect(
                plan.contains { $0.contains("queue_pkey") && $0.contains(#/rows=3(\.00)? /#) },
                "\(plan)")
            #expect(!plan.contains { $0.contains("Sort") || $0.contains("Seq Scan") }, "\(plan)")
        }
    }

    @Test(arguments: [DownloadOrder.newestFirst, .oldestFirst])
    func unfilteredListIsReadInIndexOrder(_ order: DownloadOrder) async throws {
        try await StoreLab.with { lab in
            try await lab.submit(60)
            let plan = try await ListTests.plan(lab, DownloadFilter(), order)
            #expect(
                plan.contains {
                    $0.contains("app_no_is_upload_id") && $0.contains(#/rows=3(\.00)? /#)
                },
                "\(plan)")
            #expect(!plan.contains { $0.contains("Sort") || $0.contains("Seq Scan") }, "\(plan)")
        }
    }

    private static func filters() -> [(name: String, filter: DownloadFilter)] {
        var list: [(name: String, filter: DownloadFilter)] = []
        func add(_ name: String, _ change: (inout DownloadFilter) -> Void) {
            var filter = DownloadFilter()
            change(&filter)
            list.append((name, filter))
        }
        add("failed") { $0.states = [.failed] }
        add("running") { $0.states = [.running, .canceling] }
        add("suspended") { $0.states = [.suspended] }
        add("mixed") { $0.states = [.failed, .suspended] }
        add("metadata") { $0.metadata = ["k": "v"] }
        add("origin") { $0.origin = "https://rare.example:443" }
        add("time") { $0.createdAfter = Timestamp(seconds: 4_000_000_000) }
        add("end") { $0.completedAfter = Timestamp(seconds: 4_000_000_000) }
        add("code") { $0.errorCode = .stalled }
        add("text") { $0.texts = ["rare"] }
        add("session") { $0.session = "rare" }
        add("session and state") {
            $0.session = "rare"
            $0.states = [.failed]
        }
        return list
    }

    /// Filters that an order by time may have, and that few downloads pass.
    private static func rareFilters(
        _ order: DownloadOrder
    ) -> [(name: String, filter: DownloadFilter)] {
        filters().compactMap { name, filter in
            var filter = filter
            if order == .next {
                filter.states = [.waiting]
            } else if !filter.states.allSatisfy(\.isTerminal) {
                return nil
            }
            return (name, filter)
        }
    }

    /// Whatever filter is asked of 20,000 downloads that do not pass it: the test counts rows, not
    /// time.
    @Test func pageOfARareFilterLooksAtABoundedNumber() async throws {
        try await StoreLab.with { lab in
            try await lab.pool.script(
                """
                INSERT INTO sessions (app_no, identifier) VALUES (1, 'rare');
                INSERT INTO download_requests (id, app_no, session_no, created_at, session, url,
                    spec, origin_key, priority, class)
                SELECT ('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 1, 1,
                    clock_timestamp(), 'default', 'https://a.example', '{}', 1, 0.5, 0
                FROM generate_series(1, 20000) n;
                INSERT INTO download_results (app_no, id, state, result, finished_at)
                SELECT 1, ('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                    CASE WHEN n % 2 = 0 THEN lull_state('succeeded') END, '{}', clock_timestamp()
                FROM generate_series(1, 20000) n;
                """)
            let id = try await lab.submit()[0]
            _ = try await lab.pool.query(
                """
                INSERT INTO queue
                SELECT (jsonb_populate_record(q, jsonb_build_object('id', d.id))).*
                FROM queue q, downloads d WHERE q.id = $1 AND d.state IS NULL AND d.id <> q.id
                """, [UUIDValue(id)])
            for isAnalyzed in [false, true] {
                if isAnalyzed { try await lab.pool.script("ANALYZE") }
                for order in [DownloadOrder.newestFirst, .oldestFirst] {
                    for (name, filter) in ListTests.filters() {
                        let plan = try await ListTests.plan(lab, filter, order)
                        let most = ListTests.most(plan)
                        #expect(most.read <= 1000, "\(name) \(order) \(plan)")
                        #expect(most.removed <= 1000, "\(name) \(order) \(plan)")
                        #expect(!plan.contains { $0.contains("Seq Scan on queue") }, "\(plan)")
                    }
                }
                for order in [DownloadOrder.lastEndFirst, .firstEndFirst, .next] {
                    for (name, filter) in ListTests.rareFilters(order) {
                        let plan = try await ListTests.plan(lab, filter, order)
                        let most = ListTests.most(plan)
                        #expect(most.read <= 1000, "\(name) \(order) \(plan)")
                        #expect(most.removed <= 1000, "\(name) \(order) \(plan)")
                        #expect(
                            !plan.contains { $0.contains("Seq Scan") || $0.contains("Sort") },
                            "\(name) \(order) \(plan)")
                    }
                }
            }
        }
    }

    /// The live downloads of an app or a session are found among its own, even if others have more.
    @Test(arguments: [DownloadOrder.newestFirst, .oldestFirst])
    func liveListDoesNotWalkTheQueueOfOtherApps(_ order: DownloadOrder) async throws {
        try await StoreLab.with { lab in
            // Downloads of other apps are older and newer than those of the app.
            try await lab.pool.script(
                """
                INSERT INTO apps (name) VALUES ('other');
                INSERT INTO sessions (app_no, identifier) VALUES (2, 'default');
                INSERT INTO download_requests (id, app_no, session_no, created_at, session, url,
                    spec, origin_key, priority, class)
                SELECT (t || '-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 2, 2,
                    clock_timestamp(), 'default', 'https://a.example', '{}', 1, 0.5, 0
                FROM generate_series(1, 10000) n, unnest('{00990000,7f990000}'::text[]) t;
                """)
            let ids = try await lab.submit(9)
            _ = try await lab.pool.query(
                """
                INSERT INTO queue
                SELECT (jsonb_populate_record(q, jsonb_build_object('id', d.id, 'app_no', 2))).*
                FROM queue q, downloads d WHERE q.id = $1 AND d.app_no = 2
                """, [UUIDValue(ids[0])])
            _ = try await lab.downloads.perform(.cancel, on: ids[4], app: 1)
            let expected = ids.filter { $0 != ids[4] }
                .sorted { order == .newestFirst ? $0 > $1 : $0 < $1 }
            for session in [nil, "default"] {
                var filter = DownloadFilter()
                filter.session = session
                filter.states = [.waiting, .suspended]
                let plan = try await ListTests.plan(lab, filter, order, limit: 100)
                #expect(ListTests.most(plan).read <= 1000, "\(plan)")
                let page = try await lab.downloads.list(
                    app: 1, filter, order: order, after: nil, limit: 100, scanned: 1000)
                #expect(page.records.map(\.download.id) == expected && page.resumption == nil)
            }
        }
    }

    /// The largest numbers of rows that a step of a plan returned and removed.
    private static func most(_ plan: [String]) -> (read: Int, removed: Int) {
        let read = plan.compactMap { line in
            line.firstMatch(of: #/rows=(\d+) loops=(\d+)/#).flatMap { found in
                Int(found.1).flatMap { rows in Int(found.2).map { rows * $0 } }
            }
        }
        let removed = plan.compactMap { line in
            line.firstMatch(of: #/Removed by .*: (\d+)/#).flatMap { Int($0.1) }
        }
        return (read.max() ?? 0, removed.max() ?? 0)
    }

    /// Pages of any size, over parts of any size, together give the list of a reader without
    /// bounds.
    @Test(arguments: [1, 7, 1000], [DownloadOrder.newestFirst, .oldestFirst])
    func truncatedPagesLoseAndRepeatNothing(
        scanned: Int, order: DownloadOrder
    ) async throws {
        try await StoreLab.with { lab in
            var marked: [Identifier] = []
            var suspended: [Identifier] = []
            for place in 0..<40 {
                var members = JSONObject()
                if place % 9 == 4 { members["metadata"] = ["k": "v"] }
                let id = try await lab.submit(1, members)[0]
                if place % 9 == 4 { marked.append(id) }
                if place % 13 == 5 {
                    _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
                    suspended.append(id)
                }
            }
            for (filter, expected) in [
                (ListTests.filters().first { $0.name == "metadata" }?.filter, marked),
                (ListTests.filters().first { $0.name == "suspended" }?.filter, suspended),
            ] {
                let filter = try #require(filter)
                var found: [Identifier] = []
                var last: Identifier?
                var pages = 0
                repeat {
                    let page = try await lab.downloads.list(
                        app: 1, filter, order: order, after: last, limit: 2, scanned: scanned)
                    found += page.records.map(\.download.id)
                    let isFull = page.records.count == 2
                    last = isFull ? page.records.last?.download.id : page.resumption
                    pages += 1
                } while last != nil && pages < 100
                let inOrder = expected.sorted { order == .newestFirst ? $0 > $1 : $0 < $1 }
                #expect(found == inOrder)
                #expect(scanned != 1 || pages >= 40)
            }
        }
    }

    /// The server's plan for a page.
    private static func plan(
        _ lab: StoreLab, _ filter: DownloadFilter, _ order: DownloadOrder, scanned: Int64 = 1000,
        limit: Int64 = 3
    ) async throws -> [String] {
        let page = filter.page(order)
        let parameters = DownloadFilter.parameters.values(
            of: DownloadFilter.Question(
                filter: filter, app: 1, after: nil, limit: limit, scanned: scanned))
        let rows = try await lab.pool.query(batch: [
            DownloadFilter.inOrder,
            Statement(
                "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + page.text, parameters,
                isPrepared: false),
        ])[1]
        var lines: [String] = []
        for row in rows { lines.append(try row.get(0)) }
        return lines
    }
}
