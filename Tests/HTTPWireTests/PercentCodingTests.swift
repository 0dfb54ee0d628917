// Paths and queries, decoded strictly.
import HTTPWire
import Testing

@Suite struct PercentCodingTests {
    @Test(arguments: [
        ("/", [""]), ("/a", ["a"]), ("/a/", ["a", ""]), ("//a", ["", "a"]),
        ("/%68ealthz", ["healthz"]), ("/a%2Fb/c", ["a/b", "c"]), ("/%C3%A9", ["é"]),
        ("/a+b", ["a+b"]), ("/...", ["..."]),
    ])
    func splitsPathsBeforeDecoding(_ path: String, _ segments: [String]) {
        #expect(PercentCoding.segments(ofPath: path) == segments)
    }

    @Test(arguments: [
        "", "*", "a", "/%00", "/%0d%0a", "/%c0%af", "/%7f", "/%ff", "/../healthz", "/%2e%2e/x",
        "/./healthz", "/%2E", "/%", "/%4", "/%zz", "/a/%-1",
    ])
    func refusesInvalidEscapes(_ path: String) {
        #expect(PercentCoding.segments(ofPath: path) == nil)
    }

    @Test func plusIsASpaceInFormsOnly() {
        #expect(PercentCoding.decode("a+b".utf8) == "a+b")
        #expect(PercentCoding.decode("a+b%2B".utf8, plusIsSpace: true) == "a b+")
    }
}

@Suite struct QueryStringTests {
    @Test func queryPairsKeepTheirOrder() {
        let pairs = QueryString.parse("a=1&b=&a=%C3%A9%26&c=x=y")
        #expect(pairs?.map(\.name) == ["a", "b", "a", "c"])
        #expect(pairs?.map(\.value) == ["1", "", "é&", "x=y"])
        #expect(QueryString.parse("")?.isEmpty == true)
        #expect(QueryString.parse("q=%09%7f")?.first?.value == "\t\u{7f}")
        #expect(QueryString.parse("q=a+b")?.first?.value == "a+b")
        #expect(QueryString.parse("q=a+b", form: true)?.first?.value == "a b")
    }

    @Test(arguments: [
        "a", "a=1&", "&a=1", "a=1&&b=2", "=1", "a=%", "a=%zz", "%00=1", "a=%00", "a=%ff",
    ])
    func refusesMalformedQueries(_ query: String) {
        #expect(QueryString.parse(query) == nil)
    }
}
