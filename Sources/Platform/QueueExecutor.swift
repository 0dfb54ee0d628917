// A lane: one serial Dispatch queue on which actors can run.
package import Dispatch

/// A serial executor over one Dispatch queue.
///
/// Actors that block (libpq, files) or that Dispatch drives (sockets) return one of these as their
/// executor. `assumeIsolated` works in a handler on the queue because `checkIsolated()` asks
/// Dispatch; it traps elsewhere. A task may prefer it (SE-0417), as with `EventLoop`.
package final class QueueExecutor: SerialExecutor, TaskExecutor {
    /// The queue of the lane.
    package let queue: DispatchQueue

    /// Creates a lane.
    ///
    /// - Parameter label: the queue's label, seen in debuggers; `lull.` is put before it.
    package init(label: String) {
        queue = DispatchQueue(label: "lull." + label)
    }

    /// Runs one job of an actor on the queue.
    package func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.async {
            unsafe unowned.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(),
                taskExecutor: self.asUnownedTaskExecutor())
        }
    }

    /// Traps when the caller is not on the queue (SE-0424).
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
