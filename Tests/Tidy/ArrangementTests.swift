// The file in which a type is found.
import Testing

@Suite struct ArrangementTests {
    /// A type that other targets use is found by the name of its file.
    @Test func packageTypesAreInFilesOfTheirName() throws {
        expectNone(
            try Repository.swiftFiles(in: "Sources").flatMap { file in
                Self.strays(in: file).map { "\(file.path): \($0)" }
            })
    }

    @Test func seesStrayTypes() {
        func check(_ text: String) -> [String] {
            Self.strays(in: SwiftFile(path: "Sources/Base/A+More.swift", text: text))
        }
        #expect(check("package struct A {}\npackage final class B {}") == ["B"])
        #expect(check("@safe package enum C: Error {}\nstruct D {}") == ["C"])
        #expect(check("extension A {\n    package struct Inner {}\n}") == [])
        #expect(check("package extension E {}\npackage func f() {}") == [])
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
    /// The type that a file's name stands for: the part before `+`.
    var typeName: String { String(name.prefix { $0 != "+" }) }
}
