// The cost of a page of the journal does not depend on the number of sessions.
import Foundation
import Postgres
import Support
import Testing

@testable import Store

@Suite struct JournalCostTests {
    /// The number of sessions, each with an event; `LULL_SESSIONS` sets another.
    private static let sessions =
        ProcessInfo.processInfo.environment["LULL_SESSIONS"].flatMap { Int($0) } ?? 20_000
    private static let few = 2000
    private static let scanned = 500

    /// Sessions `s1`, `s2` and so on, with an event each, in transactions of a thousand.
    private func fill(_ numbers: ClosedRange<Int>, _ connection: PostgresConnection) async throws {
        for first in stride(from: numbers.lowerBound, through: numbers.upperBound, by: 1000) {
            let last = min(first + 999, numbers.upperBound)
            try await connection.script(
                """
                WITH made AS (
                    INSERT INTO sessions (app_no, identifier)
                    SELECT 1, 's' || n FROM generate_series(\(first), \(last)) n
                    RETURNING session_no)
                INSERT INTO events (at, app_no, session_no, download_id, type, sequence)
                SELECT clock_timestamp(), 1, session_no, gen_random_uuid(), 2, 1 FROM made
                """)
        }
        // Events above the oldest transaction of the server are not read, and other tests run
        // there.
        let isRead = try await eventually {
            try await connection.query(
                "SELECT max(xid) < pg_snapshot_xmin(pg_current_snapshot()) FROM events")[0]
                .get(0, as: Bool.self)
        }
        #expect(isRead)
        for table in ["events", "sessions"] {
            try await connection.script("VACUUM ANALYZE \(table)")
        }
    }

    /// The pages of one statement with its values; its plan is made for these values.
    private func pages(
        _ query: JournalQuery, after place: JournalPosition?, _ connection: PostgresConnection
    ) async throws -> Int64 {
        let statement = Journal.statement(query, place, 100, Self.scanned)
        var sql = statement.sql
        for index in statement.parameters.indices.reversed() {
            sql = sql.replacingOccurrences(
                of: "$\(index + 1)", with: Self.literal(statement.parameters[index]))
        }
        // The first call reads the catalogues too.
        _ = try await StoreLab.pages(connection, sql)
        return try await StoreLab.pages(connection, sql)
    }

    private static func literal(_ value: any ColumnValue) -> String {
        switch value {
        case let text as String: "'\(text)'"
        case let number as Int64: "\(number)::bigint"
        case let numbers as [Int16]:
            "ARRAY[\(numbers.map(String.init).joined(separator: ","))]::smallint[]"
        default: "NULL"
        }
    }

    @Test func aPageCostsTheSameAmongVeryManySessions() async throws {
        try await StoreLab.with { lab in
            let connection = PostgresConnection(url: lab.url)
            try await connection.open()
            let queries = [
                JournalQuery(scope: .app(1, session: nil)),
                JournalQuery(scope: .app(1, session: "s1999")),
                JournalQuery(scope: .app(1, session: "none")),
            ]
            var first: [Int64] = []
            try await fill(1...Self.few, connection)
            for query in queries {
                first.append(try await pages(query, after: nil, connection))
            }
            try await fill(Self.few + 1...Self.sessions, connection)
            let text = try await connection.query(
                """
                SELECT xid::text, journal_no FROM events
                ORDER BY xid, journal_no OFFSET \(Self.sessions / 2) LIMIT 1
                """)[0]
            let middle = JournalPosition(
                transaction: try #require(UInt64(try text.get(0, as: String.self))),
                number: try text.get(1))
            for (query, calm) in zip(queries, first) {
                for place in [nil, middle] {
                    let many = try await pages(query, after: place, connection)
                    // Indexes may be a level or two higher.
                    #expect(many <= calm + 16, "\(query): \(calm), \(many)")
                }
            }
            await connection.close()
        }
    }
}
