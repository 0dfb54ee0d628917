package import Base
package import Downloads
internal import Postgres

/// The answer to a heartbeat.
package struct HeartbeatAnswer: Sendable {
    /// The other replicas, with or without a lease.
    package struct Peers: Sendable, Equatable {
        /// The number of other replicas.
        package var count = 0
        /// The time at which the first of their leases ends, unless it is renewed.
        package var firstExpiry: Timestamp?

        /// Creates a value without other replicas.
        package init() {}
    }

    /// The database's clock.
    package let now: Timestamp
    /// Orders that clients placed at any replica.
    package let orders: [(id: Identifier, order: RunOrder)]
    /// The other replicas.
    package let peers: Peers
    /// The version of the policy; 0 without one.
    package let policyVersion: Int64
}
