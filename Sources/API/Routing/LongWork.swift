// The executor of requests that would delay every connection on the server's lane.
internal import Platform

/// One thread for requests that compute for longer than a fraction of a millisecond: large bodies,
/// batches and bulk actions.
///
/// While one of them waits for the store the next one runs.
@globalActor actor LongWork {
    static let shared = LongWork()
    nonisolated private let lane = QueueExecutor(label: "long")

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    /// Larger bodies are read here, smaller ones on the server's lane, which takes less time than
    /// two changes of thread; in bytes.
    static let bodyBytes = 16 << 10
}
