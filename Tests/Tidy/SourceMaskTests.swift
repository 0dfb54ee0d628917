// The mask of comments and literals, on which every rule depends.
import Testing

@Suite struct SourceMaskTests {
    @Test(arguments: [
        ("a // b", "a"), ("a /* b /* c */ d */ e", "a e"), ("a \"b\" c", "a c"),
        ("\"a\\\"b\" c", "c"), ("#\"a\"b\"# c", "c"), ("\"\\(a(\")\"))\" b", "b"),
        ("\"a\\(\"b\")c\" d", "d"), ("#if a", "#if a"), ("#\"\\(a\"# b", "b"),
        ("#\"\\#(a)\"# b", "b"), ("\"// a\" b", "b"), ("a = \"\" + b", "a = + b"),
        ("/// a\nb", "\nb"), ("\"\"\"\na \"b\"\n\"\"\" c", "\n \n c"), ("\"a", ""),
        ("/* a", ""), ("#/a/# b", "#/a/# b"),
    ])
    func leavesCode(_ text: String, _ code: String) {
        let masked = SourceMask.code(of: text)
        #expect(masked.utf8.count == text.utf8.count)
        #expect(masked.split(separator: " ").joined(separator: " ") == code)
    }
}
