// Files, functions and lines that are short enough for a reader.
import Testing

@Suite struct SizeTests {
    @Test func linesFitAHundredColumns() throws {
        expectNone(
            try Repository.allFiles().flatMap { file in
                file.lines.indices.filter { file.lines[$0].count > 100 }.map {
                    "\(file.place($0)): \(file.lines[$0].count) columns"
                }
            })
    }

    @Test func filesFitFiveHundredLines() throws {
        expectNone(
            try Repository.allFiles().filter { $0.lines.count > 500 }.map {
                "\($0.path): \($0.lines.count) lines"
            })
    }

    @Test func functionsFitSeventyLines() throws {
        expectNone(
            try Repository.allFiles().flatMap { file in
                functions(in: file).filter { $0.lineCount > 70 }.map {
                    "\(file.place($0.line)): a function of \($0.lineCount) lines"
                }
            })
    }

    /// A file opens with a comment of its own, or with the documentation of its type.
    @Test func filesOpenWithTheirPurpose() throws {
        expectNone(
            try Repository.allFiles().filter { file in
                let first = file.lines.first { !$0.isEmpty && !$0.contains(#/^\w* ?import /#) }
                return file.lines.first?.hasPrefix("// ") != true
                    && first?.hasPrefix("/// ") != true
            }.map { "\($0.path):1: the file does not open with a comment" })
    }

    @Test func seesFunctions() {
        let text = """
            protocol P {
                func a(_ b: () -> Void)
                init()
            }
            extension S {
                func c(
                    d: Int = { 1 }()
                ) -> Int {
                    let e = "}"  // }
                    return 1
                }
                init() { f = { 2 } }
                var initial: Int { 3 }
                subscript(g: Int) -> Int {
                    g
                }
            }
            """
        let found = functions(in: SwiftFile(path: "Sources/Base/S.swift", text: text))
        #expect(found.map(\.line) == [5, 11, 13])
        #expect(found.map(\.lineCount) == [6, 1, 3])
    }

    private struct Function {
        /// The index of the function's first line.
        let line: Int
        let lineCount: Int
    }

    private static let words = ["func", "init", "deinit", "subscript"]

    /// Functions with bodies, nested ones too.
    private func functions(in file: SwiftFile) -> [Function] {
        var found: [Function] = []
        for index in file.code.indices {
            guard Self.words.contains(where: { file.code[index].contains($0) }),
                let start = declaration(in: file.code[index]),
                let last = lastLine(from: index, start, in: file)
            else { continue }
            found.append(Function(line: index, lineCount: last - index + 1))
        }
        return found
    }

    /// The place in a line where the word of a declaration ends: the word leads, after modifiers
    /// and attributes.
    private func declaration(in line: Substring) -> Substring.Index? {
        let modifiers = #/^\s*(@\w+(\([^)]*\))?\s+)*([a-z]+(\(\w+\))?\s+)*?/#
        let word = #/(func\s+\S|(init|subscript)[?!]?\s*[<(]|deinit\s*\{)/#
        guard let lead = line.prefixMatch(of: modifiers) else { return nil }
        var rest = line[lead.range.upperBound...]
        while true {
            if rest.prefixMatch(of: word) != nil { return rest.startIndex }
            guard let modifier = rest.prefixMatch(of: #/[a-z]+(\(\w+\))?\s+/#) else { return nil }
            rest = rest[modifier.range.upperBound...]
        }
    }

    /// The line of the brace that ends the body, or nil if there is no body.
    private func lastLine(from line: Int, _ start: Substring.Index, in file: SwiftFile) -> Int? {
        var braces = 0
        var parentheses = 0
        for index in line..<file.code.count {
            let text = index == line ? file.code[index][start...] : file.code[index]
            if index > line, braces == 0, parentheses == 0, isOver(text) { return nil }
            for character in text {
                switch character {
                case "(", "[": parentheses += 1
                case ")", "]": parentheses -= 1
                // Braces inside of parentheses are closures, even in default values.
                case "{" where parentheses == 0: braces += 1
                case "}" where parentheses == 0:
                    braces -= 1
                    if braces == 0 { return index }
                    if braces < 0 { return nil }
                default: break
                }
            }
        }
        return nil
    }

    /// Whether a line ends a signature: then the function has no body.
    private func isOver(_ line: Substring) -> Bool {
        let text = line.drop { $0 == " " }
        let continuations = ["{", "->", "where", "throws", "async", "rethrows", ")"]
        return !text.isEmpty && !continuations.contains { text.hasPrefix($0) }
    }
}
