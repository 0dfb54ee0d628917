// The log: one line a message, JSON for machines or text for people.
internal import Glibc

/// Writes log messages; a value to pass on, with fields that every line repeats.
package struct Log: Sendable {
    /// Writes one finished message.
    package typealias Sink = @Sendable (LogLevel, String, [(String, LogValue)]) -> Void

    private let isWritten: @Sendable (LogLevel) -> Bool
    private let sink: Sink
    private let writeAll: @Sendable ([LogEntry]) -> Void

    /// Creates a log that writes to a function, as tests do.
    package init(threshold: LogLevel = .debug, sink: @escaping Sink) {
        self.init(isWritten: { $0 >= threshold }, sink: sink) { entries in
            for entry in entries { sink(entry.level, entry.message, entry.fields) }
        }
    }

    /// Creates a log that writes to another log, which may be replaced at any time.
    ///
    /// - Parameter current: the log in force.
    package init(following current: @escaping @Sendable () -> Log) {
        self.init(
            isWritten: { current().writes($0) },
            sink: { level, message, fields in current().sink(level, message, fields) },
            writeAll: { current().writeAll($0) })
    }

    private init(
        isWritten: @escaping @Sendable (LogLevel) -> Bool, sink: @escaping Sink,
        writeAll: @escaping @Sendable ([LogEntry]) -> Void
    ) {
        self.isWritten = isWritten
        self.sink = sink
        self.writeAll = writeAll
    }

    /// A log that drops everything.
    package static let silent = Log(threshold: .error) { _, _, _ in }

    /// A log that writes lines to standard error, one write(2) for each call.
    ///
    /// - Parameters:
    ///   - threshold: the least urgent level that is written.
    ///   - json: one JSON object a line if true, else text.
    /// - Returns: the log.
    package static func standardError(threshold: LogLevel, json: Bool) -> Log {
        let line = { @Sendable (now: Int64, entry: LogEntry) in
            json
                ? LogLine.json(
                    at: now, level: entry.level, message: entry.message, fields: entry.fields)
                : LogLine.text(
                    at: now, level: entry.level, message: entry.message, fields: entry.fields)
        }
        return Log(isWritten: { $0 >= threshold }) { level, message, fields in
            put(line(SystemClock.wallMicroseconds(), LogEntry(level, message, fields)))
        } writeAll: { entries in
            let now = SystemClock.wallMicroseconds()
            var batch = LogBatch()
            for entry in entries {
                if let full = batch.add(line(now, entry)) { put(full) }
            }
            put(batch.bytes)
        }
    }

    private static func put(_ bytes: [UInt8]) {
        // A failed write of the log cannot be logged.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }

    /// Writes several messages with as few write(2) calls as possible without splitting lines.
    package func write(_ entries: [LogEntry]) {
        let wanted = entries.filter { isWritten($0.level) }
        if !wanted.isEmpty { writeAll(wanted) }
    }

    /// Whether lines of a level are written; ask before computing costly fields.
    package func writes(_ level: LogLevel) -> Bool { isWritten(level) }

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
        guard isWritten(level) else { return }
        sink(level, message, fields)
    }
}
