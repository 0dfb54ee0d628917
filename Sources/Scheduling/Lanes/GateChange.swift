/// The news that the last place of a gate was taken, or one became free.
package struct GateChange: Equatable, Sendable {
    /// The subject of a limit, as the history of waits names it.
    package enum Subject: Hashable, Sendable {
        /// An app by its name.
        case app(String)
        /// A session by its number.
        case session(Int64)
        /// An origin by its number.
        case origin(Int64)
        /// The connections of a session to an origin, by their numbers.
        case connections(session: Int64, origin: Int64)
    }

    /// The subject of the limit.
    package let subject: Subject
    /// Whether all places are taken.
    package let isFull: Bool

    /// Creates a value with both members.
    package init(subject: Subject, isFull: Bool) {
        self.subject = subject
        self.isFull = isFull
    }
}
