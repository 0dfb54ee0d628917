// Runs blocking file calls apart from the other executors.
internal import Platform

/// A lane for blocking work that belongs to no single file.
actor FileLane {
    private let lane: QueueExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    init(label: String) { lane = QueueExecutor(label: label) }

    /// Runs a body on the lane.
    func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
}
