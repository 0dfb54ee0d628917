// One line a message: JSON for machines, text for people.
internal import Glibc

/// Where messages go; a value to hand down, with fields that every line repeats.
package struct Log: Sendable {
    /// Writes one finished message.
    package typealias Sink = @Sendable (LogLevel, String, [(String, LogValue)]) -> Void

    private let threshold: LogLevel
    private let sink: Sink

    /// Creates a log over any sink, as tests do.
    package init(threshold: LogLevel = .debug, sink: @escaping Sink) {
        self.threshold = threshold
        self.sink = sink
    }

    /// A log that drops everything.
    package static let silent = Log(threshold: .error) { _, _, _ in }

    /// A log that writes lines to standard error, one write(2) each.
    ///
    /// - Parameters:
    ///   - threshold: the least urgent level that is written.
    ///   - json: one JSON object a line if true, else text.
    /// - Returns: the log.
    package static func standardError(threshold: LogLevel, json: Bool) -> Log {
        Log(threshold: threshold) { level, message, fields in
            let now = SystemClock.wallMicroseconds()
            let line =
                json
                ? LogLine.json(at: now, level: level, message: message, fields: fields)
                : LogLine.text(at: now, level: level, message: message, fields: fields)
            // A failed write of the log cannot be logged.
            _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
        }
    }

    /// Writes a line for debugging.
    package func debug(_ message: String, _ fields: [(String, LogValue)] = []) {
        say(.debug, message, fields)
    }

    /// Writes a line about normal operation.
    package func info(_ message: String, _ fields: [(String, LogValue)] = []) {
        say(.info, message, fields)
    }

    /// Writes a line about a condition that an operator may want to change.
    package func warn(_ message: String, _ fields: [(String, LogValue)] = []) {
        say(.warn, message, fields)
    }

    /// Writes a line about a failure that does not end by itself.
    package func error(_ message: String, _ fields: [(String, LogValue)] = []) {
        say(.error, message, fields)
    }

    private func say(_ level: LogLevel, _ message: String, _ fields: [(String, LogValue)]) {
        guard level >= threshold else { return }
        sink(level, message, fields)
    }
}
