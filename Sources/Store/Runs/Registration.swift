// The present registration of this process as a replica.
internal import Synchronization

/// The replica's number; it changes when the lease was lost and the process registered again.
package final class Registration: Sendable {
    private let number: Atomic<Int64>
    private let others = Atomic(0)

    /// Creates a registration, or none for 0.
    package init(replica: Int64 = 0) { number = Atomic(replica) }

    /// The number of the current registration.
    package var replica: Int64 {
        get { number.load(ordering: .relaxed) }
        set { number.store(newValue, ordering: .relaxed) }
    }

    /// The number of other replicas at the last heartbeat.
    package var peers: Int {
        get { others.load(ordering: .relaxed) }
        set { others.store(newValue, ordering: .relaxed) }
    }
}
