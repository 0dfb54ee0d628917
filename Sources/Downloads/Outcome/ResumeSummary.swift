// The fate of the bytes of earlier attempts.

/// Whether an attempt continued the bytes of an earlier one; all members are stored and shown.
package struct ResumeSummary: MemberList {
    /// The two cases.
    package enum Outcome: String, Sendable, MemberValue {
        /// The bytes are part of the file.
        case continued
        /// The bytes were discarded.
        case restarted
    }

    /// Whether the bytes were continued or discarded.
    package var outcome: Outcome
    /// The reason why bytes were discarded.
    package var reason: String?
    /// The number of discarded bytes.
    package var bytesDiscarded: Int64

    /// Creates a summary with all its members.
    package init(outcome: Outcome, reason: String?, bytesDiscarded: Int64) {
        self.outcome = outcome
        self.reason = reason
        self.bytesDiscarded = bytesDiscarded
    }

    /// The blank value that reading fills in.
    package static let blank = ResumeSummary(outcome: .continued, reason: nil, bytesDiscarded: 0)

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("outcome", &outcome)
        members.visit("reason", &reason)
        members.visit("bytes_discarded", &bytesDiscarded)
    }
}
