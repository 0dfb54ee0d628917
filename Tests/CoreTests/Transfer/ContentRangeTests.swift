// The two headers that decide whether a file can be continued.
import Base
import Downloads
import Testing

@Suite struct ContentRangeTests {
    private static let good: [(String, ClosedRange<Int64>?, Int64?)] = [
        ("bytes 0-0/1", 0...0, 1), ("bytes 10-99/100", 10...99, 100),
        ("Bytes 10-99/*", 10...99, nil), ("bytes */100", nil, 100), ("bytes */0", nil, 0),
        (
            "BYTES 0-999999999999999998/999999999999999999", 0...999_999_999_999_999_998,
            999_999_999_999_999_999
        ),
    ]

    @Test(arguments: good)
    func reads(_ text: String, _ bytes: ClosedRange<Int64>?, _ total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.bytes == bytes)
        #expect(range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes 0-9", "bytes 0-9/", "bytes /10", "bytes */*", "bytes -9/10",
        "bytes 0-/10", "bytes 9-0/10", "bytes 0-10/10", "bytes 0-9/9", "bytes 0-9/0",
        "bytes=0-9/10", "bytes  0-9/10", "bytes 0 - 9/10", "bytes 0-9/10 ", "bytes +0-9/10",
        "bytes 0-+9/10", "bytes 0x0-9/10", "items 0-9/10", "bytes 0-9/10/10", "bytes 0-1-9/10",
        "bytes 0-9,20-29/100", "bytes 0-9/-10", "bytes 0-0000000000000000009/10",
        "bytes 0-99999999999999999999/*", "0-9/10", "bytes ０-9/10",
    ])
    func refuses(_ text: String) {
        #expect(ContentRange(text) == nil)
    }

    private static let etags: [(FieldValue?, Bool)] = [
        ("\"a\"", true), ("\"\"", true), ("\"a-b;c!#\"", true), ("\"\u{e9}\"", true), (nil, false),
        ("", false), ("\"", false), ("a", false), ("W/\"a\"", false), ("w/\"a\"", false),
        ("\"a", false), ("a\"", false), ("\"a b\"", false), ("\"a\"b\"", false),
        ("\"a\u{7f}\"", false), ("\"a\u{1}\"", false), ("'a'", false),
    ]

    /// RFC 9110 section 8.8.3.
    @Test(arguments: etags)
    func onlyStrongETagsValidate(_ etag: FieldValue?, _ isStrong: Bool) {
        var facts = ResponseFacts(status: 200, url: "https://example.com/")
        facts.etag = etag
        #expect(facts.strongETag == (isStrong ? etag : nil))
    }
}
