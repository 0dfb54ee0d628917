// Rooms and files: how many files a folder has, and where a type is found.
import Testing

/// Bounds with known exceptions; an exception may shrink, and goes once the bound holds.
@Suite struct ArrangementTests {
    /// Folders above the bound, with the number of files that they may have at most.
    static let largeFolders = [
        "Sources/Core/Download": 22, "Sources/HTTPServer": 22, "Sources/HTTPWire": 27,
        "Sources/Postgres": 23, "Sources/Store": 55, "Sources/Transfers": 42,
        "Sources/Worker": 40, "Tests/Benchmarks": 30, "Tests/CoreTests": 65,
        "Tests/EndToEnd": 40, "Tests/StoreTests": 40, "Tests/WorkerTests": 45,
    ]

    /// Types above the bound, with the number of extension files that they may have at most.
    static let largeTypes = ["Store/Downloads": 8, "Store/Ledger": 7, "Worker/Attempt": 7]

    /// Package types in a file of another type, by target.
    static let strayTypes = [
        "API": 7, "Content": 5, "Core": 60, "HTTPWire": 3, "Platform": 3, "Postgres": 6,
        "Store": 38, "Transfers": 6, "Webhooks": 1,
    ]

    @Test func foldersHaveTwentyFilesAtMost() throws {
        let counts = Self.counts(try Repository.allFiles().map(\.folder))
        expectNone(Self.violations(counts, bound: 20, known: Self.largeFolders, what: "files"))
    }

    @Test func typesHaveSixExtensionFilesAtMost() throws {
        let extensions = try Repository.swiftFiles(in: "Sources").filter { $0.name.contains("+") }
        let counts = Self.counts(extensions.map { $0.target + "/" + $0.typeName })
        expectNone(
            Self.violations(counts, bound: 6, known: Self.largeTypes, what: "extension files"))
    }

    /// What other targets use is found by the name of its file.
    @Test func packageTypesAreInFilesOfTheirName() throws {
        var counts: [String: Int] = [:]
        var places: [String: [String]] = [:]
        for file in try Repository.swiftFiles(in: "Sources") {
            for type in Self.strays(in: file) {
                counts[file.target, default: 0] += 1
                places[file.target, default: []].append("\(file.path): \(type)")
            }
        }
        let found = Self.violations(counts, bound: 0, known: Self.strayTypes, what: "types")
        expectNone(found.isEmpty ? [] : found + places.values.flatMap(\.self).sorted())
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
            Self.violations(counts, bound: 2, known: ["a": 4], what: "files").count
        }
        #expect(check(["a": 4, "b": 2]) == 0)
        #expect(check(["a": 5]) == 1)
        #expect(check(["a": 4, "b": 3]) == 1)
        #expect(check(["a": 2]) == 1, "the exception is not needed any more")
        #expect(check([:]) == 1)
    }

    private static func counts(_ names: [String]) -> [String: Int] {
        names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    private static func violations(
        _ counts: [String: Int], bound: Int, known: [String: Int], what: String
    ) -> [String] {
        var found: [String] = []
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            let most = known[name] ?? bound
            if count > most { found.append("\(name): \(count) \(what), at most \(most)") }
        }
        for (name, most) in known.sorted(by: { $0.key < $1.key }) where counts[name] ?? 0 <= bound {
            found.append("\(name): the exception of \(most) \(what) is not needed any more")
        }
        return found
    }

    private static func strays(in file: SwiftFile) -> [String] {
        let declaration =
            #/^(@\w+(\([^)]*\))?\s+)*(package|public)\s+(final\s+)?([a-z]+)\s+([A-Z]\w+)/#
        return file.code.compactMap { line in
            guard let name = line.firstMatch(of: declaration)?.output.6, name != file.typeName
            else { return nil }
            return String(name)
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
