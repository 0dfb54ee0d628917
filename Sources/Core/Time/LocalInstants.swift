/// The instants at which clocks show a civil time.
package enum LocalInstants: Hashable, Sendable {
    /// They never do: they were put forward over it at this instant.
    case gap(Timestamp)
    /// They do once.
    case one(Timestamp)
    /// They do twice because they were put back: the earlier instant, then the later.
    case two(Timestamp, Timestamp)

    /// The first instant, or that of the change.
    package var earliest: Timestamp {
        switch self {
        case .gap(let instant), .one(let instant), .two(let instant, _): instant
        }
    }

    /// The last instant, or that of the change.
    package var latest: Timestamp {
        switch self {
        case .gap(let instant), .one(let instant), .two(_, let instant): instant
        }
    }
}
