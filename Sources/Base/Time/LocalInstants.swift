/// The instants of a local time.
package enum LocalInstants: Hashable, Sendable {
    /// There is none: the clocks were put forward over it at this instant.
    case gap(Timestamp)
    /// There is one.
    case one(Timestamp)
    /// There are two because the clocks were put back, in order.
    case two(Timestamp, Timestamp)

    /// The first instant, or that of the change of the clocks.
    package var earliest: Timestamp {
        switch self {
        case .gap(let instant), .one(let instant), .two(let instant, _): instant
        }
    }

    /// The last instant, or that of the change of the clocks.
    package var latest: Timestamp {
        switch self {
        case .gap(let instant), .one(let instant), .two(_, let instant): instant
        }
    }
}
