// The stores of a replica, with what attempts and duties share about them.
package import ObjectStores
internal import Synchronization
package import Transfers

/// The stores that files can be brought into.
package struct WorkerStores: Sendable {
    /// The stores of the settings.
    package let open: OpenStores
    /// The engine of their requests; nil without stores.
    package let engine: TransferEngine?
    /// Whether they honour conditions.
    let conditions = StoreConditions()
    /// Counts of requests.
    package let tally = StoreTally()

    /// No stores.
    package static let none = WorkerStores(.none, over: nil)

    /// Creates a value with an engine, whose rates follow those of the worker.
    package init(_ open: OpenStores, over engine: TransferEngine?) {
        self.open = open
        self.engine = engine
    }
}

/// Counts requests to stores since the start of the process, for metrics.
package final class StoreTally: Sendable {
    /// A kind of request and its result.
    package struct Key: Hashable, Sendable {
        /// The name of the destination.
        package let destination: String
        /// The operation.
        package let operation: String
        /// The result.
        package let outcome: String
    }

    private let counts = Mutex<[Key: Int64]>([:])

    init() {}

    func count(_ destination: String, _ operation: String, _ outcome: String) {
        let key = Key(destination: destination, operation: operation, outcome: outcome)
        counts.withLock { $0[key, default: 0] += 1 }
    }

    /// The numbers of requests, in the order of their labels.
    package var requests: [(key: Key, count: Int64)] {
        counts.withLock { counts in
            counts.map { ($0.key, $0.value) }.sorted {
                ($0.0.destination, $0.0.operation, $0.0.outcome)
                    < ($1.0.destination, $1.0.operation, $1.0.outcome)
            }
        }
    }
}
