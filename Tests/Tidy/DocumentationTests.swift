// Declarations for other targets are documented; the formatter checks `public` alone.
import Testing

@Suite struct DocumentationTests {
    @Test func whatOtherTargetsSeeIsDocumented() throws {
        let files = try Repository.swiftFiles(in: "Sources") + Repository.swiftFiles(in: "Tests")
        expectNone(files.flatMap { Self.violations(in: $0) })
    }

    @Test func seesDeclarations() {
        func check(_ text: String) -> Int {
            Self.violations(in: SwiftFile(path: "Sources/Base/A.swift", text: text)).count
        }
        #expect(check("package struct A {}") == 1)
        #expect(check("/// A thing.\npackage struct A {}") == 0)
        #expect(check("/// A thing.\n@safe\n@MainActor package struct A {}") == 0)
        #expect(check("/// A thing.\n\npackage struct A {}") == 1)
        #expect(check("// A thing.\npackage struct A {}") == 1)
        #expect(check("package import Base\n// package struct\nlet a = \"package var\"") == 0)
        #expect(check("    package static func a() {}") == 1)
        #expect(check("    @safe package init() {}") == 1)
        #expect(check("    nonisolated package var a: Int { 1 }") == 1)
        #expect(check("public let a = 1") == 1)
        #expect(check("    /// A.\n    package private(set) var a: Int") == 0)
        #expect(check("package extension A {}") == 0)
    }

    private static func violations(in file: SwiftFile) -> [String] {
        file.code.indices.compactMap { index in
            let line = file.code[index]
            guard line.contains("package ") || line.contains("public ") else { return nil }
            guard isVisible(line), !isDocumented(file, at: index) else { return nil }
            return "\(file.place(index)): no doc comment directly above"
        }
    }

    private static func isVisible(_ line: Substring) -> Bool {
        guard let access = line.firstMatch(of: #/\b(package|public)\s+/#) else { return false }
        // Attributes and other modifiers may lead; any other text is not a declaration.
        let lead = #/\s*(@\w+(\([^)]*\))?\s+)*([a-z]+(\(\w+\))?\s+)*/#
        guard line[..<access.range.lowerBound].wholeMatch(of: lead) != nil else { return false }
        let word = line[access.range.upperBound...].prefix { $0.isLetter }
        return !word.isEmpty && word != "import" && word != "extension"
    }

    private static func isDocumented(_ file: SwiftFile, at index: Int) -> Bool {
        for line in file.lines[..<index].reversed() {
            let text = line.drop { $0 == " " }
            if text.hasPrefix("@") { continue }
            return text.hasPrefix("///")
        }
        return false
    }
}
