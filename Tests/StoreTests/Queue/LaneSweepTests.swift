// Looks are bounded, and a sweep of them reaches every lane that is due.
import Downloads
import Postgres
import Scheduling
import Store
import Testing

@Suite struct LaneSweepTests {
    @Test(arguments: [
        // The number of apps, of sessions of each, and of lanes of each.
        (1, 1, 700), (1, 90, 3), (3, 40, 12), (90, 1, 2), (2, 1, 300),
    ])
    func aSweepReachesEveryLane(_ apps: Int, _ sessions: Int, _ lanes: Int) async throws {
        try await StoreLab.with { lab in
            for statement in [
                "INSERT INTO apps (name) SELECT 'a' || n FROM generate_series(2, \(apps)) n",
                "DELETE FROM sessions",
                """
                INSERT INTO sessions (app_no, identifier)
                SELECT app_no, 's' || n FROM apps, generate_series(1, \(sessions)) n
                """,
                "INSERT INTO origins (origin) SELECT 'o' || n FROM generate_series(1, \(lanes)) n",
                """
                SELECT lull_enter_lanes(array_agg(ROW(app_no, session_no, n, n % 2 * 2, n % 4, 3, 0,
                    'infinity', now() - n % 7 * interval '1 s', 'infinity', 0)::lane_entry
                    ORDER BY session_no, n))
                FROM sessions, generate_series(1, \(lanes)) n
                """,
            ] { _ = try await lab.pool.query(statement) }
            let ledger = try await lab.register()
            var found: Set<Int64> = []
            var pages = 0
            var cursor: LaneCursor? = .start
            while let from = cursor, pages < 5000 {
                let page = try await ledger.lanes(
                    from: from, wanted: 16
                ).page
                #expect(page.heads.count <= 2 * 4 * 32 * 8)
                found.formUnion(page.heads.map(\.lane))
                cursor = page.next
                pages += 1
            }
            #expect(found.count == apps * sessions * lanes)
            #expect(pages < 5000)
        }
    }

    /// A lane that waits for a place is in the book, so that it is known when the place is free.
    @Test func lanesOfFullAppsAndSessionsAreRead() async throws {
        try await StoreLab.with { lab in
            try await lab.submit(3)
            let ledger = try await lab.register()
            #expect(try await lab.claim(ledger, total: 2).count == 2)
            _ = try await lab.pool.query("UPDATE gates SET running_limit = 2")
            let page = try await ledger.lanes().page
            #expect(page.heads.map(\.sessionGate.running) == [2])
            #expect(page.running == 2)
        }
    }

    /// A session that is wrongly noted to have a due lane is corrected by the look that finds none.
    @Test func aStaleSessionIsSetRight() async throws {
        try await StoreLab.with { lab in
            let id = try await lab.submit()[0]
            _ = try await lab.downloads.perform(.suspend, on: id, app: 1)
            _ = try await lab.pool.query("UPDATE lanes SET next_at = 'infinity'")
            let page = try await lab.register().lanes().page
            #expect(page == LanePage(heads: []))
            #expect(
                try await lab.number(
                    "SELECT count(*) FROM lane_groups WHERE next_at < 'infinity'") == 0)
        }
    }
}
