// Very many downloads that share a transfer: what each statement reads and changes.
import Core
import Postgres
import Testing

@testable import Store

extension FlightTests {
    /// Every statement handles a bounded number, and reads no more with a hundred times as many.
    @Test func statementsAreBounded() async throws {
        try await StoreLab.with { lab in
            let instance = StoreLab.identifier()
            let ledger = try await lab.register(instance: instance)
            let first = try await submit(lab, 2)
            func pages(_ statement: String) async throws -> Int64 {
                let connection = PostgresConnection(url: lab.url)
                try await connection.open()
                let pages = try await StoreLab.pages(connection, statement)
                await connection.close()
                return pages
            }
            func costs() async throws -> [Int64] {
                let id = "'\(first[0].hexadecimal)'"
                let flight = "'\(Self.flight.hexadecimal)'"
                return [
                    try await pages("SELECT lull_hold_flights(ARRAY[\(flight)::uuid])"),
                    try await pages("SELECT lull_end_flights(ARRAY[\(id)::uuid])"),
                    try await pages(
                        "SELECT * FROM queue WHERE joined_to = \(id) ORDER BY joined_to, id LIMIT 1"
                    ),
                ]
            }
            let few = try await costs()
            var batch: [NewDownload] = []
            for _ in 0..<4000 { batch.append(try draft(lab)) }
            for start in stride(from: 0, to: batch.count, by: 1000) {
                _ = try await Intake(pool: lab.pool).submit(
                    batch: Array(batch[start..<start + 1000]), idempotency: nil)
            }
            _ = try await lab.pool.query("ANALYZE queue")
            let many = try await costs()
            for (few, many) in zip(few, many) { #expect(many <= few + 40) }
            _ = try await lab.downloads.perform(.cancel, on: first[0], app: 1)
            #expect(
                try await lab.downloads.flights.settle(first[0], isPassed: true)
                    == Flights.batch + 1)
            try await settle(lab, at: instance)
            #expect(
                try await lab.number("SELECT count(*) FROM queue WHERE state = 4") == 4000)
            let claim = try #require(await lab.claim(ledger).first)
            _ = try await ledger.finish([succeeded(lab, claim, instance)])
            try await settle(lab, at: instance)
            #expect(
                try await lab.number("SELECT count(*) FROM downloads WHERE state = 1") == 4001)
            try await expectSound(lab)
        }
    }
}
