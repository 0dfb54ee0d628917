// The metrics about the queue equal its rows, and reading them costs few rows.
import Base
import Downloads
import Postgres
import Scheduling
import Testing

@testable import Store

@Suite struct QueueFiguresTests {
    private static let other = "https://other.example:443"

    @Test func sumsEqualTheRows() async throws {
        try await StoreLab.with { lab in
            let reads = lab.downloads.queueFigures
            let empty = try await reads.read()
            #expect(empty == QueueFigures() && empty.waiting == 0 && empty.lanesCountedAt == nil)
            try await lab.submit(3)
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger, total: 2).count == 2)
            try await lab.submit(4, ["is_discretionary": true])
            try await lab.submit(5, origin: Self.other)
            let states = ["suspended", "suspended", "attention_required"]
            for state in states {
                _ = try await lab.pool.query(
                    """
                    UPDATE queue SET state = lull_state($1) WHERE id = (
                        SELECT q.id FROM queue q JOIN origins o USING (origin_key)
                        WHERE q.state = 0 AND o.origin = $2 LIMIT 1)
                    """, [state, Self.other])
            }
            _ = try await lab.downloads.laneLoads.begin(every: .seconds(60))
            #expect(try await lab.downloads.laneLoads.count { true } == 3)
            let figures = try await reads.read()
            #expect(figures.live == 12 && figures.running == 2)
            #expect(figures.suspended == 2 && figures.attentionRequired == 1)
            #expect(figures.waiting == 7 && figures.waitingInLanes == 7)
            #expect(figures.lanesCountedAt != nil)
            #expect(figures.oldest.map(\.schedulingClass) == [.normal, .discretionary])
            let first = try await lab.pool.query(
                "SELECT min(life_since) FROM queue WHERE state = 0 AND class = 0")[0]
            let since = try first.get(0, as: TimestampValue.self).timestamp
            #expect(figures.oldest[0].since == since)
            #expect(figures.apps.map(\.name) == ["default"])
            #expect(figures.apps.map(\.live) == [12])
            // The lanes in the form that forecasts read, the largest first.
            let lanes = try await lab.downloads.forecastReads.lanes(atMost: 2)
            #expect(lanes.map { $0.batches.map(\.count) } == [[4], [2]])
            #expect(lanes[0].candidate.isDiscretionary && lanes[0].candidate.app == "default")
        }
    }

    @Test func aLaneThatWasNotCountedYetCountsAsOne() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(9)
            let figures = try await lab.downloads.queueFigures.read()
            #expect(figures.waiting == 9 && figures.waitingInLanes == 1)
            #expect(figures.oldest.count == 1)
            let lanes = try await lab.downloads.forecastReads.lanes(atMost: 10)
            #expect(lanes.map { $0.batches.map(\.count) } == [[1]])
        }
    }

    @Test func theAppsWithTheMostAreNamed() async throws {
        try await StoreLab.with { lab in
            _ = try await lab.pool.query(
                """
                WITH made AS (INSERT INTO apps (name)
                    SELECT 'app-' || n FROM generate_series(1, 30) n RETURNING app_no, name)
                INSERT INTO queued_counts (app_no, change)
                SELECT app_no, substr(name, 5)::bigint FROM made
                UNION ALL SELECT app_no, -5 FROM made WHERE name = 'app-30'
                """)
            let figures = try await lab.downloads.queueFigures.read()
            #expect(figures.apps.count == QueueFigures.appsAtMost)
            #expect(figures.apps.first?.name == "app-29" && figures.apps.first?.live == 29)
            #expect(figures.apps.map(\.live) == figures.apps.map(\.live).sorted(by: >))
            #expect(figures.live == 30 * 31 / 2 - 5)
        }
    }

    @Test func deliveriesAreCountedByStateAndReceiversByStanding() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(2, ["webhook_url": "https://one.example/hook"])
            try await lab.submit(1, ["webhook_url": "https://two.example/hook"])
            let ledger = try await lab.register()
            for claim in try await lab.claim(ledger) {
                _ = try await ledger.finish([lab.end(claim, .failed)])
            }
            var figures = try await lab.downloads.queueFigures.read()
            let pending = try await lab.pool.query(
                "SELECT count(*) FROM deliveries WHERE state = 0")[0].get(0, as: Int64.self)
            #expect(pending >= 3 && figures.deliveriesPending == pending)
            #expect(figures.receivers == [0, 2, 0] && figures.deliveryDueSince != nil)
            _ = try await lab.pool.query("UPDATE deliveries SET state = 1 WHERE receiver_no = 1")
            figures = try await lab.downloads.queueFigures.read()
            #expect(figures.deliveriesSending + figures.deliveriesPending == pending)
            #expect(figures.deliveriesSending > 0)
        }
    }

    /// However many downloads wait, no row that only waits is read.
    @Test func whatWaitsIsNotReadByRow() async throws {
        try await StoreLab.with { lab in
            let drafts = try (0..<2000).map { _ in try lab.draft() }
            for start in stride(from: 0, to: drafts.count, by: 1000) {
                _ = try await Intake(pool: lab.pool).submit(
                    batch: Array(drafts[start..<start + 1000]), idempotency: nil)
            }
            _ = try await lab.pool.query("ANALYZE queue")
            let rows = try await lab.pool.query(
                "EXPLAIN (ANALYZE, FORMAT JSON) \(QueueFigureReads.totals)"
                    .replacing("$1", with: "10000"))
            let plan = try rows[0].get(0, as: String.self)
            // The plan's nodes over the table say how many rows they returned and removed.
            let nodes = plan.split(separator: "\"Node Type\"").filter {
                $0.contains("\"Relation Name\": \"queue\"") || $0.contains("\"queue_")
            }
            #expect(!nodes.isEmpty)
            for node in nodes {
                #expect(!node.contains(/"Actual Rows": [1-9]/), "\(node)")
                #expect(!node.contains(/"Rows Removed by [A-Za-z ]+": [1-9]/), "\(node)")
            }
        }
    }
}
