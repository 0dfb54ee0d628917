// One thing that `lull doctor` looked at.

/// What was found, and what to do about it.
package struct HealthFinding: Equatable, Sendable {
    /// How bad it is; the raw value is the word that is printed.
    package enum Level: String, Sendable {
        /// Nothing is to be done.
        case good = "ok"
        /// It works, and may not for long or not well.
        case warning
        /// It does not work, or loses what it accepted.
        case fault
    }

    /// How bad it is.
    package let level: Level
    /// What was looked at, a word or two.
    package let subject: String
    /// What was found and, unless it is good, what to do; one sentence.
    package let detail: String

    /// Names all of it.
    package init(_ level: Level, _ subject: String, _ detail: String) {
        self.level = level
        self.subject = subject
        self.detail = detail
    }

    /// The line of it.
    package var line: String { "\(level.rawValue) \(subject): \(detail)" }
}
