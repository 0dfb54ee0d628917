package import Base

/// A begin hook that was asked and has not answered.
package struct OpenQuestion: Equatable, Sendable {
    /// The time at which it was asked.
    package let askedAt: Timestamp
    /// Whether the download waits until there is an answer.
    package let isPatient: Bool

    /// Creates a value with both members.
    package init(askedAt: Timestamp, isPatient: Bool) {
        self.askedAt = askedAt
        self.isPatient = isPatient
    }
}
