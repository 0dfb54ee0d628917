/// A finding of an attempt about the reach of its origin.
package enum ReachResult: Equatable, Sendable {
    /// The origin was not reached; `hasRoute` is whether the machine has a route in any address
    /// family.
    case missed(hasRoute: Bool)
    /// The origin was reached.
    case reached
    /// A download that probed the origin was stopped before it had an answer.
    case probeStopped
}
