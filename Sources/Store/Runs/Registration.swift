// Which replica this process is at the moment.
internal import Synchronization

/// The replica's key; another one after the lease was lost and the process registered again.
package final class Registration: Sendable {
    private let number: Atomic<Int64>
    private let others = Atomic(0)

    /// Starts with a registration, or with none (0).
    package init(replica: Int64 = 0) { number = Atomic(replica) }

    /// The key of the current registration.
    package var replica: Int64 {
        get { number.load(ordering: .relaxed) }
        set { number.store(newValue, ordering: .relaxed) }
    }

    /// How many other replicas there were at the last heartbeat.
    package var peers: Int {
        get { others.load(ordering: .relaxed) }
        set { others.store(newValue, ordering: .relaxed) }
    }
}
