// One result of `lull doctor`.

/// A finding about one subject, and what to do about it.
package struct HealthFinding: Equatable, Sendable {
    /// The severity; the raw value is the word that is printed.
    package enum Level: String, Sendable {
        /// Nothing has to be done.
        case good = "ok"
        /// It works, but perhaps not for long or not well.
        case warning
        /// It does not work, or loses accepted downloads.
        case fault
    }

    /// The severity.
    package let level: Level
    /// The subject, in a word or two.
    package let subject: String
    /// The finding and, unless it is good, what to do; one sentence.
    package let detail: String

    /// Creates a value with all its members.
    package init(_ level: Level, _ subject: String, _ detail: String) {
        self.level = level
        self.subject = subject
        self.detail = detail
    }

    /// The finding as a line.
    package var line: String { "\(level.rawValue) \(subject): \(detail)" }
}
