// Standard output and standard error, and the abilities of a terminal.
internal import Glibc
internal import Platform

/// Writes results to standard output, and messages and progress to standard error.
final class Terminal {
    /// Whether standard output is a terminal.
    let outputIsTerminal: Bool
    /// Whether progress is drawn: standard error is a terminal that can erase lines.
    let drawsProgress: Bool
    private let isColored: Bool
    /// The number of progress lines on the screen.
    private var drawn = 0
    private var drawnAt: Int64 = 0
    /// Whether the line with the two characters of Ctrl-C was ended, or erased.
    private var hasLeftLine = false

    /// Creates a terminal over the streams of this process.
    init(_ environment: [String: String]) {
        let term = environment["TERM"] ?? ""
        let canMove = !term.isEmpty && term != "dumb"
        outputIsTerminal = isatty(1) == 1
        drawsProgress = isatty(2) == 1 && canMove
        isColored =
            outputIsTerminal && canMove && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// The columns of the terminal; nil if standard output is none.
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

    /// Writes bytes of the result as they arrive; returns false once the stream is closed.
    func pass(_ bytes: UnsafeRawBufferPointer) -> Bool { unsafe Terminal.write(bytes, to: 1) }

    /// Writes a message for people, on a line of its own.
    func note(_ line: String) {
        clearProgress()
        leaveInterruptedLine()
        let bytes = Array((line + "\n").utf8)
        // A failed write to standard error cannot be reported.
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
    }

    /// A state in colour: green for succeeded, red for failed, yellow for `attention_required`.
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

    /// Draws progress lines in place of the last ones; does nothing if `drawsProgress` is false.
    func draw(_ lines: (_ columns: Int) -> [String]) {
        guard drawsProgress else { return }
        let shown = lines(Terminal.columns(of: 2) - 1)
        var text = Terminal.erase(drawn)
        for line in shown { text += line + "\n" }
        drawn = shown.count
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
    }

    /// Draws progress lines, at most five times a second.
    func drawOften(_ lines: (_ columns: Int) -> [String]) {
        let now = SystemClock.bootNanoseconds()
        guard now - drawnAt >= 200_000_000 else { return }
        drawnAt = now
        draw(lines)
    }

    /// Begins a new line after Ctrl-C, which a terminal shows as two characters.
    func leaveInterruptedLine() {
        guard Interrupt.isRaised, !hasLeftLine, isatty(2) == 1 else { return }
        hasLeftLine = true
        // A failed write to standard error cannot be reported.
        _ = unsafe [UInt8(ascii: "\n")].withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
    }

    /// Erases the progress lines.
    func clearProgress() {
        guard drawn > 0 else { return }
        let bytes = Array(Terminal.erase(drawn).utf8)
        drawn = 0
        if Interrupt.isRaised { hasLeftLine = true }
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
    }

    /// Asks a question; true if the answer is y or yes, nil if standard input is no terminal.
    func confirms(_ question: String) -> Bool? {
        guard isatty(0) == 1 else { return nil }
        let bytes = Array("\(question) [y/N] ".utf8)
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 2) }
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }

    /// The control sequence that moves to the beginning of a line further up, and erases from
    /// there: a terminal shows Ctrl-C as two characters behind the last line.
    private static func erase(_ lines: Int) -> String {
        lines > 0 ? "\r\u{1b}[\(lines)A\u{1b}[J" : ""
    }

    /// The lines that progress may take: one is left for the cursor.
    var progressLines: Int { max(1, Terminal.size(of: 2).rows - 1) }

    private static func columns(of descriptor: Int32) -> Int { size(of: descriptor).columns }

    static func size(of descriptor: Int32) -> (rows: Int, columns: Int) {
        // The fields of struct winsize: rows, columns, and both in pixels. Newer headers declare it
        // in a module other than Glibc.
        var size: (rows: UInt16, columns: UInt16, width: UInt16, height: UInt16) = (0, 0, 0, 0)
        let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        guard result == 0, size.columns > 0 else { return (24, 80) }
        return (size.rows > 0 ? Int(size.rows) : 24, Int(size.columns))
    }

    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
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
