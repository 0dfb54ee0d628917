// File names from strangers in a header field that Lull writes.
import Downloads
import Testing

@Suite struct ContentDispositionTests {
    @Test(
        arguments: [
            ("a.iso", "attachment; filename=\"a.iso\""),
            ("a b.txt", "attachment; filename=\"a b.txt\""),
            ("../../etc/passwd", "attachment; filename=\"_.._etc_passwd\""),
            ("..\\evil.exe", "attachment; filename=\"_evil.exe\""),
            (".bashrc", "attachment; filename=\"bashrc\""),
            ("", "attachment; filename=\"download\""),
            ("..", "attachment; filename=\"download\""),
            ("a\r\nX: y", "attachment; filename=\"a__X: y\""),
            (
                "Zürich.pdf",
                "attachment; filename=\"Z_rich.pdf\"; filename*=UTF-8''Z%C3%BCrich.pdf"
            ),
            ("a\"b", "attachment; filename=\"a_b\"; filename*=UTF-8''a%22b"),
            ("100%.txt", "attachment; filename=\"100_.txt\"; filename*=UTF-8''100%25.txt"),
            ("gpj.\u{202e}exe", "attachment; filename=\"gpj._exe\""),
        ])
    func filenames(_ name: String, _ field: String) {
        #expect(ContentDisposition.attachment(name: name) == field)
    }

    @Test func longFilenamesAreCutBetweenCharacters() {
        let field = ContentDisposition.attachment(name: String(repeating: "é", count: 300))
        #expect(field.hasSuffix(String(repeating: "%C3%A9", count: 100)))
        #expect(!field.hasSuffix(String(repeating: "%C3%A9", count: 101)))
    }
}
