// The stores of a replica, with what attempts and duties share about them.
package import ObjectStores
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
        // A counter that begins with its first refusal would not grow for an alert.
        for store in open.all { tally.count(store.name, "put", "refused", times: 0) }
    }
}
