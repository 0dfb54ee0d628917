// Reading documents: values that are accepted, values that are refused, and the place of the error.
import Base
import Testing

@Suite struct FieldReaderTests {
    private func reader(_ text: String) throws -> FieldReader {
        let document = try JSON.parse(text)
        return FieldReader(try #require(document.objectValue))
    }

    @Test func readsEachKind() throws {
        var reader = try reader(
            """
            {"s": "é", "b": true, "i": 3, "w": 3.0, "n": 0.25, "m": 1,
             "t": "2026-11-22T01:00:00+01:00",
             "l": ["a", ""], "v": {"x": null}}
            """)
        #expect(reader.string("s", maximumLength: 2) == "é")
        #expect(reader.bool("b") == true)
        #expect(reader.integer("i", in: 3...3) == 3)
        #expect(reader.integer("w", in: 3...3) == 3)
        #expect(reader.number("n", in: 0...1) == 0.25)
        #expect(reader.number("m", in: 0...1) == 1)
        #expect(reader.timestamp("t")?.rfc3339 == "2026-11-22T00:00:00.000Z")
        #expect(reader.strings("l", maximumCount: 2) == ["a", ""])
        #expect(reader.value("v") == ["x": nil])
        #expect(reader.finish() == [])
    }

    @Test func nullCountsAsAbsent() throws {
        var reader = try reader(#"{"a": null, "b": null, "c": null}"#)
        #expect(reader.string("a", maximumLength: 9) == nil)
        #expect(reader.integer("b", in: 0...1) == nil)
        #expect(reader.strings("c", maximumCount: 1) == nil)
        #expect(reader.bool("missing") == nil)
        #expect(reader.finish() == [])
    }

    @Test func findsEveryFault() throws {
        var reader = try reader(
            """
            {"s": 1, "long": "éa", "b": "true", "i": 4, "f": 2.5, "n": 1.5, "big": 2, "t": "noon",
             "u": 1, "l": ["a", 1], "many": ["a", "b"], "list": "a", "extra": 1}
            """)
        #expect(reader.string("s", maximumLength: 9) == nil)
        #expect(reader.string("long", maximumLength: 2) == nil)
        #expect(reader.bool("b") == nil)
        #expect(reader.integer("i", in: 0...3) == nil)
        #expect(reader.integer("f", in: 0...3) == nil)
        #expect(reader.number("n", in: 0...1) == nil)
        #expect(reader.number("big", in: 0...1) == nil)
        #expect(reader.timestamp("t") == nil)
        #expect(reader.timestamp("u") == nil)
        #expect(reader.strings("l", maximumCount: 2) == nil)
        #expect(reader.strings("many", maximumCount: 1) == nil)
        #expect(reader.strings("list", maximumCount: 1) == nil)
        let errors = reader.finish()
        #expect(
            errors.map(\.pointer) == [
                "#/s", "#/long", "#/b", "#/i", "#/f", "#/n", "#/big", "#/t", "#/u", "#/l/1",
                "#/many", "#/list", "#/extra",
            ])
        #expect(errors[1].detail == "must have at most 2 bytes, but has 3")
        #expect(errors[3].detail == "must be a whole number from 0 to 3")
        #expect(
            errors.last?.detail
                == "is unknown; the known members are b, big, f, i, l, list, long, many, n, s, t, "
                + "u")
    }

    /// RFC 6901 sections 3 and 6.
    @Test(arguments: [
        ("url", "#/url"), ("", "#/"), ("a/b", "#/a~1b"), ("m~n", "#/m~0n"), ("~1", "#/~01"),
        ("a b", "#/a%20b"), ("c%d", "#/c%25d"), ("e^f", "#/e%5Ef"), ("k\"l", "#/k%22l"),
        ("é", "#/%C3%A9"), ("\u{1}", "#/%01"), ("x?y=1&z:@", "#/x?y=1&z:@"), ("#", "#/%23"),
    ])
    func pointersAreFragments(_ key: String, _ pointer: String) {
        #expect(FieldReader(JSONObject()).pointer(key) == pointer)
        #expect(
            FieldReader(JSONObject(), at: "#/rules/0").pointer(key)
                == "#/rules/0" + pointer.dropFirst())
    }

    @Test func findingsOfANestedReaderAreMerged() {
        var reader = FieldReader(["part": ["x": 1]])
        _ = reader.value("part")
        reader.adopt([FieldError("#/part/x", "is wrong")])
        reader.refuse("part", "is bad")
        #expect(
            reader.finish() == [
                FieldError("#/part/x", "is wrong"), FieldError("#/part", "is bad"),
            ])
    }
}
