// A message that is written together with others.

/// One message of several.
package struct LogEntry: Sendable {
    /// How urgent it is.
    package let level: LogLevel
    /// What happened.
    package let message: String
    /// With what.
    package let fields: [(String, LogValue)]

    /// Names all of it.
    package init(_ level: LogLevel, _ message: String, _ fields: [(String, LogValue)]) {
        self.level = level
        self.message = message
        self.fields = fields
    }
}
