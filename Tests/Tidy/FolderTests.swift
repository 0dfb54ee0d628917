// The folders of a target use each other in one direction.
import Testing

@Suite struct FolderTests {
    /// The targets whose folders still use each other in a circle.
    private static let tangled: Set = [
        "API", "Client", "Content", "HTTPWire", "Platform", "Postgres", "Store", "Transfers",
        "Worker", "lull",
    ]

    @Test func foldersOfATargetUseEachOtherInOneDirection() throws {
        let targets = Dictionary(grouping: try Repository.swiftFiles(in: "Sources"), by: \.target)
        let checked = targets.filter { !Self.tangled.contains($0.key) }
        #expect(checked.keys.contains { $0 == "Downloads" } && checked.count > 5)
        expectNone(checked.sorted { $0.key < $1.key }.flatMap { Self.circles(in: $0.value) })
    }

    @Test func seesCircles() {
        func check(_ files: [(String, String)]) -> [String] {
            Self.circles(
                in: files.map { SwiftFile(path: "Sources/Base/\($0.0).swift", text: $0.1) })
        }
        let used = ("Low/A", "package struct A {}")
        let using = ("High/B", "struct B {\n    let a: [A]\n}")
        #expect(check([used, using]) == [])
        #expect(
            check([using, ("Low/A", "// B\nstruct A { let b = \"B\", c = C.B.d, e: F.B }")]) == [])
        #expect(check([using, ("Low/A", "struct A {\n    enum B {}\n    let b: B\n}")]) == [])
        #expect(check([using, used, ("Low/C", "private struct C { let b = B() }")]).count == 2)
        #expect(check([using, ("Low/Deep/A", "final class A { let b: B? }")]).count == 2)
        #expect(
            check([using, used, ("Low/A+B", "extension A {\n    func b(_ b: B) {}\n}")]).count == 2)
        // A folder that leads into a circle, or is used by one, is not in it.
        let around = [
            ("Top/D", "enum D { typealias E = B }"), ("Low/C", "struct C { let g: G; let b: B }"),
            ("Ground/G", "struct G {}"),
        ]
        #expect(check([using, used] + around).count == 2)
    }

    /// The types that a file declares and names.
    private struct Words {
        /// Types at the top level that other files see.
        var visible: Set<Substring> = []
        /// All types that it declares.
        var declared: Set<Substring> = []
        /// Names that begin with a capital letter, and the line of the first use.
        var named: [Substring: Int] = [:]

        private static let kinds: Set<Substring> = [
            "struct", "class", "enum", "actor", "protocol", "typealias", "associatedtype",
        ]

        init(_ file: SwiftFile) {
            for (index, line) in file.code.enumerated() {
                var last: Substring = ""
                for word in Words.words(of: line) {
                    if Words.kinds.contains(last) {
                        declared.insert(word)
                        let isHidden = line.hasPrefix("private ") || line.hasPrefix("fileprivate ")
                        if line.first != " ", !isHidden { visible.insert(word) }
                    } else if word.utf8.first.map({ (0x41...0x5a).contains($0) }) == true {
                        named[word] = named[word] ?? index
                    }
                    last = word
                }
            }
        }

        /// The words of a line; of `a.b.c` the first alone.
        private static func words(of line: Substring) -> [Substring] {
            line.utf8.split { byte in
                let isLetter = (0x61...0x7a).contains(byte | 0x20)
                return !isLetter && !(0x30...0x39).contains(byte) && byte != 0x5f && byte != 0x2e
            }.map { Substring($0.prefix { $0 != 0x2e }) }
        }
    }

    /// One line for each use between folders that lie on a circle.
    private static func circles(in files: [SwiftFile]) -> [String] {
        let words = files.map(Words.init)
        var homes: [Substring: String] = [:]
        for (file, words) in zip(files, words) {
            for name in words.visible { homes[name] = file.room }
        }
        var uses: [String: [String: String]] = [:]
        for (file, words) in zip(files, words) {
            for (name, line) in words.named.sorted(by: { $0.value < $1.value }) {
                guard let home = homes[name], home != file.room, !words.declared.contains(name)
                else { continue }
                let place = "\(file.place(line)): \(file.room) uses \(name) of \(home)"
                uses[file.room, default: [:]][home] = uses[file.room]?[home] ?? place
            }
        }
        return onCircles(uses)
    }

    /// Takes away the folders that use none, or are used by none, until none is left to take away.
    private static func onCircles(_ uses: [String: [String: String]]) -> [String] {
        var uses = uses
        while true {
            let users = Set(uses.keys)
            let used = Set(uses.values.flatMap(\.keys))
            let rest = users.intersection(used)
            let kept = uses.filter { rest.contains($0.key) }.mapValues { homes in
                homes.filter { rest.contains($0.key) }
            }.filter { !$0.value.isEmpty }
            if kept == uses { return uses.values.flatMap(\.values).sorted() }
            uses = kept
        }
    }
}

extension SwiftFile {
    /// The folder of its target that it is in, at any depth; empty beside the folders.
    fileprivate var room: String {
        let parts = path.split(separator: "/").dropFirst(2)
        return parts.count > 1 ? String(parts[parts.startIndex]) : ""
    }
}
