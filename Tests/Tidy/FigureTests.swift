// Numbers that pages print are those of the program.
import Foundation
import Testing

@Suite struct FigureTests {
    private static func text(_ path: String) throws -> String {
        String(
            decoding: try Data(contentsOf: Repository.root.appending(path: path)), as: UTF8.self)
    }

    /// The rows `| … | 1,000 … | `Type.constant` |` of docs/limits.md.
    private static func rows(_ text: String) -> [(name: String, constant: String, number: Int)] {
        text.split(separator: "\n").compactMap { line in
            guard
                let row = line.firstMatch(
                    of: #/\| ([0-9][0-9,]*)[^|]* \| `([A-Za-z]+)\.([A-Za-z]+)` \|$/#),
                let number = Int(row.output.1.replacing(",", with: ""))
            else { return nil }
            return (String(row.output.2), String(row.output.3), number)
        }
    }

    @Test func limitsOfThePageAreThoseOfTheProgram() throws {
        let page = try Self.text("docs/limits.md")
        let rows = Self.rows(page)
        #expect(rows.count == page.split(separator: "\n").count { $0.hasSuffix("` |") })
        #expect(rows.count > 20)
        let sources = try Repository.swiftFiles(in: "Sources")
        for (name, constant, number) in rows {
            let files = sources.filter { file in
                guard let last = file.path.split(separator: "/").last else { return false }
                return last == "\(name).swift" || last.hasPrefix("\(name)+")
            }
            let values = files.flatMap(\.code).compactMap { line -> Int? in
                guard let value = line.firstMatch(of: #/let (\w+)(: \w+)? = ([0-9_]+)$/#),
                    value.output.1 == constant
                else { return nil }
                return Int(value.output.3.replacing("_", with: ""))
            }
            #expect(values == [number], "\(name).\(constant) is \(values), not \(number)")
        }
    }
}
