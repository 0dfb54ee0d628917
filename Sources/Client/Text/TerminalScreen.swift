// The whole screen of a terminal, while a command draws it and reads single keys.
internal import Glibc
internal import Platform

/// The alternate screen of the terminal, without echo and without waiting for lines; see
/// termios(3).
final class TerminalScreen {
    private var before = termios()
    private var isOpen = false

    /// Takes the screen.
    ///
    /// - Returns: nil if standard input or output is no terminal.
    init?() {
        guard isatty(0) == 1, isatty(1) == 1, unsafe tcgetattr(0, &before) == 0 else { return nil }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        guard unsafe tcsetattr(0, TCSANOW, &raw) == 0 else { return nil }
        isOpen = true
        write("\u{1b}[?1049h\u{1b}[?25l")
    }

    /// The lines and columns.
    var size: (rows: Int, columns: Int) { Terminal.size(of: 1) }

    /// Draws lines in place of all that is shown.
    func draw(_ lines: [String]) {
        let text = lines.map { $0 + "\u{1b}[K" }.joined(separator: "\r\n")
        write("\u{1b}[H" + text + "\u{1b}[J")
    }

    /// Draws the last line, and leaves the others.
    func drawLast(_ line: String) { write("\u{1b}[\(size.rows);1H\(line)\u{1b}[K") }

    /// A key that was pressed; nil if there is none.
    func key() -> UInt8? {
        var waits = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&waits, 1, 0) > 0 else { return nil }
        var byte: UInt8 = 0
        return unsafe read(0, &byte, 1) == 1 ? byte : nil
    }

    /// Gives the screen back as it was.
    func close() {
        guard isOpen else { return }
        isOpen = false
        write("\u{1b}[?25h\u{1b}[?1049l")
        _ = unsafe tcsetattr(0, TCSANOW, &before)
    }

    private func write(_ text: String) {
        let bytes = Array(text.utf8)
        // A closed terminal ends the command by its signal.
        _ = unsafe bytes.withUnsafeBytes { unsafe Terminal.write($0, to: 1) }
    }

    deinit { close() }
}
