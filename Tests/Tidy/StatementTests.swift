// Statements: what they give has names, and their lines fit.
import Foundation
import Testing

@Suite struct StatementTests {
    /// A column that moves would move the numbers of all behind it.
    @Test func columnsAreReadByTheirNames() throws {
        expectNone(
            try Repository.swiftFiles(in: "Sources").flatMap { file in
                Self.readsByNumber(in: file).map { "\(file.place($0)): a column has a number" }
            })
    }

    @Test func seesReadsByNumber() {
        func check(_ line: String, _ path: String = "Sources/Store/A.swift") -> Bool {
            let text = "internal import Postgres\n\(line)\n"
            return Self.readsByNumber(in: SwiftFile(path: path, text: text)) == [1]
        }
        #expect(check("let a: Int64 = try row.get(0)"))
        #expect(check("let a = try rows[0].get(12, as: String?.self)?.count"))
        #expect(check("let a = try row.integer(first + 1)"))
        #expect(check("let a = try row.get(Column.id.rawValue)"))
        #expect(check("let a = row.behind(3)"))
        #expect(!check("let a: Int64 = try row.get(Column.id)"))
        #expect(!check("let (a, b): (Int64, String) = try row.values()"))
        #expect(!check("func get(_ column: some RowColumn) { get(column.rawValue) }"))
        #expect(!check("let a: Int64 = try row.get(0)", "Sources/Postgres/A.swift"))
    }

    /// `Parameters` names them.
    @Test func nobodyCountsMoreThanEightParameters() throws {
        expectNone(
            try Repository.swiftFiles(in: "Sources/Store").flatMap { file in
                file.lines.indices.filter { file.lines[$0].contains(#/\$(?:9|[1-9]\d)\b/#) }
                    .map { "\(file.place($0)): a parameter has a number above eight" }
            })
    }

    /// A search by the volatile `clock_timestamp()` uses no index and reads every row.
    ///
    /// The time of the statement does not change while it runs. A lease or a hold, for which the
    /// statement may have waited, is judged by the clock.
    @Test func rangesEndAtTheTimeOfTheStatement() throws {
        let folder = Repository.root.appendingPathComponent("migrations/functions")
        let functions = try FileManager.default.contentsOfDirectory(atPath: folder.path).map {
            SwiftFile(
                path: "migrations/functions/" + $0,
                text: try String(
                    contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
        }
        expectNone(
            (try Repository.swiftFiles(in: "Sources/Store") + functions).flatMap { file in
                file.lines.indices.filter { Self.searchesByTheClock(file.lines[$0]) }
                    .map { "\(file.place($0)): a range ends at clock_timestamp()" }
            })
    }

    @Test func seesRangesOfTheClock() {
        #expect(Self.searchesByTheClock("WHERE q.deadline <= least(clock_timestamp(), $2)"))
        #expect(Self.searchesByTheClock("AND x.until < clock_timestamp() - interval '1 minute'"))
        #expect(!Self.searchesByTheClock("AND x.until < statement_timestamp()"))
        #expect(!Self.searchesByTheClock("AND r.expires_at > clock_timestamp()"))
        #expect(!Self.searchesByTheClock("UPDATE a SET b = greatest(clock_timestamp(), b)"))
    }

    private static func searchesByTheClock(_ line: some StringProtocol) -> Bool {
        guard String(line).contains(#/[<>]=? (least\()?clock_timestamp\(\)/#) else { return false }
        return !["expires_at", "held_until", "asked_at"].contains { line.contains($0) }
    }

    @Test func linesOfFunctionsFit() throws {
        let folder = Repository.root.appendingPathComponent("migrations/functions")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let text = try String(
                contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let long = lines.indices.filter { lines[$0].count > 120 }.map { $0 + 1 }
            #expect(long.isEmpty, "\(name): lines of more than 120 columns")
        }
    }

    private static func readsByNumber(in file: SwiftFile) -> [Int] {
        guard file.target != "Postgres",
            file.code.contains(where: { $0.hasSuffix("import Postgres") })
        else { return [] }
        let read =
            #/
            \.(get|integer|bool|double|text|timestamp|uuid|json|stored|behind)
            \((\d|first\b|[A-Z][\w.]*\.rawValue)
            /#
        return file.code.indices.filter { file.code[$0].contains(read) }
    }
}
