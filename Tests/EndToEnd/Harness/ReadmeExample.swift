// The commands of README and of pages like it, and their output, read from the page itself.
//
// A fenced `sh` block with a line that begins with `curl` (or `NAME=$(curl`), also an indented one,
// is an example. A fenced `json`, `http` or `text` block right below it is what it prints. A fenced
// `python` block that opens with `# NAME.py` is a file that the examples use.
import Foundation

/// One block of commands and the output in README.
struct ReadmeExample: Sendable, Equatable {
    var commands: String
    var output: String?

    /// The examples of a Markdown text in their order.
    static func all(in markdown: String) -> [ReadmeExample] {
        var examples: [ReadmeExample] = []
        // Only blank lines may stand between the commands and their output.
        var isOpen = false
        var language: String?
        var block: [Substring] = []
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if let inside = language {
                guard line == "```" else {
                    block.append(line)
                    continue
                }
                let text = block.joined(separator: "\n")
                if inside == "sh", block.contains(where: { $0.contains(/^ *([a-z]+=\$\()?curl\b/) })
                {
                    examples.append(ReadmeExample(commands: text))
                    isOpen = true
                } else if isOpen, ["json", "http", "text"].contains(inside), !examples.isEmpty {
                    examples[examples.count - 1].output = text
                    isOpen = false
                } else {
                    isOpen = false
                }
                language = nil
            } else if line.hasPrefix("```") {
                language = String(line.dropFirst(3))
                block = []
            } else if !line.allSatisfy(\.isWhitespace) {
                isOpen = false
            }
        }
        return examples
    }

    /// The Python files of a Markdown text by their names.
    static func files(in markdown: String) -> [String: String] {
        var files: [String: String] = [:]
        for block in markdown.components(separatedBy: "\n```python\n").dropFirst() {
            guard let text = block.components(separatedBy: "\n```").first,
                let name = text.prefixMatch(of: /# ([a-z]+\.py)\b/)?.output.1
            else { continue }
            files[String(name)] = text + "\n"
        }
        return files
    }

    /// The text with values that differ from run to run replaced.
    ///
    /// A number stays: a page shows a size only if it is the same in each run, or computes it.
    static func masked(_ text: String) -> String {
        text
            .replacing(/\b(dl|at|evt|whe|whd|wk|req)_[0-9A-Z]{26}\b/) { "\($0.output.1)_ID" }
            .replacing(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/, with: "INSTANT")
            .replacing(/[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [0-9:]{8} GMT/, with: "DATE")
            .replacing(/\b[0-9a-f]{64}\b/, with: "DIGEST")
            .replacing(/sha-256=:[A-Za-z0-9+\/=]+:/, with: "sha-256=:DIGEST:")
            .replacing(/W\/"[^"]*"/, with: "ETAG")
            .replacing("\r\n", with: "\n")
    }

    /// Whether a printed text equals the one in README, line by line once masked.
    ///
    /// A line of README is compared up to its `…`; a line that is only `…` matches any lines.
    static func isAsShown(_ printed: String, _ shown: String) -> Bool {
        let printed = masked(printed).split(separator: "\n").map { $0.trimmed }
        let shown = masked(shown).split(separator: "\n").map { $0.trimmed }
        return matches(printed[...], shown[...])
    }

    private static func matches(
        _ printed: ArraySlice<String>, _ shown: ArraySlice<String>
    ) -> Bool {
        guard let line = shown.first else { return printed.isEmpty }
        if line == "…" {
            return matches(printed, shown.dropFirst())
                || (!printed.isEmpty && matches(printed.dropFirst(), shown))
        }
        guard let first = printed.first else { return false }
        let isSame =
            if let cut = line.firstIndex(of: "…") {
                first.hasPrefix(line[..<cut])
            } else {
                first == line
            }
        return isSame && matches(printed.dropFirst(), shown.dropFirst())
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(reversed().drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace))
    }
}
