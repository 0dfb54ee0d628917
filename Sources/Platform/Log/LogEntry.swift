// A message that is written together with others.

/// One log message of a batch.
package struct LogEntry: Sendable {
    /// The urgency of the message.
    package let level: LogLevel
    /// The event in words.
    package let message: String
    /// The names and values that belong to the message.
    package let fields: [(String, LogValue)]

    /// Creates an entry.
    package init(_ level: LogLevel, _ message: String, _ fields: [(String, LogValue)]) {
        self.level = level
        self.message = message
        self.fields = fields
    }
}
