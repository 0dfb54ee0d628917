// The terminal speaks its own language: every sentence of the service that names a request of the
// API has words of the command line.
import Client
import Foundation
import Testing

@Suite struct PlainWordsTests {
    /// A request in a sentence: a method as the verb, or a path of the API.
    private static func requests(in text: String) -> [String] {
        // A method that the client has chosen for its own request is a noun.
        let verbs = text.replacing(#/\b(a|its|method) (GET|POST|PUT)\b/#, with: "")
        let patterns = [
            #/\b(PATCH|DELETE)\b/#,
            #/\b(GET|POST|PUT) (?!or |and |that |is |had |because )[a-z\/]/#,
        ]
        let paths = [#/\/v1\//#, #/ \/retry\b/#]
        return patterns.flatMap { verbs.matches(of: $0).map { String(verbs[$0.range]) } }
            + paths.flatMap { verbs.matches(of: $0).map { String(verbs[$0.range]) } }
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// The literals of the service's sources, with those that are added to them.
    private static func literals() throws -> [(file: String, text: String)] {
        var found: [(file: String, text: String)] = []
        for part in ["API", "Downloads", "Scheduling", "Worker"] {
            let folder = root.appending(path: part)
            let names =
                FileManager.default.enumerator(
                    atPath: folder.path(percentEncoded: false))?.compactMap { $0 as? String } ?? []
            for name in names where name.hasSuffix(".swift") && !isForPrograms(name) {
                let source = String(
                    decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
                let code = source.split(separator: "\n").filter { line in
                    !line.drop { $0 == " " }.hasPrefix("//")
                }.joined(separator: "\n")
                let joined = code.replacing(#/"\s*\n\s*\+ "/#, with: "")
                for literal in joined.matches(of: #/"((?:[^"\\\n]|\\.)*)"/#) {
                    found.append((name, String(literal.output.1)))
                }
            }
        }
        return found
    }

    /// Pages of problems, routes, and the answers to hooks are read by programs only.
    private static func isForPrograms(_ name: String) -> Bool {
        ["ProblemKind+Page.swift", "PageEndpoints.swift", "HookAnswerHandler.swift"]
            .contains { name.hasSuffix($0) }
            || ["TusRequest.swift", "Idempotency.swift"].contains { name.hasSuffix($0) }
    }

    @Test func everySentenceOfTheServiceNamesCommandsAtTheTerminal() throws {
        let sentences = try Self.literals().filter { _, text in
            // A sentence has several words; a route or a statement is none.
            text.split(separator: " ").count > 3 && !text.contains("DELETE FROM")
        }
        #expect(sentences.count > 300)
        var count = 0
        for (file, text) in sentences where !Self.requests(in: text).isEmpty {
            count += 1
            let plain = PlainWords.of(text)
            #expect(Self.requests(in: plain) == [], "\(file): \(text)\nbecomes: \(plain)")
        }
        #expect(count > 20, "the sentences are found")
    }

    @Test(arguments: [
        (
            "the origin answered 403: PATCH another url or credentials, then resume",
            "the origin answered 403: lull edit gives another URL or credentials, then lull resume"
        ),
        (
            "There is no session \"a\". PUT its configuration here to make it.",
            "There is no session \"a\". lull sessions set makes it."
        ),
        ("must be GET, POST or PUT", "must be GET, POST or PUT"), ("nothing", "nothing"),
    ])
    func aSentenceIsTranslated(service: String, terminal: String) {
        #expect(PlainWords.of(service) == terminal)
    }
}
