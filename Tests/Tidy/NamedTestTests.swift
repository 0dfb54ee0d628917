// Tests that the documentation names exist.
import Foundation
import Testing

@Suite struct NamedTestTests {
    private static let comparison = "docs/urlsession.md"

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The tests of the repository as `Suite.test`; a file with several suites has an entry with
    /// each.
    private static func tests() throws -> Set<String> {
        var names: Set<String> = []
        for file in try Repository.swiftFiles(in: "Tests") {
            var suites: [Substring] = []
            var tests: [Substring] = []
            var isTest = false
            for line in file.code {
                if let suite = line.firstMatch(of: #/\b(?:struct|enum|class) (\w+Tests)\b/#) {
                    suites.append(suite.1)
                }
                if line.contains("@Test") { isTest = true }
                guard isTest, let test = line.firstMatch(of: #/\bfunc (\w+)/#) else { continue }
                tests.append(test.1)
                isTest = false
            }
            for suite in suites { names.formUnion(tests.map { "\(suite).\($0)" }) }
        }
        return names
    }

    @Test func testsThatPagesNameExist() throws {
        let known = try Self.tests()
        let folder = Repository.root.appendingPathComponent("docs")
        let pages = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        #expect(known.count > 1000 && pages.contains(Self.comparison))
        var missing: [String] = []
        for page in pages.sorted() {
            for match in try Self.text(page).matches(of: #/`(\w+Tests)\.(\w+)`/#) {
                let name = "\(match.1).\(match.2)"
                if match.2 != "swift", !known.contains(name) {
                    missing.append("\(page): there is no \(name)")
                }
            }
        }
        expectNone(missing)
    }

    /// Each threat, and each statement of SECURITY.md, names tests that exist.
    @Test func everyThreatAndEveryProtectionHasATest() throws {
        let suites = Set(try Self.tests().map { $0.prefix { $0 != "." } })
        let page = try Self.text("docs/threats.md").split(separator: "\n")
        let rows = page.filter { $0.hasPrefix("| ") && !$0.contains("|---") }
            .filter { !$0.hasPrefix("| Who |") && !$0.hasPrefix("| Statement |") }
        #expect(rows.count > 30)
        var missing: [String] = []
        for row in rows {
            let named = row.matches(of: #/`(\w+Tests)`/#).map(\.1)
            // One threat has no protection, and its row says so.
            if named.isEmpty, !row.contains("| none: ") { missing.append("no test: \(row)") }
            missing += named.filter { !suites.contains($0) }.map { "there is no \($0)" }
        }
        let statements = try Self.text("SECURITY.md")
            .matches(of: #/\n- \*\*([^*.]+)\.?\*\*/#).map(\.1)
        #expect(statements.count > 8)
        for name in statements where !rows.contains(where: { $0.hasPrefix("| \(name) |") }) {
            missing.append("SECURITY.md: no row for \(name)")
        }
        expectNone(missing)
    }

    /// Each row about Lull beside other tools names a test or a page, and each source has its
    /// address.
    @Test func everyRowBesideOtherToolsIsShown() throws {
        let page = try Self.text("docs/compare.md")
        let own =
            page.components(separatedBy: "| | Lull | Shown by |\n").last?
            .components(separatedBy: "\n\n").first ?? ""
        let rows = own.split(separator: "\n").filter { !$0.hasPrefix("|---") }
        #expect(rows.count > 10)
        expectNone(
            rows.filter { !$0.contains(#/\| (`\w+Tests\.\w+`|\[[^\]]+\]\([^)]+\)) \|$/#) }
                .map { "not shown: \($0)" })
        let named = Set(page.matches(of: #/\[([a-z][a-z0-9-]*)\](?!\(|:)/#).map(\.1))
        #expect(named.count > 10)
        expectNone(
            named.filter { !page.contains("\n[\($0)]: https://") }.map { "no address: \($0)" })
    }

    /// Every feature of Apple's API is shown by a test, or is said to be missing.
    @Test func everyRowOfTheComparisonHasATest() throws {
        let rows = try Self.text(Self.comparison).split(separator: "\n").filter {
            $0.hasPrefix("| ") && !$0.hasPrefix("| Apple |")
        }
        #expect(rows.count > 90)
        var missing: [String] = []
        for row in rows {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst()
            let hasTest = row.contains(#/`\w+Tests\.\w+` \|$/#)
            if cells.count != 5 { missing.append("\(row): has \(cells.count - 1) cells") }
            if hasTest == row.contains("not here") {
                missing.append("\(row): a test or 'not here'")
            }
        }
        expectNone(missing)
    }
}
