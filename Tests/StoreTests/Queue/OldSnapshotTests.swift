// An old snapshot that is held open, and no vacuum: dead rows stay, and looks and claims go around
// them. Counted in pages, not in time.
import Core
import Postgres
import Store
import Testing

@Suite struct OldSnapshotTests {
    private static let origins = 8
    private static let batch = 400
    private static let rounds = 12
    private static let total = 64

    @Test func claimsCostAtMostThreeTimesAsMuch() async throws {
        try await StoreLab.with { lab in
            let ledger = try await lab.register()
            let tables = [
                "queue", "lanes", "lane_groups", "gates", "download_requests_default",
                "download_results", "events",
            ]
            for table in tables {
                try await lab.pool.script(
                    "ALTER TABLE \(table) SET (autovacuum_enabled = off)")
            }
            // Something always waits, so that lanes keep what they know of their heads.
            try await create(lab)
            let calm = try await cost(lab, ledger)
            let reader = PostgresConnection(url: lab.url)
            try await reader.open()
            try await reader.script(
                "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM queue")
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

    private func create(_ lab: StoreLab) async throws {
        let intake = Intake(pool: lab.pool)
        for start in stride(from: 0, to: Self.batch, by: 100) {
            let batch = try (start..<start + 100).map {
                try lab.draft(origin: "https://o\($0 % Self.origins).example:443")
            }
            #expect(try await intake.submit(batch: batch, idempotency: nil) == .mine)
        }
    }

    /// The pages of a look and of a claim, which is taken back.
    private func cost(
        _ lab: StoreLab, _ ledger: Ledger
    ) async throws -> (look: Int64, claim: Int64) {
        let connection = PostgresConnection(url: lab.url)
        try await connection.open()
        try await connection.script("BEGIN")
        let look = """
            SELECT * FROM lull_lanes('{0,2}', 32, \(2 * Self.total), NULL, NULL, 0, '{}', '{}',
                '{}', '{}', '{}', '{}', '{}', '{}')
            """
        // The first reads the catalog as well.
        _ = try await StoreLab.pages(connection, look)
        let lookCost = try await StoreLab.pages(connection, look)
        let numbers = try await connection.query("SELECT lane_no FROM (\(look)) z")
            .map { try $0.get(0, as: Int64.self) }
        // Claims may have emptied some of the lanes.
        #expect(numbers.count > 1)
        let list = numbers.map(String.init).joined(separator: ",")
        let quotas = numbers.map { _ in "\(Self.total)" }.joined(separator: ",")
        let limits = numbers.map { _ in "1000" }.joined(separator: ",")
        let claim = """
            SELECT * FROM lull_claim(\(ledger.replica), '{\(list)}', '{\(quotas)}', '{}', '{}',
                1000, '{\(limits)}', NULL, \(Self.total), NULL)
            """
        try await connection.script("SAVEPOINT s; \(claim); ROLLBACK TO s")
        let claimCost = try await StoreLab.pages(connection, claim)
        try await connection.script("ROLLBACK")
        await connection.close()
        return (lookCost, claimCost)
    }
}
