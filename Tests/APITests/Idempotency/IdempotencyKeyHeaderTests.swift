// The syntax of Idempotency-Key: bare or quoted, 1 to 255 characters.
import Testing

@testable import API

@Suite struct IdempotencyKeyHeaderTests {
    @Test(arguments: [
        ("abc", "abc"), ("\"abc\"", "abc"), ("a\"b", "a\"b"), ("\"a\\\"b\\\\\"", "a\"b\\"),
        ("\"a b\"", "a b"),
        (String(repeating: "x", count: 255), String(repeating: "x", count: 255)),
    ]) func readsBareAndQuotedKeys(field: String, text: String) {
        #expect(IdempotencyKeyHeader.text(field) == text)
    }

    @Test(arguments: [
        "", "\"\"", "\"", "\"abc", "\"abc\"x", "\"a\\b\"", "a b", "a\tb", "\u{fc}",
        String(repeating: "x", count: 256), "\"a\\",
    ]) func refusesOtherFields(field: String) {
        #expect(IdempotencyKeyHeader.text(field) == nil)
    }
}
