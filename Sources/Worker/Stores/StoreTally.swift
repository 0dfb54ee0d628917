// Counts of requests to stores since the start of the process, for metrics.
internal import Synchronization

/// Counts requests by destination, operation and result.
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

    func count(
        _ destination: String, _ operation: String, _ outcome: String, times: Int64 = 1
    ) {
        let key = Key(destination: destination, operation: operation, outcome: outcome)
        counts.withLock { $0[key, default: 0] += times }
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
