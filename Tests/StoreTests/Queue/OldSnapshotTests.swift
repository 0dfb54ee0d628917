// An old snapshot is held open and there is no vacuum: dead rows stay, and looks and claims go
// around them. Counted in pages, not in time.
import Downloads
import Postgres
import Store
import Testing

@Suite struct OldSnapshotTests {
    private static let origins = 8
    private static let batch = 400
    private static let rounds = 12
    private static let total = 64
    private static let turns = 200

    @Test func claimsCostAtMostThreeTimesAsMuch() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            try await keepVersions(lab)
            // One download always waits, so that lanes keep the values of their heads.
            try await create(lab)
            let calm = try await cost(lab, ledger)
            let reader = try await Self.reader(lab)
            for _ in 0..<Self.rounds {
                try await create(lab)
                var left = Self.batch
                while left > 0 {
                    let claims = try await lab.claim(ledger, total: min(left, Self.total))
                    guard !claims.isEmpty else { break }
                    left -= claims.count
                    _ = try await ledger.finish(claims.map { lab.end($0, .succeeded) })
                }
            }
            let dead = try await lab.number(
                "SELECT count(*) FROM downloads WHERE state <> 0")
            #expect(dead >= Int64(Self.batch * (Self.rounds - 1)))
            let bad = try await cost(lab, ledger)
            #expect(bad.look <= 3 * calm.look, "\(calm) \(bad)")
            #expect(bad.claim <= 3 * calm.claim, "\(calm) \(bad)")
            try await reader.script("COMMIT")
            await reader.close()
        }
    }

    /// Holds a snapshot open for as long as it takes on a busy machine.
    private static func reader(_ lab: StoreLab) async throws -> PostgresConnection {
        var options = ConnectionOptions()
        options.idleInTransactionTimeoutMilliseconds = 0
        let reader = PostgresConnection(url: lab.url, options: options)
        try await reader.open()
        try await reader.script(
            "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM queue")
        return reader
    }

    /// Every claim and every end writes these few rows.
    ///
    /// A look-up of one costs as many pages among thousands of their versions as among few.
    @Test func statementsDoNotWalkVersions() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            try await keepVersions(lab)
            try await turn(lab, ledger)
            let calm = try await costs(lab, ledger)
            let reader = try await Self.reader(lab)
            for _ in 0..<Self.turns { try await turn(lab, ledger) }
            // All versions are still there: a hundred fill a page.
            #expect(try await lab.number("SELECT pg_relation_size('gates') / 8192") > 20)
            // A group sleeps once in five seconds; versions that died since then are walked.
            try await lab.pool.script("UPDATE lane_groups SET slept_at = '-infinity'")
            #expect(try await lab.claim(ledger).isEmpty)
            let old = try await costs(lab, ledger)
            for (name, pages) in old {
                // The indexes are a level deeper.
                let most = try #require(calm[name]) * 2
                #expect(pages <= most, "\(name): \(pages), \(calm)")
            }
            #expect(try await lab.wrongGates() == 0)
            #expect(try await lab.wrongLanes() == [])
            try await reader.script("COMMIT")
            await reader.close()
        }
    }

    /// If index entries were merged into lists, as in a page that is full, a look-up would read a
    /// list from its oldest place on.
    @Test func aLookUpEndsAtTheNewestVersion() async throws {
        try await StoreLab.with { lab in
            try await keepVersions(lab)
            try await createOfEach(lab)
            let reader = try await Self.reader(lab)
            var options = ConnectionOptions()
            options.reusesPlans = true
            let connection = PostgresConnection(url: lab.url, options: options)
            try await connection.open()
            // All gates share pages, so that each has an entry for each page.
            for round in 0..<30 {
                try await connection.script(
                    """
                    DO $$ BEGIN FOR i IN 1..80 LOOP
                        UPDATE gates SET running = running;
                        COMMIT;
                    END LOOP; END $$
                    """)
                let pages = try await StoreLab.pages(
                    connection,
                    """
                    SELECT * FROM (
                        SELECT kind, key FROM gate_keys
                        UNION ALL SELECT lull_gate('origin'), origin_key FROM origins) k
                    CROSS JOIN LATERAL lull_gate_of(k.kind, k.key)
                    """)
                // Each gate costs two levels of the index, two of its leaves, and the row.
                #expect(pages <= 4 * Int64(Self.origins + 4), "round \(round)")
            }
            await connection.close()
            try await reader.script("COMMIT")
            await reader.close()
        }
    }

    private func keepVersions(_ lab: StoreLab) async throws {
        for table in [
            "queue", "lanes", "lane_keys", "lane_groups", "gates", "gate_keys",
            "download_requests_default", "download_results", "events",
        ] {
            try await lab.pool.script("ALTER TABLE \(table) SET (autovacuum_enabled = off)")
        }
    }

    /// One download of each origin comes, is claimed and ends: all lanes wake and fall asleep.
    private func turn(_ lab: StoreLab, _ ledger: Ledger) async throws {
        try await createOfEach(lab)
        let claims = try await lab.claim(ledger)
        #expect(claims.count == Self.origins)
        _ = try await ledger.finish(claims.map { lab.end($0, .succeeded) })
    }

    private func createOfEach(_ lab: StoreLab) async throws {
        let batch = try (0..<Self.origins).map {
            try lab.draft(origin: "https://o\($0).example:443")
        }
        #expect(try await Intake(pool: lab.pool).submit(batch: batch, idempotency: nil) == .mine)
    }

    /// The pages of each statement that a download passes; the plans are made for all values, as in
    /// the ledger's sessions.
    private func costs(_ lab: StoreLab, _ ledger: Ledger) async throws -> [String: Int64] {
        var options = ConnectionOptions()
        options.reusesPlans = true
        let connection = PostgresConnection(url: lab.url, options: options)
        try await connection.open()
        func text(_ sql: String) async throws -> String {
            try await connection.query("SELECT (\(sql))::text")[0].get(0)
        }
        let entries = try await text(
            """
            SELECT array_agg(ROW(app_no, session_no, origin_key, class, rank, lane_flags, facet,
                due_bucket, clock_timestamp(), begin_bucket, 0)::lane_entry) FROM lane_keys
                JOIN sessions USING (session_no)
            """)
        var costs: [String: Int64] = [:]
        // The first call of each statement reads the catalog and makes the plans.
        for _ in 0..<2 {
            try await connection.script("BEGIN")
            costs["enter"] = try await StoreLab.pages(
                connection, "SELECT lull_enter_lanes('\(entries)')")
            try await connection.script("ROLLBACK")
            try await createOfEach(lab)
            try await connection.script("BEGIN")
            let look = """
                SELECT * FROM lull_lanes('{0,2}', 32, 128, '0', 0, '{}', '{}')
                """
            costs["look"] = try await StoreLab.pages(connection, look)
            let lanes = try await connection.query(
                "SELECT lane_no FROM (\(look)) z WHERE lane_no IS NOT NULL"
            ).map { try $0.get(0, as: Int64.self) }
            let claim = StoreLab.claim(
                ledger.replica, lanes, quota: 9, atOrigin: 9, limit: 1000, total: Self.total)
            costs["claim"] = try await StoreLab.pages(connection, "SELECT * FROM \(claim)")
            let list = lanes.map(String.init).joined(separator: ",")
            costs["settle"] = try await StoreLab.pages(
                connection, "SELECT lull_settle_lanes('{\(list)}')")
            costs["finish"] = try await StoreLab.pages(
                connection, try await text(finish(ledger)))
            try await connection.script("ROLLBACK")
            let claims = try await lab.claim(ledger)
            _ = try await ledger.finish(claims.map { lab.end($0, .succeeded) })
        }
        await connection.close()
        return costs
    }

    /// A query that answers the statement which ends all that runs.
    private func finish(_ ledger: Ledger) -> String {
        """
        SELECT format('SELECT lull_finish(\(ledger.replica), %L, ''{}'')', array_agg(
            ROW(id, fence, lull_outcome('succeeded'), claimed_at, NULL, NULL, 1, 1, 0, NULL, '{}',
                lull_event_type('succeeded'), '{}', '{}', claimed_at, origin_key, session_no,
                app_no, NULL, NULL, NULL, sequence + 1, NULL, NULL, NULL, NULL)::attempt_end))
        FROM queue WHERE state = lull_state('running')
        """
    }

    private func create(_ lab: StoreLab) async throws {
        let intake = Intake(pool: lab.pool)
        for start in stride(from: 0, to: Self.batch, by: 100) {
            let batch = try (start..<start + 100).map {
                try lab.draft(origin: "https://o\($0 % Self.origins).example:443")
            }
            #expect(try await intake.submit(batch: batch, idempotency: nil) == .mine)
        }
    }

    /// The pages of a look and of a claim, which is rolled back.
    private func cost(
        _ lab: StoreLab, _ ledger: Ledger
    ) async throws -> (look: Int64, claim: Int64) {
        let connection = PostgresConnection(url: lab.url)
        try await connection.open()
        try await connection.script("BEGIN")
        let look = """
            SELECT * FROM lull_lanes('{0,2}', 32, \(2 * Self.total), '0', 0, '{}', '{}')
            """
        // The first call reads the catalog as well.
        _ = try await StoreLab.pages(connection, look)
        let lookCost = try await StoreLab.pages(connection, look)
        let numbers = try await connection.query("SELECT lane_no FROM (\(look)) z")
            .map { try $0.get(0, as: Int64.self) }
        // Claims may have emptied some of the lanes.
        #expect(numbers.count > 1)
        let taking = StoreLab.claim(
            ledger.replica, numbers, quota: Self.total, atOrigin: 1000, limit: 1000)
        let claim = "SELECT * FROM \(taking)"
        try await connection.script("SAVEPOINT s; \(claim); ROLLBACK TO s")
        let claimCost = try await StoreLab.pages(connection, claim)
        try await connection.script("ROLLBACK")
        await connection.close()
        return (lookCost, claimCost)
    }
}
