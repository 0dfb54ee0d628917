// Reading columns, and the values that are refused rather than guessed.
import Postgres
import Support
import Testing

@Suite struct RowsTests {
    @Test func integersWidenExactly() async throws {
        try await withConnection { connection in
            let rows = try await connection.query("SELECT 1::int2 a, 70000 b, 5000000000 c")
            #expect(try rows[0].get("a", as: Int.self) == 1)
            #expect(try rows[0].get("b", as: Int64.self) == 70_000)
            #expect(try rows[0].get("c", as: Int64.self) == 5_000_000_000)
            #expect(try rows[0].get(1, as: Int32.self) == 70_000)
            let error = #expect(throws: PostgresError.self) {
                try rows[0].get("c", as: Int32.self)
            }
            #expect(error?.code == .decoding)
            #expect(error?.message.contains("column c") == true)
        }
    }

    @Test func aColumnOfAnotherTypeIsAnError() async throws {
        try await withConnection { connection in
            let rows = try await connection.query("SELECT 'x' a, 1.5::numeric b, NULL::int c")
            #expect(throws: PostgresError.self) { try rows[0].get("a", as: Int.self) }
            #expect(throws: PostgresError.self) { try rows[0].get("b", as: Double.self) }
            #expect(throws: PostgresError.self) { try rows[0].get("c", as: Int.self) }
            #expect(throws: PostgresError.self) { try rows[0].get("d", as: Int.self) }
            #expect(throws: PostgresError.self) { try rows[0].get(3, as: Int.self) }
            #expect(throws: PostgresError.self) { try rows[0].get(-1, as: Int.self) }
        }
    }

    @Test func readsNamesEnumerationsAndReals() async throws {
        try await withConnection { connection in
            try await connection.script("CREATE TYPE mood AS ENUM ('fine', 'so so')")
            let rows = try await connection.query(
                """
                SELECT $1::mood m, 'n'::name n, 1.5::real r, 'c'::"char" c, ARRAY['fine'::mood] l
                """,
                ["so so"])
            #expect(try rows[0].get("m", as: String.self) == "so so")
            #expect(try rows[0].get("n", as: String.self) == "n")
            #expect(try rows[0].get("r", as: Double.self) == 1.5)
            #expect(try rows[0].get("c", as: String.self) == "c")
            #expect(try rows[0].get("l", as: [String].self) == ["fine"])
        }
    }

    @Test func readsEmptyAndManyRows() async throws {
        try await withConnection { connection in
            let none = try await connection.query("SELECT 1 AS a WHERE false")
            #expect(none.isEmpty)
            #expect(none.columns == ["a"])
            let many = try await connection.query(
                """
                SELECT NULLIF(i % 3, 0) AS a, repeat('x', i % 5) AS b
                FROM generate_series(1, 1000) i
                """
            )
            #expect(many.count == 1000 && many.affected == 1000)
            for (index, row) in many.enumerated() {
                let number = (index + 1) % 3
                #expect(try row.get("a", as: Int?.self) == (number == 0 ? nil : number))
                #expect(try row.get("b", as: String.self).count == (index + 1) % 5)
            }
        }
    }
}
