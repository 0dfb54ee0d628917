/// What the end of an attempt tells of its origin, as the store takes it.
package enum OriginReach: Int16, Sendable, CaseIterable {
    /// It was reached.
    case reached = 1
    /// It was not: no route, no name server, or no answer to a connection.
    case missed = 2
    /// The same of the download that was let through to try.
    case probeMissed = 3
    /// That download was stopped before it had an answer: another one tries.
    case probeStopped = 4
}
