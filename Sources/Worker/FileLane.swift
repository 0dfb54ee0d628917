// Where blocking file calls wait, so that nobody else does.
internal import Platform

/// One lane for blocking work that belongs to no single file.
actor FileLane {
    private let lane: QueueExecutor

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    init(label: String) { lane = QueueExecutor(label: label) }

    /// Runs a body on the lane.
    func run<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }
}
