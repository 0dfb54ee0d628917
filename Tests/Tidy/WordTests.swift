// Words that do not belong in finished code.
import Testing

@Suite struct WordTests {
    @Test func nothingIsLeftForLater() throws {
        // The words are put together here, so that this file passes its own test.
        let words = ["TO" + "DO", "FIX" + "ME", "X" + "XX:", "HA" + "CK"]
        expectNone(
            try Repository.allFiles().flatMap { file in
                file.lines.indices.flatMap { index in
                    words.filter { file.lines[index].contains($0) }.map {
                        "\(file.place(index)): \($0)"
                    }
                }
            })
    }

    @Test func nothingIsHiddenOrUnbounded() throws {
        let files = try Repository.allFiles()
        expectNone(files.flatMap { Self.violations(in: $0) })
    }

    @Test func seesBannedCalls() {
        func check(_ text: String, _ path: String = "Sources/Base/A.swift") -> Int {
            Self.violations(in: SwiftFile(path: path, text: text)).count
        }
        #expect(check("let a = try? b()") == 1)
        #expect(check("// try? fatalError() print()\nlet a = \"try? Date()\"") == 0)
        #expect(check("Task { a() }\nlet b = Task.detached(priority: .low) { a() }") == 2)
        #expect(check("Task { a() }", "Sources/Platform/TaskOwner.swift") == 0)
        #expect(check("Task { a() }", "Tests/Support/A.swift") == 0)
        #expect(check("try await Task.sleep(for: a)\nFileTask()\nTask.isCancelled") == 0)
        #expect(check("print(a)") == 1)
        #expect(check("a.print(b)\nstatic func print(_ c: Int) {}\nblueprint(d)") == 0)
        #expect(check("print(a)", "Sources/lull/Main.swift") == 0)
        #expect(check("print(a)", "Tests/Benchmarks/B.swift") == 0)
        #expect(check("fatalError(\"a\")") == 1)
        #expect(check("let a = Date()\nlet b = Date(timeIntervalSince1970: 0)") == 1)
        #expect(check("Int.random(in: 0..<2)") == 1)
        #expect(check("Int.random(in: 0..<2, using: &random)") == 0)
        #expect(check("Int.random(in: 0...(2), using: &random)") == 0)
        #expect(check("f(Int.random(in: 0...2), using: &random)") == 1)
        #expect(check("Int.random(\n    in: 0..<2,\n    using: &random)") == 0)
        #expect(check("final class A: @unchecked Sendable {}") == 2)
        let justified =
            "// Safe because of the queue,\n// which is serial.\nclass A: @unchecked Sendable {}"
        #expect(check(justified) == 1, "Base may not have it at all")
        #expect(check(justified, "Sources/Platform/A.swift") == 0)
        #expect(check("class A: @unchecked Sendable {}", "Sources/Platform/A.swift") == 1)
        #expect(check("nonisolated(unsafe) var a = 1", "Tests/Support/A.swift") == 1)
    }

    private static func violations(in file: SwiftFile) -> [String] {
        file.code.indices.flatMap { index in
            (bannedCalls(in: file, at: index) + uncheckedClaims(in: file, at: index)).map {
                "\(file.place(index)): \($0)"
            }
        }
    }

    private static func bannedCalls(in file: SwiftFile, at index: Int) -> [String] {
        let line = file.code[index]
        var found: [String] = []
        if line.contains("try?") { found.append("try? hides a failure") }
        if line.contains("fatalError(") { found.append("fatalError is not precondition") }
        if line.contains("Date()"), line.contains(#/\bDate\(\)/#) {
            found.append("Date() is no clock of ours")
        }
        if file.path.hasPrefix("Sources/"), !mayStartTasks.contains(file.path), startsTask(line) {
            found.append("a task has no owner: see TaskOwner")
        }
        let mayPrint = ["lull", "Benchmarks", "Fortnight", "Simulation"].contains(file.target)
        if !mayPrint, line.contains("print("), isCallOfPrint(line) {
            found.append("print is not the log")
        }
        if let call = line.firstRange(of: ".random(") {
            let rest = [line[call.upperBound...]] + file.code.dropFirst(index + 1).prefix(5)
            if !arguments(rest.joined(separator: " ")).contains("using:") {
                found.append("random without using: cannot be replayed")
            }
        }
        return found
    }

    /// The places that may start tasks: each holds its task, and awaits or cancels it.
    private static let mayStartTasks: Set = [
        "Sources/Platform/TaskOwner.swift", "Sources/HTTPServer/Server+Stream.swift",
        "Sources/HTTPServer/Server+Tasks.swift",
        "Sources/Postgres/Pool/ConnectionPool+Waiting.swift",
        "Sources/Store/Journal/ChangeHub.swift", "Sources/Webhooks/WebhookSender.swift",
        "Sources/lull/Commands/Serve.swift", "Sources/Transfers/Transfer/TransferStream.swift",
    ]

    private static func startsTask(_ line: Substring) -> Bool {
        line.contains(#/\bTask(\.detached)?\s*(\{|\()/#)
    }

    private static func isCallOfPrint(_ line: Substring) -> Bool {
        line.contains(#/(^|[^.\w])print\(/#) && !line.contains(#/func\s+print\(/#)
    }

    /// The arguments before the parenthesis that closes a call.
    private static func arguments(_ text: String) -> Substring {
        var depth = 1
        let end = text.firstIndex { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth == 0
        }
        return text[..<(end ?? text.endIndex)]
    }

    private static let mayClaim: Set = [
        "Platform", "Transfers", "Postgres", "Crypto", "HTTPServer",
    ]

    private static func uncheckedClaims(in file: SwiftFile, at index: Int) -> [String] {
        let line = file.code[index]
        guard line.contains("@unchecked Sendable") || line.contains("nonisolated(unsafe)") else {
            return []
        }
        var found: [String] = []
        if file.tree == "Sources", !mayClaim.contains(file.target) {
            found.append("\(file.target) may not go around the checks of isolation")
        }
        let comment = file.lines[..<index].reversed().prefix {
            $0.drop { $0 == " " }.hasPrefix("//")
        }
        if !comment.contains(where: { $0.contains("Safe because") }) {
            found.append("a comment \"Safe because\" is missing directly above")
        }
        return found
    }
}
