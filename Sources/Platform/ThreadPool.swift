// Running blocking code off a task's preferred executor.

/// The threads of the generic executor.
package enum ThreadPool {
    /// Runs a closure on one of these threads, even in a task that prefers an executor (SE-0417).
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable @concurrent () async -> Value
    ) async -> Value {
        await withTaskExecutorPreference(globalConcurrentExecutor) { await body() }
    }
}
