// A page of docs as a script: its commands are run, with hidden blocks between.
import Foundation

/// The commands of a page in their order.
///
/// A fenced `sh` block is shown and run; a fenced `text`, `json` or `http` block right below it is
/// its output. A comment that opens with `<!-- test` has commands that are run and not shown.
struct DocumentPage: Sendable, Equatable {
    /// A block of commands.
    struct Block: Sendable, Equatable {
        var commands: String
        var isShown: Bool
        var output: String?
    }

    private(set) var blocks: [Block] = []
    /// Shell blocks that are not run: they are fenced as `bash`.
    private(set) var unrun = 0

    /// Reads a Markdown text.
    init(_ markdown: String) {
        // Only blank lines may stand between commands and their output.
        var isOpen = false
        var fence: String?
        var lines: [Substring] = []
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if let kind = fence {
                guard line == (kind == "test" ? "-->" : "```") else {
                    lines.append(line)
                    continue
                }
                let text = lines.joined(separator: "\n")
                (fence, lines) = (nil, [])
                switch kind {
                case "test", "sh":
                    blocks.append(Block(commands: text, isShown: kind == "sh"))
                    isOpen = kind == "sh"
                case "text", "json", "http":
                    if isOpen { blocks[blocks.count - 1].output = text }
                    isOpen = false
                default:
                    if kind == "bash" { unrun += 1 }
                    isOpen = false
                }
            } else if line.hasPrefix("```") {
                fence = String(line.dropFirst(3))
            } else if line == "<!-- test" {
                fence = "test"
            } else if !line.allSatisfy(\.isWhitespace) {
                isOpen = false
            }
        }
    }

    /// The line between the outputs of two blocks.
    static let separator = "=== the next block ==="

    /// One script of all blocks, in one shell.
    var script: String {
        blocks.map(\.commands).joined(separator: "\necho\necho '\(Self.separator)'\n") + "\n"
    }
}
