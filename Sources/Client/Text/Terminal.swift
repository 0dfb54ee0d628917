// Standard output and standard error: what goes where, and what a terminal can show.
internal import Glibc
internal import Platform

/// Writes results to standard output, and messages and progress to standard error.
final class Terminal {
    /// Whether standard output is a terminal.
    let outputIsTerminal: Bool
    /// Whether progress is drawn: standard error is a terminal that can go back over a line.
    let drawsProgress: Bool
    private let isColored: Bool
    /// Lines of progress that stand on the screen.
    private var drawn = 0

    /// The streams of this process.
    init(_ environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        let canMove = !term.isEmpty && term != "dumb"
        outputIsTerminal = isatty(1) == 1
        drawsProgress = isatty(2) == 1 && canMove
        isColored =
            outputIsTerminal && canMove && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// Columns of the terminal; nil where there is none.
    var outputColumns: Int? { outputIsTerminal ? Terminal.columns(of: 1) : nil }

    /// Prints a line of the result.
    func say(_ line: String) throws(ClientFailure) { try write(Array((line + "\n").utf8)) }

    /// Writes bytes of the result.
    func write(_ bytes: [UInt8]) throws(ClientFailure) {
        clearProgress()
        guard unsafe bytes.withUnsafeBytes({ unsafe Terminal.write($0, to: 1) }) else {
            throw .outputClosed
        }
    }

    /// Writes bytes of the result as they come; false once the stream is closed.
    func pass(_ bytes: UnsafeRawBufferPointer) -> Bool { unsafe Terminal.write(bytes, to: 1) }

    /// Writes a message for people.
    func note(_ line: String) {
        clearProgress()
        let bytes = Array((line + "\n").utf8)
        // A failed write to standard error cannot be reported.
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
    }

    /// A state in its colour: green for done, red for failed, yellow for
    /// `attention_required`.
    func colored(_ state: String) -> String {
        guard isColored else { return state }
        let code =
            switch state {
            case "succeeded": "32"
            case "failed", "canceled": "31"
            case "attention_required": "33"
            case "running": "36"
            default: "2"
            }
        return "\u{1b}[\(code)m\(state)\u{1b}[0m"
    }

    /// Draws lines of progress in place of the last ones; nothing where that cannot be done.
    func draw(_ lines: (_ columns: Int) -> [String]) {
        guard drawsProgress else { return }
        let shown = lines(Terminal.columns(of: 2) - 1)
        var text = Terminal.erase(drawn)
        for line in shown { text += line + "\n" }
        drawn = shown.count
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
    }

    /// Takes the lines of progress off the screen.
    func clearProgress() {
        guard drawn > 0 else { return }
        let bytes = Array(Terminal.erase(drawn).utf8)
        drawn = 0
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
    }

    /// Asks a question that is answered by y or yes.
    func confirms(_ question: String) -> Bool? {
        guard isatty(0) == 1 else { return nil }
        let bytes = Array("\(question) [y/N] ".utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// Goes up and erases.
    private static func erase(_ lines: Int) -> String {
        lines > 0 ? "\u{1b}[\(lines)A\u{1b}[J" : ""
    }

    private static func columns(of descriptor: Int32) -> Int {
        // struct winsize: rows, columns, and both in pixels. Newer headers declare it in a module
        // that is not Glibc's.
        var size: (rows: UInt16, columns: UInt16, width: UInt16, height: UInt16) = (0, 0, 0, 0)
        let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return result == 0 && size.columns > 0 ? Int(size.columns) : 80
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
            do throws(Errno) {
                let count = try retryingInterrupts {
                    unsafe Glibc.write(descriptor, part.baseAddress, part.count)
                }
                unsafe rest = unsafe rest.dropFirst(count)
            } catch {
                return false
            }
        }
        return true
    }
}
