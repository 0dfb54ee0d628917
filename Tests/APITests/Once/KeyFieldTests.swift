// One key, two spellings, and what is none.
import Testing

@testable import API

@Suite struct KeyFieldTests {
    @Test(arguments: [
        ("abc", "abc"), ("\"abc\"", "abc"), ("a\"b", "a\"b"), ("\"a\\\"b\\\\\"", "a\"b\\"),
        ("\"a b\"", "a b"),
        (String(repeating: "x", count: 255), String(repeating: "x", count: 255)),
    ]) func isAKey(field: String, text: String) {
        #expect(KeyField.text(field) == text)
    }

    @Test(arguments: [
        "", "\"\"", "\"", "\"abc", "\"abc\"x", "\"a\\b\"", "a b", "a\tb", "\u{fc}",
        String(repeating: "x", count: 256), "\"a\\",
    ]) func isNone(field: String) {
        #expect(KeyField.text(field) == nil)
    }
}
