// Every kind of value to the server and back, beside the server's own spelling of it.
import Postgres
import Support
import Testing

@Suite struct ColumnValueTests {
    /// Sends a value as a parameter and reads it back, with the server's spelling of it.
    private func roundTrip<Value: ColumnValue & Equatable>(
        _ values: [Value], spelled: [String], by connection: PostgresConnection,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        for (value, spelling) in zip(values, spelled) {
            let rows = try await connection.query("SELECT $1 AS v, $1::text AS s", [value])
            #expect(try rows[0].get("v", as: Value.self) == value, sourceLocation: location)
            #expect(try rows[0].get("s", as: String?.self) == spelling, sourceLocation: location)
        }
    }

    @Test func scalarsRoundTrip() async throws {
        try await withConnection { connection in
            try await roundTrip([true, false], spelled: ["true", "false"], by: connection)
            try await roundTrip(
                [Int16.min, 0, .max], spelled: ["-32768", "0", "32767"], by: connection)
            try await roundTrip(
                [Int32.min, -1, .max], spelled: ["-2147483648", "-1", "2147483647"], by: connection)
            try await roundTrip(
                [Int64.min, 1, .max],
                spelled: ["-9223372036854775808", "1", "9223372036854775807"], by: connection)
            try await roundTrip([Int.min, 7], spelled: ["\(Int.min)", "7"], by: connection)
            try await roundTrip(
                [0.1, -0.0, Double.infinity, 1e-300],
                spelled: ["0.1", "-0", "Infinity", "1e-300"], by: connection)
            try await roundTrip([UInt8(0), 255], spelled: ["0", "255"], by: connection)
            let nan = try await connection.query("SELECT $1", [Double.nan])
            #expect(try nan[0].get(0, as: Double.self).isNaN)
        }
    }

    @Test func textRoundTrips() async throws {
        let texts = [
            "", "it's \"quoted\" \\ $1 {a,b} NULL", "Zürich 🦉 日本語 e\u{301}", "a\n\tb\u{1}",
            String(repeating: "x", count: 1 << 20),
        ]
        try await withConnection { connection in
            try await roundTrip(texts, spelled: texts, by: connection)
            let array = try await connection.query("SELECT $1", [texts])
            #expect(try array[0].get(0, as: [String].self) == texts)
        }
    }

    @Test func bytesRoundTrip() async throws {
        let bytes = [UInt8](0...255)
        try await withConnection { connection in
            try await roundTrip([[], bytes], spelled: ["\\x", "\\x" + hex(bytes)], by: connection)
            let array = try await connection.query("SELECT $1", [[bytes, []]])
            #expect(try array[0].get(0, as: [[UInt8]].self) == [bytes, []])
        }
    }

    @Test func uuidAndJSONAgreeWithTheServer() async throws {
        let spelling = "0123abcd-4567-89ef-8001-fedcba987654"
        let uuid = try #require(UUIDValue(spelling.uppercased()))
        #expect(uuid.description == spelling)
        try await withConnection { connection in
            try await roundTrip([uuid], spelled: [spelling], by: connection)
            let text = try await connection.query("SELECT $1::uuid AS u", [spelling])
            #expect(try text[0].get("u", as: UUIDValue.self) == uuid)
            #expect(try text[0].get("u", as: String.self) == spelling)

            let json = JSONText(#"{"a": [1, "ü", null]}"#)
            try await roundTrip([json], spelled: [json.text], by: connection)
            let plain = try await connection.query("SELECT $1::json, $2", ["[1]", [json, json]])
            #expect(try plain[0].get(0, as: JSONText.self).text == "[1]")
            #expect(try plain[0].get(1, as: [JSONText].self) == [json, json])
        }
    }

    @Test func timesCountFrom1970AndReachInfinity() async throws {
        let times = [
            0, 1_700_000_000_123_456, -1, 946_684_800_000_000, -62_135_596_800_000_000,
        ].map { TimestampValue(microseconds: $0) }
        let spelled = [
            "1970-01-01 00:00:00+00", "2023-11-14 22:13:20.123456+00",
            "1969-12-31 23:59:59.999999+00", "2000-01-01 00:00:00+00", "0001-01-01 00:00:00+00",
        ]
        try await withConnection { connection in
            try await roundTrip(
                times + [.infinity, .negativeInfinity],
                spelled: spelled + ["infinity", "-infinity"], by: connection)
            let tooEarly = TimestampValue(microseconds: Int64.min + 1)
            let error = await #expect(throws: PostgresError.self) {
                try await connection.query("SELECT $1", [tooEarly])
            }
            #expect(error?.sqlState == "22008")
            let late = try await connection.query("SELECT '294276-12-31 23:00:00Z'::timestamptz")
            #expect(try late[0].get(0) == TimestampValue(microseconds: Int64.max - 1))
        }
    }

    @Test func nullsAndArraysWithNullsRoundTrip() async throws {
        let numbers: [Int64?] = [1, nil, -3]
        let texts: [String?] = [nil, "", "NULL", "a,\"b\""]
        let times: [TimestampValue?] = [.infinity, nil]
        let none: [Int32] = []
        try await withConnection { connection in
            let rows = try await connection.query(
                "SELECT $1 AS a, $2 AS b, $3 AS c, $4 AS d, $5 AS e, $6 AS f",
                [numbers, texts, times, none, Int64?.none, String?.some("here")])
            #expect(try rows[0].get("a", as: [Int64?].self) == numbers)
            #expect(try rows[0].get("b", as: [String?].self) == texts)
            #expect(try rows[0].get("c", as: [TimestampValue?].self) == times)
            #expect(try rows[0].get("d", as: [Int32].self).isEmpty)
            #expect(try rows[0].get("e", as: Int64?.self) == nil)
            #expect(try rows[0].isNull("e"))
            #expect(try rows[0].get("f", as: String?.self) == "here")
            #expect(throws: PostgresError.self) { try rows[0].get("a", as: [Int64].self) }
        }
    }

    @Test func arraysUnnestIntoRowsInOneStatement() async throws {
        let ids = (0..<512).map { UUIDValue(high: 7, low: UInt64($0)) }
        let notes: [String?] = (0..<512).map { $0.isMultiple(of: 3) ? nil : "note \($0)" }
        try await withConnection { connection in
            try await connection.script("CREATE TEMP TABLE t (id uuid PRIMARY KEY, note text)")
            let inserted = try await connection.query(
                "INSERT INTO t SELECT * FROM unnest($1::uuid[], $2::text[])", [ids, notes])
            #expect(inserted.affected == 512)
            let rows = try await connection.query("SELECT id, note FROM t ORDER BY id")
            #expect(try rows.map { try $0.get("id", as: UUIDValue.self) } == ids)
            #expect(try rows.map { try $0.get("note", as: String?.self) } == notes)
        }
    }
}

/// Lower-case hexadecimal digits.
private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
