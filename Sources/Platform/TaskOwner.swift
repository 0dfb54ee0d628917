// Tasks that outlive the call that starts them, and waiting for their end.
internal import Synchronization

/// Starts tasks and counts them, so that an owner can wait for the last of them.
///
///     tasks.start(on: self) { owner in await owner.work() }
///     …
///     await tasks.finish()
///
/// A task that is started in another way has to be held, and awaited or cancelled, where it is
/// started; `Tests/Tidy` lists these places.
package final class TaskOwner: Sendable {
    private struct State {
        var running = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Creates an owner without tasks.
    package init() {}

    /// The number of tasks that have not ended.
    package var running: Int { state.withLock { $0.running } }

    /// Starts a task on no actor.
    package func start(_ body: @escaping @Sendable @concurrent () async -> Void) {
        begin()
        Task { @concurrent in
            await body()
            self.end()
        }
    }

    /// Starts a task on an actor.
    package func start<Owner: Actor>(
        on owner: isolated Owner, _ body: @escaping @Sendable (isolated Owner) async -> Void
    ) {
        begin()
        Task {
            await body(owner)
            self.end()
        }
    }

    /// Starts a task on the caller's actor.
    ///
    /// - Parameters:
    ///   - actor: the caller's.
    ///   - body: one call that is not of the actor itself: other closures get no actor.
    package func start(
        here actor: isolated (any Actor)?, _ body: @escaping @Sendable () async -> Void
    ) {
        begin()
        Task {
            // Mentioning the actor makes the task run on it.
            _ = actor
            await body()
            self.end()
        }
    }

    /// Starts a task on an actor; after a continuation it resumes on its preferred executor
    /// (SE-0417).
    ///
    /// Functions of an actor without a custom executor run there as well while this task is on it.
    package func start<Owner: Actor>(
        on owner: Owner, preferring executor: any TaskExecutor,
        _ body: @escaping @Sendable (isolated Owner) async -> Void
    ) {
        begin()
        Task(executorPreference: executor) {
            await body(owner)
            self.end()
        }
    }

    private func begin() { state.withLock { $0.running += 1 } }

    private func end() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            precondition(state.running > 0, "each task ends once")
            state.running -= 1
            guard state.running == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when all tasks have ended.
    package func finish() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state -> Bool in
                guard state.running > 0 else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }
}
