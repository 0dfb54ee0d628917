// Runs blocking file calls apart from the other executors.

/// A lane for blocking work that belongs to no single file.
package actor FileLane {
    private let lane: QueueExecutor

    /// The queue of the lane.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// Creates a lane with a queue of its own; the label is for debuggers.
    package init(label: String) { lane = QueueExecutor(label: label) }

    /// Runs a body on the lane.
    package func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
}
