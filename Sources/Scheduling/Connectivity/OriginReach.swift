/// The finding of an attempt about its origin; the raw value is the store's.
package enum OriginReach: Int16, Sendable, CaseIterable {
    /// The origin was reached.
    case reached = 1
    /// It was not reached: no route, no name server, or no answer to a connection.
    case missed = 2
    /// The download that probed the origin did not reach it.
    case probeMissed = 3
    /// The download that probed the origin was stopped before it had an answer: another one tries.
    case probeStopped = 4
}
