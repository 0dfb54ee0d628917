import Foundation
import Support
import Testing

/// The table of members says of each what becomes of it.
struct MemberTableTests {
    private static let package = World.root.appending(path: "clients/swift")

    private func swiftFiles(_ folder: String) throws -> [(name: String, text: String)] {
        let place = MemberTableTests.package.appending(path: folder)
        return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
            .filter { $0.hasSuffix(".swift") }
            .map { ($0, try String(contentsOf: place.appending(path: $0), encoding: .utf8)) }
    }

    private func table() throws -> String {
        let place = "Sources/LullURLSession/LullURLSession.docc/Members.md"
        return try String(
            contentsOf: MemberTableTests.package.appending(path: place), encoding: .utf8)
    }

    /// The names of the public declarations of a file, with the labels of functions.
    private func members(_ text: String, ofProtocols isProtocol: Bool) -> [String] {
        let declaration = /(var|let|func|typealias|class|struct|enum|protocol|init)\b\s?`?(\w*)`?/
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.indices.compactMap { index in
            let line = lines[index].drop { $0 == " " }
            let isPublic = line.hasPrefix("public ") || line.hasPrefix("open ")
            guard isPublic || (isProtocol && line.hasPrefix("func ")),
                !line.hasPrefix("public import"),
                let found = line.replacing("class func", with: "func")
                    .replacing("class var", with: "var").firstMatch(of: declaration)
            else { return nil }
            switch found.1 {
            case "init": return "init" + labels(lines[index...].joined(separator: "\n"))
            case "func":
                return found.2 + labels(lines[index...].joined(separator: "\n"))
            default: return String(found.2)
            }
        }
    }

    /// The labels of the first list of parameters.
    private func labels(_ text: String) -> String {
        var (depth, labels, word, isLabel) = (0, "", "", true)
        for character in text.drop(while: { $0 != "(" }) {
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]": depth -= 1
            // Not of an arrow, which has a space before it.
            case ">" where word != "-": depth -= 1
            case ":" where depth == 1 && isLabel:
                let names = word.split(whereSeparator: \.isWhitespace)
                labels += (names.first ?? "_") + ":"
                isLabel = false
            case "," where depth == 1: isLabel = true
            default: break
            }
            if depth == 0 { break }
            word = character == "," || character == "(" ? "" : word + String(character)
            if character == " ", !isLabel { word = "" }
        }
        return "(" + labels + ")"
    }

    @Test func eachMemberHasARow() throws {
        let spans = Set(try table().matches(of: /`([^`]+)`/).map { String($0.1) })
        let files =
            try swiftFiles("Sources/LullURLSession/Session")
            + swiftFiles("Sources/LullURLSession/Tasks")
        var all: Set<String> = []
        for file in files {
            all.formUnion(
                members(file.text, ofProtocols: file.name == "URLSessionDelegate.swift"))
        }
        #expect(all.count > 100, "\(all)")
        for name in [
            "uploadTask(with:fromFile:)", "waitingReasons", "default", "default(server:key:)",
        ] {
            #expect(all.contains(name))
        }
        #expect(all.subtracting(spans).sorted() == [])
        // Those of Foundation's request, whose declarations are not here.
        for name in [
            "httpBody", "httpBodyStream", "cachePolicy", "timeoutInterval", "networkServiceType",
            "allowsCellularAccess", "httpShouldHandleCookies", "httpShouldUsePipelining",
            "mainDocumentURL", "httpMethod", "allHTTPHeaderFields", "url",
        ] {
            #expect(spans.contains(name), "\(name)")
        }
    }

    @Test func eachRowHasAnAnswerAndTestsThatExist() throws {
        var tests: Set<String> = ["UnavailableTests"]
        for file in try swiftFiles("Tests/LullURLSessionTests") {
            for found in file.text.matches(of: /func (\w+)\(/) {
                tests.insert(file.name.dropLast(6) + "." + found.1)
            }
        }
        for row in try table().split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let answer = try #require(cells.dropFirst().first)
            let works = answer.hasPrefix("works")
            #expect(
                works || answer.hasPrefix("does not compile") || answer.hasPrefix("ends its task"),
                "\(row)")
            let named = row.matches(of: /`(\w+Tests\.\w+)`/).map { String($0.1) }
            for name in named { #expect(tests.contains(name), "\(name)") }
            #expect(!works || !named.isEmpty || answer.contains("deprecated"), "\(row)")
        }
    }
}
