// Paths beneath a folder, and the operator's list of folders.
import Base
import Downloads
import Testing

private func long(_ text: String, _ count: Int, _ head: String = "") -> String {
    head + String(repeating: text, count: count)
}

@Suite struct FolderPathTests {
    @Test(arguments: [
        "a", "a/b/c.iso", " ", "a b", "...", "..a", "a..", "-", "~", "\\", "é/ü", "a\u{301}",
        ".hidden", "a/.lull", ".lullaby", "con", "C:", String(repeating: "x", count: 255),
        Array(repeating: "a", count: 64).joined(separator: "/"),
    ])
    func takesRelativePathsOfPlainComponents(_ path: String) {
        #expect(FolderPath.refusal(of: path) == nil)
    }

    @Test(arguments: [
        "", "/", "/a", "//a", "a//b", "a/", ".", "..", "./a", "a/.", "a/..", "../a", "a/../b",
        "a\u{0}", "a\n", "\u{7f}", "a\u{85}b", ".lull", ".lull/x",
        String(repeating: "x", count: 256), String(repeating: "é", count: 128),
        Array(repeating: "a", count: 65).joined(separator: "/"),
        "a/\u{301}/..", String(repeating: "a/", count: 2048) + "a",
        // A slash with a combining mark is one character, and still a slash of the path.
        "a/\u{301}/", "..\u{2f}\u{338}",
    ])
    func refusesWhatMayLeaveTheFolder(_ path: String) {
        #expect(FolderPath.refusal(of: path) != nil)
    }

    @Test(arguments: [
        ("a.iso", "a (1).iso"), ("a", "a (1)"), ("a.tar.gz", "a (1).tar.gz"),
        (".hidden", ".hidden (1)"), ("a.", "a (1)."),
        (long("b", 40, "a."), long("b", 40, "a.") + " (1)"),
        (long("x", 255), long("x", 251) + " (1)"),
        (long("é", 125) + ".iso", long("é", 123) + " (1).iso"),
    ])
    func numbersStandBeforeTheEnding(_ name: String, _ numbered: String) {
        #expect(FolderPath.numbered(name, 1) == numbered)
        #expect(FolderPath.refusal(of: FolderPath.numbered(name, 999)) == nil)
    }

    @Test func foldersAreFoundByNameAndApp() throws {
        let folders = try AllowedPlaces.parse("a=/srv/a,b@x=/srv/bx,b=/srv/b,c@y=/srv/c")
        let cases: [(String, String, String?)] = [
            ("a", "x", "/srv/a"), ("b", "x", "/srv/bx"), ("b", "y", "/srv/b"),
            ("c", "y", "/srv/c"), ("c", "x", nil), ("d", "x", nil), ("", "", nil),
        ]
        for (name, app, path) in cases {
            #expect(folders.find(name, app: app)?.folder?.path == path, "\(name) of \(app)")
        }
        let copied = try AllowedPlaces.parse("a=/srv/a;copy,a@x=/srv/a")
        #expect(
            copied.find("a", app: "y")?.folder?.copies == true
                && copied.list[0].folder?.path == "/srv/a")
        #expect(copied.find("a", app: "x")?.folder?.copies == false)
        #expect(folders.isAlikeForAllApps("a") && !folders.isAlikeForAllApps("b"))
    }

    @Test(arguments: [
        "", "a", "a=", "a=b", "=/a", "a@=/a", "a b=/x", "a=/x,", "a=/x,a=/y", "a=/x;", "a=/x;link",
        "a=/x;copy;copy", "a=;copy", "a@b=/x,a@b=/y",
        String(repeating: "n", count: 65) + "=/x",
    ])
    func refusesListsThatAreNone(_ text: String) {
        #expect(throws: AllowedPlaces.ParseError.self) { try AllowedPlaces.parse(text) }
    }

    @Test func destinationsAreReadWithTheirPointers() throws {
        func findings(_ destination: JSON) -> [String] {
            switch DownloadRequest.parse(
                ["url": "https://a.example/", "destination": destination])
            {
            case .success: []
            case .failure(let errors): errors.map(\.pointer)
            }
        }
        let cases: [(JSON, [String])] = [
            (["name": "a"], []), (["name": "a", "path": "b/c", "on_conflict": "rename"], []),
            (["name": "a", "path": nil, "on_conflict": nil], []), (nil, []),
            ("a", ["#/destination"]), ([:], ["#/destination"]),
            (["name": "a", "path": "../x"], ["#/destination/path"]),
            (["name": "a", "path": ""], ["#/destination/path"]),
            (["name": "a", "on_conflict": "x"], ["#/destination/on_conflict"]),
            (["name": "a", "folder": "x"], ["#/destination/folder"]),
        ]
        for (destination, pointers) in cases { #expect(findings(destination) == pointers) }
    }

    @Test(arguments: [
        ("a.iso", "a.iso"), ("/etc/passwd", "passwd"), ("..\\..\\x", "x"), ("..x", "x"),
        ("a\u{0}b\u{202e}c", "abc"), (".", nil), ("../", nil), ("\u{7}", nil),
    ])
    func filenamesAreMadeSafe(_ given: String, _ safe: String?) {
        #expect(SuggestedFilename.safe(given) == safe)
        if let safe { #expect(FolderPath.refusal(of: safe) == nil) }
    }
}
