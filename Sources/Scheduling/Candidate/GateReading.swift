package import Base
package import Downloads

/// The reading of a gate, which limits how many downloads run through one thing.
package struct GateReading: Equatable, Sendable {
    /// The number of downloads that run through it.
    package var running: Int
    /// Its own limit; nil for the policy's.
    package var limit: Int?
    /// No download begins before this instant.
    package var notBefore: Timestamp?
    /// The outage of an origin that is not reached.
    package var outage: Outage?
    /// The time since which a session is suspended; nil if it is not, or that is unknown.
    package var suspendedSince: Timestamp?

    /// Creates a value with all its members.
    package init(running: Int = 0, limit: Int? = nil, notBefore: Timestamp? = nil) {
        self.running = running
        self.limit = limit
        self.notBefore = notBefore
    }
}
