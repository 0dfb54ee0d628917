// Lists of downloads in files, and the names of files that others have chosen.
import Base
import Client
import Testing

@Suite struct DownloadListTests {
    private static let hex = String(repeating: "0a", count: 32)

    private static func entry(
        _ line: Int, _ url: String, mirrors: [String] = [], name: String? = nil,
        digest: String? = nil, size: Int64? = nil
    ) -> DownloadList.Entry {
        var entry = DownloadList.Entry(line: line, url: url)
        (entry.mirrors, entry.name, entry.digest, entry.size) = (mirrors, name, digest, size)
        return entry
    }

    static let lists: [(String, [DownloadList.Entry])] = [
        ("", []), ("# nothing\n\n", []),
        ("http://a/1", [entry(1, "http://a/1")]),
        (
            "\u{feff}http://a/1\r\n  http://a/2  \r\n",
            [entry(1, "http://a/1"), entry(2, "http://a/2")]
        ),
        ("# x\nHTTPS://a/1\n", [entry(2, "HTTPS://a/1")]),
        ("http://a/1\tone two.bin", [entry(1, "http://a/1", name: "one two.bin")]),
        (
            "http://a/1\tsha256:\(hex)\thttp://b/1\tn",
            [
                entry(
                    1, "http://a/1", mirrors: ["http://b/1"], name: "n",
                    digest: "sha256:\(hex)")
            ]
        ),
        (
            "http://a/1\thttp://b/1\tsha-256=\(hex)",
            [entry(1, "http://a/1", mirrors: ["http://b/1"], digest: "sha256:\(hex)")]
        ),
        ("http://a/1\t\tn", [entry(1, "http://a/1", name: "n")]),
        (
            "TsvHttpData-1.0\nhttp://a/1\t1357\twHENa08V36iPYAsOa2JAdw==\nhttp://a/2",
            [
                entry(
                    2, "http://a/1", digest: "md5:c0710d6b4f15dfa88f600b0e6b624077", size: 1357),
                entry(3, "http://a/2"),
            ]
        ),
    ]

    @Test(arguments: lists)
    func aListIsReadAsPeopleWriteIt(text: String, entries: [DownloadList.Entry]) throws {
        #expect(try DownloadList(text, file: "l").entries == entries)
    }

    @Test(arguments: [
        ("ftp://a/1", "l:1: \"ftp://a/1\" is not a URL"),
        ("http://a/1\n\nnot a url\n", "l:3: \"not a url\" is not a URL"),
        ("http://a/1\ta\tb", "l:1: \"b\" is neither a URL nor a digest, and it has a name"),
        ("http://a/1\thttp://b/1", "l:1: mirrors need a digest"),
        ("http://a/1\tsha256:00", "l:1: --checksum: \"sha256:00\" is not a digest"),
        ("TsvHttpData-1.0\nhttp://a/1\tmany", "l:2: \"many\" is not a size in bytes"),
        ("TsvHttpData-1.0\nhttp://a/1\t1\tAAAA", "l:2: \"AAAA\" is not an MD5 in Base64"),
    ])
    func aBadLineIsNamedByFileAndNumber(text: String, words: String) {
        #expect {
            try DownloadList(text, file: "l")
        } throws: { error in
            "\(error)".hasPrefix(words) && (error as? ClientFailure)?.status == .usage
        }
    }

    @Test(arguments: [
        ("a.iso", "a.iso"), ("a/b", "a_b"), ("..", "download"), ("", "download"),
        (".bashrc", "_bashrc"), ("-rf", "_rf"), ("a\u{1b}[2Jb", "a?[2Jb"), ("x\\y", "x_y"),
        ("  name. ", "name"),
        (String(repeating: "é", count: 200), String(repeating: "é", count: 120)),
        (String(repeating: "a", count: 300) + ".iso", String(repeating: "a", count: 236) + ".iso"),
    ])
    func aNameIsSafe(name: String, safe: String) {
        #expect(LocalName.safe(name) == safe)
    }

    @Test(arguments: [
        ("a.iso", 1, "a.iso"), ("a.iso", 2, "a-2.iso"), ("a.tar.gz", 3, "a-3.tar.gz"),
        ("a", 2, "a-2"), ("_a.b.c", 2, "_a.b-2.c"),
    ])
    func aNameThatIsTakenGetsANumber(name: String, number: Int, numbered: String) {
        #expect(LocalName.numbered(name, number) == numbered)
    }
}
