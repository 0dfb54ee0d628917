// The name of a file says its content, and the name of a type its meaning.
import Testing

@Suite struct NameTests {
    @Test func namesSayWhatThingsAre() throws {
        expectNone(try Repository.allFiles().flatMap { Self.emptyWords(in: $0) })
    }

    @Test func filesAreNamedAfterATypeInside() throws {
        let files = try Repository.swiftFiles(in: "Sources").filter {
            // The placeholder of a target that does not exist yet, and the program's entry.
            $0.name != "Story" && $0.path != "Sources/lull/Main.swift"
        }
        expectNone(
            files.filter { !Self.hasTypeOfItsName($0) }.map {
                "\($0.path): no type or extension is called like the file"
            })
    }

    @Test func seesNames() {
        func file(_ name: String, _ text: String) -> SwiftFile {
            SwiftFile(path: "Sources/Base/\(name).swift", text: text)
        }
        #expect(Self.hasTypeOfItsName(file("JSON+Text", "extension JSON {}")))
        #expect(Self.hasTypeOfItsName(file("Header", "private struct Header<Value> {}")))
        #expect(Self.hasTypeOfItsName(file("Inner", "extension Outer.Inner: Sendable {}")))
        #expect(Self.hasTypeOfItsName(file("Outer+More", "extension Outer.Inner {}")))
        #expect(Self.hasTypeOfItsName(file("Coded+Text", "extension Int: Sendable, Coded {")))
        #expect(!Self.hasTypeOfItsName(file("Headers", "struct Header {}\n// struct Headers")))
        #expect(Self.emptyWords(in: file("FileManager", "")).count == 1)
        #expect(Self.emptyWords(in: file("Implicit", "struct Utility {}")).count == 0)
        #expect(Self.emptyWords(in: file("A", "struct AImpl {}\nenum DateUtils {}")).count == 2)
        #expect(Self.emptyWords(in: file("A", "let a = FileManager.default")) == [])
    }

    private static func emptyWords(in file: SwiftFile) -> [String] {
        let word = #/(Manager|Helper|Util|Service|Impl|Common)s?(?![a-z])/#
        var found: [String] = []
        if file.name.contains(word) { found.append("\(file.path): the name says nothing") }
        for index in file.code.indices where file.code[index].contains(word) {
            let declaration = #/\b(struct|class|enum|actor|protocol|typealias)\s+(\w+)/#
            guard let type = file.code[index].firstMatch(of: declaration)?.2, type.contains(word)
            else { continue }
            found.append("\(file.place(index)): the name \(type) says nothing")
        }
        return found
    }

    /// Whether a type is declared or extended, or conformances to a protocol are given.
    private static func hasTypeOfItsName(_ file: SwiftFile) -> Bool {
        let name = file.name.prefix { $0 != "+" }
        let declaration = #/\b(struct|class|enum|actor|protocol|typealias|extension)\s+([\w.]+)/#
        let conformance = #/\bextension\s+[\w.]+\s*:\s*([\w., ]+)/#
        return file.code.contains { line in
            guard line.contains(name) else { return false }
            let named = line.matches(of: declaration).flatMap { $0.2.split(separator: ".") }
            let given = line.firstMatch(of: conformance).map { $0.1.split { !$0.isLetter } } ?? []
            return (named + given).contains(name)
        }
    }
}
