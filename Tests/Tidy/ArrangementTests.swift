// Rooms and files: how many files a folder has, and where a type is found.
import Testing

@Suite struct ArrangementTests {
    @Test func foldersHaveTwentyFilesAtMost() throws {
        let counts = Self.counts(try Repository.allFiles().map(\.folder))
        expectNone(Self.violations(counts, bound: 20, what: "files"))
    }

    @Test func typesHaveSixExtensionFilesAtMost() throws {
        let extensions = try Repository.swiftFiles(in: "Sources").filter { $0.name.contains("+") }
        let counts = Self.counts(extensions.map { $0.target + "/" + $0.typeName })
        expectNone(
            Self.violations(counts, bound: 6, what: "extension files"))
    }

    /// What other targets use is found by the name of its file.
    @Test func packageTypesAreInFilesOfTheirName() throws {
        expectNone(
            try Repository.swiftFiles(in: "Sources").flatMap { file in
                Self.strays(in: file).map { "\(file.path): \($0)" }
            })
    }

    @Test func seesStrayTypes() {
        func check(_ text: String) -> [String] {
            Self.strays(in: SwiftFile(path: "Sources/Core/A+More.swift", text: text))
        }
        #expect(check("package struct A {}\npackage final class B {}") == ["B"])
        #expect(check("@safe package enum C: Error {}\nstruct D {}") == ["C"])
        #expect(check("extension A {\n    package struct Inner {}\n}") == [])
        #expect(check("package extension E {}\npackage func f() {}") == [])
    }

    @Test func seesBounds() {
        func check(_ counts: [String: Int]) -> Int {
            Self.violations(counts, bound: 2, what: "files").count
        }
        #expect(check(["a": 2, "b": 1]) == 0)
        #expect(check(["a": 3, "b": 2]) == 1)
        #expect(check([:]) == 0)
    }

    private static func counts(_ names: [String]) -> [String: Int] {
        names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func violations(
        _ counts: [String: Int], bound: Int, what: String
    ) -> [String] {
        counts.sorted { $0.key < $1.key }.compactMap { name, count in
            count > bound ? "\(name): \(count) \(what), at most \(bound)" : nil
        }
    }

    private static func strays(in file: SwiftFile) -> [String] {
        let declaration =
            #/^(?:@\w+(?:\([^)]*\))?\s+)*(?:package|public)\s+(?:final\s+)?(\w+)\s+(\w+)/#
        let kinds: Set = ["struct", "class", "enum", "actor", "protocol"]
        return file.code.compactMap { line in
            guard let match = line.firstMatch(of: declaration), kinds.contains(String(match.1)),
                match.2 != file.typeName
            else { return nil }
            return String(match.2)
        }
    }
}

extension SwiftFile {
    /// The folder that it is in.
    var folder: String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The type that its name stands for: what stands before `+`.
    var typeName: String { String(name.prefix { $0 != "+" }) }
}
