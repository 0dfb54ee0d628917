// The cost of a look and a claim follows the rows they take, whatever else waits: counted in pages,
// not in time.
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct ClaimCostTests {
    private static let free = 64

    /// Lanes that are due; apart from the first cases each has one download.
    @Test func costDoesNotGrowWithTheLanes() async throws {
        var costs: [Int: (look: Int64, claim: Int64)] = [:]
        for lanes in [1, 40, 4000, 100_000] {
            try await StoreLab.with { lab in
                try await fill(lab, lanes: lanes, rows: max(1, 2000 / lanes))
                costs[lanes] = try await measure(lab, lanes: lanes)
            }
        }
        let few = try #require(costs[4000])
        let many = try #require(costs[100_000])
        // The index of gates is a level deeper: a page for the gate of each lane.
        let level = Int64(2 * Self.free)
        #expect(Double(many.look - level) <= 1.25 * Double(few.look), "\(costs)")
        #expect(Double(many.claim) <= 1.25 * Double(few.claim), "\(costs)")
        // Pages for each slot: gates, lanes, rows, events, downloads, each some index levels, and a
        // few of rows that vacuum has not removed yet.
        for (lanes, cost) in costs {
            #expect(cost.look <= 22 * 2 * Int64(Self.free), "\(lanes): \(cost)")
            #expect(cost.claim <= 104 * Int64(Self.free), "\(lanes): \(cost)")
        }
    }

    /// 20,000 lanes with a date, of which the one that is due is the youngest.
    @Test func lanesThatAreNotDueAreNotRead() async throws {
        try await StoreLab.with { lab in
            try await fill(lab, lanes: 20_000, rows: 1, at: "now() + interval '1 h'")
            let id = try await lab.submit()[0]
            let ledger = try await lab.register()
            let page = try await ledger.lanes().page
            #expect(page.heads.count == 1 && page.next == nil)
            #expect(try await lab.claim(ledger).map(\.download.id) == [id])
        }
    }

    private func fill(
        _ lab: StoreLab, lanes: Int, rows: Int, at instant: String = "now() - interval '1 min'"
    ) async throws {
        _ = try await lab.pool.query("SELECT lull_origins('{}', '{1}')")
        for statement in [
            """
            SELECT lull_make_origins(array_agg('https://f' || n || ':443'))
            FROM generate_series(1, \(lanes)) n
            """,
            """
            SELECT cardinality(lull_enter_lanes(array_agg(ROW(1, 1, origin_key, 0, 2, 3, 0,
                'infinity', \(instant), 'infinity', 0)::lane_entry ORDER BY origin_key)))
                FROM origins
            """,
            """
            INSERT INTO queue (id, lane_no, app_no, run_at, session_no, origin_key, state_since,
                deadline, life_since, class, rank)
            SELECT gen_random_uuid(), l.lane_no, 1, \(instant) + n * interval '1 ms', 1,
                l.origin_key, now(), now() + interval '1 d', now(), 0, 2
            FROM lanes l, generate_series(1, \(rows)) n
            """,
            "INSERT INTO queued_counts SELECT 1, count(*) FROM queue",
            "ANALYZE",
        ] { _ = try await lab.pool.query(statement) }
    }

    /// The pages that a look and a claim touch: the least of the last three of eight calls by one
    /// connection.
    ///
    /// A plan may turn bad at the sixth call, for good; a call in between reads the catalog anew
    /// when other tests change theirs.
    private func measure(
        _ lab: StoreLab, lanes: Int
    ) async throws -> (look: Int64, claim: Int64) {
        let ledger = try await lab.register()
        // The options of the ledger's sessions: a plan for all values finds no partial index by a
        // value.
        var options = ConnectionOptions()
        options.reusesPlans = true
        let connection = PostgresConnection(url: lab.url, options: options)
        try await connection.open()
        var cost = (look: Int64.max, claim: Int64.max)
        for turn in 1...8 {
            let look = """
                SELECT * FROM lull_lanes('{0,2}', 32, \(2 * Self.free), '0', 0, '{}', '{}')
                """
            let pages = try await StoreLab.pages(connection, look)
            let numbers = try await connection.query(
                "SELECT array_agg(lane_no) FROM (\(look) LIMIT \(2 * Self.free)) z")[0]
                .get(0, as: [Int64].self)
            let quota = 2 * Self.free / numbers.count
            let claim = StoreLab.claim(
                ledger.replica, numbers, quota: quota, atOrigin: 100_000, limit: 100_000,
                total: Self.free)
            let claimed = try await StoreLab.pages(connection, "SELECT * FROM \(claim)")
            if turn > 5 { cost = (min(cost.look, pages), min(cost.claim, claimed)) }
            _ = try await connection.query("SELECT lull_settle_lanes($1)", [numbers])
        }
        let running = try await lab.number("SELECT count(*) FROM queue WHERE state = 1")
        #expect(running == Int64(8 * Self.free), "\(lanes)")
        await connection.close()
        return cost
    }
}
