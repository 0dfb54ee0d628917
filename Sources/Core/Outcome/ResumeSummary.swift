// What became of the bytes that earlier attempts had brought.

/// Whether an attempt went on where an earlier one ended; all of it is stored and shown.
package struct ResumeSummary: MemberList {
    /// What became of the bytes.
    package enum Outcome: String, Sendable, MemberValue {
        /// They are part of the file.
        case continued
        /// They were given up.
        case restarted
    }

    /// What became of them.
    package var outcome: Outcome
    /// Why bytes were given up.
    package var reason: String?
    /// How many bytes were given up.
    package var bytesDiscarded: Int64

    /// Names what became of them.
    package init(outcome: Outcome, reason: String?, bytesDiscarded: Int64) {
        self.outcome = outcome
        self.reason = reason
        self.bytesDiscarded = bytesDiscarded
    }

    /// Nothing given up.
    package static let blank = ResumeSummary(outcome: .continued, reason: nil, bytesDiscarded: 0)

    /// The members.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("outcome", &outcome)
        members.visit("reason", &reason)
        members.visit("bytes_discarded", &bytesDiscarded)
    }
}
