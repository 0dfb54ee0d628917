// Tasks that outlast the call that starts them, and the wait for their end.
internal import Synchronization

/// Counts the tasks that an owner started, so that it can wait for the last of them.
///
/// The owner calls `begin()` before it starts a task, and the task calls `end()` last:
///
///     tasks.begin()
///     Task {
///         await work()
///         tasks.end()
///     }
package final class TaskOwner: Sendable {
    private struct State {
        var running = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// An owner without tasks.
    package init() {}

    /// How many have not ended.
    package var running: Int { state.withLock { $0.running } }

    /// Counts a task that is about to start.
    package func begin() { state.withLock { $0.running += 1 } }

    /// Counts a task as ended; the last thing that it does.
    package func end() {
        let waiters = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            precondition(state.running > 0, "each task ends once")
            state.running -= 1
            guard state.running == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when no task is left.
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
