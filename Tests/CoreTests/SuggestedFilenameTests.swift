// Names that strangers suggest: read as RFC 6266 and RFC 8187 say, and never a path.
import Core
import Testing

@Suite struct SuggestedFilenameTests {
    @Test(arguments: [
        ("attachment; filename=a.txt", "a.txt"), ("attachment; filename=\"a b.txt\"", "a b.txt"),
        ("attachment;filename=\"a.txt\"", "a.txt"), ("ATTACHMENT; FILENAME=a.txt", "a.txt"),
        ("inline; filename = a.txt ", "a.txt"), ("filename=a.txt", "a.txt"),
        ("attachment; filename=my file.txt", "my file.txt"),
        (#"attachment; filename="a\"b.txt""#, "a\"b.txt"), ("attachment; x=\";\"; filename=a", "a"),
        ("attachment; filename=\"a;b=c.txt\"", "a;b=c.txt"),
        ("attachment; filename=a.txt; filename=b.txt", "a.txt"),
        ("attachment; filename=a%20b.txt", "a%20b.txt"),
        ("attachment; filename=\"unterminated.txt", "unterminated.txt"),
        ("attachment; filename=\"ä.txt\"", "ä.txt"),
    ])
    func readsTheField(_ field: String, _ name: String) {
        #expect(SuggestedFilename.choose(contentDisposition: field, path: "/p") == name)
    }

    /// RFC 8187, and RFC 6266 section 4.3: the extended form comes first.
    @Test(arguments: [
        ("attachment; filename*=UTF-8''%e2%82%ac%20rates.txt", "€ rates.txt"),
        ("attachment; filename*=utf-8'en'a%2Db.txt", "a-b.txt"),
        ("attachment; filename=\"EURO.txt\"; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
        ("attachment; filename*=UTF-8''%e2%82%ac.txt; filename=\"EURO.txt\"", "€.txt"),
        ("attachment; filename*=ISO-8859-1''%a3.txt; filename=pound.txt", "pound.txt"),
        ("attachment; filename*=UTF-8; filename=plain.txt", "plain.txt"),
        ("attachment; filename*=UTF-8''..; filename=plain.txt", "plain.txt"),
        ("attachment; filename*=UTF-8''it's.txt", "it's.txt"),
        ("attachment; filename*=UTF-8''100%.txt", "100%.txt"),
        ("attachment; filename*=UTF-8''a%+5%-1%zz%4.txt", "a%+5%-1%zz%4.txt"),
    ])
    func readsTheExtendedForm(_ field: String, _ name: String) {
        #expect(SuggestedFilename.choose(contentDisposition: field, path: "/p") == name)
    }

    @Test(arguments: [
        ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("..\\..\\boot.ini", "boot.ini"),
        ("C:\\x\\a.txt", "a.txt"), ("a/", "a"), (".bashrc", "bashrc"), ("...a", "a"),
        (". .a", "a"), (".", "p"), ("..", "p"), ("../..", "p"), ("   ", "p"), ("", "p"),
        ("a\u{0}b\r\nc\u{7f}\u{85}.txt", "abc.txt"), ("\u{1}.\u{2}.a", "a"),
        ("a\u{202e}txt.exe", "atxt.exe"), ("\u{2066}a\u{2069}\u{200f}.txt", "a.txt"),
        ("a\u{2028}b", "ab"), (" a.txt ", "a.txt"),
        // One character each to a reader of graphemes, a slash and a dot to the file system.
        ("etc/\u{301}passwd", "\u{301}passwd"), (".\u{301}a", "\u{301}a"),
    ])
    func isNeverAPath(_ suggested: String, _ name: String) {
        var encoded = ""
        for byte in suggested.utf8 {
            encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
        }
        let field = "attachment; filename*=UTF-8''" + encoded
        let chosen = SuggestedFilename.choose(contentDisposition: field, path: "/p")
        #expect(chosen.unicodeScalars.elementsEqual(name.unicodeScalars), "\(chosen)")
    }

    @Test(arguments: [
        ("/a/b.zip", "b.zip"), ("/a/b%20c.zip?x=/y", "b c.zip"), ("/a/", "a"), ("/", "download"),
        ("", "download"), ("?a", "download"), ("/..%2f..%2fetc%2fpasswd", "passwd"),
        ("/%2e%2e", "download"), ("/%ff.bin", "\u{fffd}.bin"), ("/a%00b", "ab"),
    ])
    func fallsBackToThePath(_ path: String, _ name: String) {
        for field in [nil, "attachment", "attachment; filename=", "attachment; filename=\"\""] {
            #expect(SuggestedFilename.choose(contentDisposition: field, path: path) == name)
        }
    }

    @Test func longNameIsCutAtACharacterBoundary() {
        let field = "attachment; filename=" + String(repeating: "é", count: 150)
        let name = SuggestedFilename.choose(contentDisposition: field, path: "/")
        #expect(name == String(repeating: "é", count: 100))
    }
}
