// What blocks leaves the executor that its task prefers.

/// The threads of the generic executor.
package enum ThreadPool {
    /// Runs a body on one of them, also in a task that prefers an executor (SE-0417).
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable @concurrent () async -> Value
    ) async -> Value {
        await withTaskExecutorPreference(globalConcurrentExecutor) { await body() }
    }
}
