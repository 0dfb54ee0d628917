// Package.swift and the table of imports are one table.
import Foundation
import Testing

@Suite struct PackageTests {
    /// Modules of the system and of the toolchain, which Package.swift does not name.
    private static let system: Set = ["Dispatch", "Glibc", "Synchronization"]

    /// A target may import its dependencies, and has no others.
    @Test func dependenciesAreWhatTheImportTableAllows() throws {
        let package = try Self.dependencies()
        for (target, row) in ImportTests.allowed {
            let dependencies = try #require(package[target], "\(target)")
            guard let row else {
                let others = Set(ImportTests.allowed.keys).subtracting([target])
                #expect(dependencies == others, "\(target) imports anything of ours")
                continue
            }
            #expect(dependencies == row.subtracting(Self.system), "\(target)")
        }
    }

    /// The dependencies of the targets of Sources, as Package.swift has them.
    private static func dependencies() throws -> [String: Set<String>] {
        let file = Repository.root.appendingPathComponent("Package.swift")
        let text = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(text.range(of: "let package = Package("))
        var found: [String: Set<String>] = [:]
        let short = #/\bsource\(\s*"(\w+)"(?:,\s*\[([^\]]*)\])?\s*\)/#
        for match in text[start.upperBound...].matches(of: short) {
            found[String(match.1)] = names(in: match.2 ?? "")
        }
        let long = #/arget\(\s*name: "(\w+)",\s*dependencies: \[([^\]]*)\]/#
        for match in text[start.upperBound...].matches(of: long) {
            found[String(match.1)] = names(in: match.2)
        }
        return found
    }

    private static func names(in list: Substring) -> Set<String> {
        Set(list.matches(of: #/"(\w+)"/#).map { String($0.1) })
    }
}
