package import Core
internal import Postgres

/// What a heartbeat answers.
package struct HeartbeatAnswer: Sendable {
    /// The other replicas, with or without a lease.
    package struct Peers: Sendable, Equatable {
        /// How many there are.
        package var count = 0
        /// When the first of their leases ends, unless it is renewed.
        package var firstExpiry: Timestamp?

        /// No other replica.
        package init() {}
    }

    /// The database's clock.
    package let now: Timestamp
    /// Orders that clients placed through any replica.
    package let orders: [(id: Identifier, order: RunOrder)]
    /// The other replicas.
    package let peers: Peers
    /// The version of the policy; 0 without one.
    package let policyVersion: Int64
}
