/// One limited thing as the store counts it.
package struct GateReading: Equatable, Sendable {
    /// How many run through it.
    package var running: Int
    /// Its own limit; nil takes the policy's.
    package var limit: Int?
    /// Nothing before this instant.
    package var notBefore: Timestamp?
    /// Of an origin that is not reached: since when, and when one download tries again.
    package var outage: Outage?
    /// Of a session that is suspended: since when; nil where that is not known.
    package var suspendedSince: Timestamp?

    /// Names all of it.
    package init(running: Int = 0, limit: Int? = nil, notBefore: Timestamp? = nil) {
        self.running = running
        self.limit = limit
        self.notBefore = notBefore
    }
}
