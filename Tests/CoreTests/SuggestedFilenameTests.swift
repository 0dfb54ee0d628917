// Names that strangers suggest: read as RFC 6266 and RFC 8187 say, and never a path.
import Downloads
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
        ("attachment; filename=a%20b.txt", "a b.txt"),
        ("attachment; filename=\"%EC%82%AC%EB%B3%B8.jpg\"", "사본.jpg"),
        ("attachment; filename=\"100% pure.zip\"", "100% pure.zip"),
        ("attachment; filename=\"caf%E9.zip\"", "caf%E9.zip"),
        ("attachment; filename=\"é%20b.zip\"", "é%20b.zip"),
        ("attachment; filename=\"a%20b%E9.zip\"", "a%20b%E9.zip"),
        ("attachment; filename=\"50%25.zip\"", "50%.zip"),
        ("attachment; filename=\"a%2520b.zip\"", "a%20b.zip"),
        ("attachment; filename=\"a%2.zip\"", "a%2.zip"),
        ("attachment; filename=\"dir%2Fb.zip\"", "b.zip"),
        (#"attachment; filename="C:\data\report.xls""#, "report.xls"),
        (#"attachment; filename="c:\\data\\report.xls""#, "report.xls"),
        (#"attachment; filename=C:\data\report.xls"#, "report.xls"),
        (#"attachment; filename="\\server\share\file.doc""#, "file.doc"),
        (#"attachment; filename="docs\readme.txt""#, "docsreadme.txt"),
        (#"attachment; filename="\"a\" b.txt""#, "\"a\" b.txt"),
        ("attachment; filename=\"unterminated.txt", "unterminated.txt"),
        ("attachment; filename=\"ä.txt\"", "ä.txt"),
        // Bytes that are no UTF-8 come as ISO 8859-1; browsers read them as windows-1252.
        ("attachment; filename=\"\u{80}uro \u{93}caf\u{e9}\u{94}.txt\"", "€uro “café”.txt"),
        ("attachment; filename=a\u{96}b\u{9d}.txt", "a–b.txt"),
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
        ("attachment; filename*=ISO-8859-1''%a3.txt; filename=pound.txt", "£.txt"),
        ("attachment; filename*=iso-8859-1'en'na%EFve%80.txt", "naïve€.txt"),
        ("attachment; filename*=windows-1252''%80uro.txt", "€uro.txt"),
        ("attachment; filename*=GBK''%B2%E2.zip; filename=plain.zip", "plain.zip"),
        ("attachment; filename*=utf-8''caf%E9.zip; filename=fallback.zip", "fallback.zip"),
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
        // Each is one character to a reader of graphemes, and a slash or a dot to the file system.
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

    @Test(arguments: [
        ".iso", ".tar.gz", ".part1.rar", ".r00", ".7z.001", "",
        ".a-very-long-ending-is-not-one-of-files",
    ])
    func aLongNameKeepsItsEndingAndDiffers(_ ending: String) {
        let isEnding = ending.utf8.count <= 32
        for piece in ["Kanalbyen-", "é", "👩‍👩‍👧", "e\u{301}"] {
            let stem = String(repeating: piece, count: 300 / piece.utf8.count + 1)
            let names = ["", "x"].map { mark in
                SuggestedFilename.choose(
                    contentDisposition: "attachment; filename=\"\(stem)\(mark)\(ending)\"",
                    path: "/")
            }
            #expect(names[0] != names[1])
            for name in names {
                #expect(name.utf8.count <= 255 && name.utf8.count > 200)
                if isEnding { #expect(name.hasSuffix(ending)) }
                let kept = name.firstRange(of: "…~").map { name[..<$0.lowerBound] } ?? ""
                #expect(!kept.isEmpty && stem.hasPrefix(kept), "cut between characters")
            }
        }
        let whole = String(repeating: "a", count: 255 - ending.utf8.count) + ending
        #expect(SuggestedFilename.safe(whole) == whole)
    }
}
