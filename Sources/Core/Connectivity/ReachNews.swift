/// What an attempt found of the way to its origin.
package enum ReachNews: Equatable, Sendable {
    /// It was not reached; whether the machine has a route in any address family.
    case missed(hasRoute: Bool)
    /// It was reached.
    case reached
    /// A download that was let through to try was stopped before it had an answer.
    case probeStopped
}
