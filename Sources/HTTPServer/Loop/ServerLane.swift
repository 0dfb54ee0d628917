// One thread that sleeps in the set of sockets, and the executor of the server's actor.
internal import CPlatform
internal import Dispatch
internal import Platform
internal import Synchronization

/// A serial queue that one block holds while the server serves: jobs of the actor and turns of the
/// server alternate in it.
///
/// A Dispatch source on the set costs a second thread, two hops and a system call to arm it anew
/// for each turn. Before ``start(turn:)`` and after ``stop()`` jobs run on the queue as usual.
final class ServerLane: SerialExecutor {
    private let queue = DispatchQueue(label: "lull.http")
    private let inbox = Mutex(Inbox())
    /// The eventfd(2) that ends the sleep; negative before the start.
    private let waker = Atomic<Int32>(-1)

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var isTurning = false
        var isSleeping = false
        var isStopping = false

        /// Whether the thread has to be woken, which is said once per sleep.
        mutating func takeSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    deinit {
        let descriptor = waker.load(ordering: .acquiring)
        if descriptor >= 0 { _ = FileDescriptor(owning: descriptor) }
    }

    /// Takes the queue until ``stop()``; call it once.
    ///
    /// - Parameter turn: called again and again; may sleep, until the waker at the latest, if told
    ///   so, and must say ``hasWoken()`` then before it does anything else.
    func start(turn: @escaping @Sendable (_ maySleep: Bool) -> Void) {
        inbox.withLock { inbox in
            precondition(!inbox.isTurning && !inbox.isStopping, "a lane starts once")
            inbox.isTurning = true
            // Within the lock, so that no job can come to stand behind this in the queue.
            queue.async { self.alternate(turn) }
        }
    }

    /// Makes what ends the sleep, to be watched edge-triggered: it is written and never read.
    func makeWaker() throws(Errno) -> Int32 {
        let known = waker.load(ordering: .acquiring)
        guard known < 0 else { return known }
        let made = try retryingInterrupts { lull_eventfd() }
        waker.store(made, ordering: .releasing)
        return made
    }

    /// Gives the queue back after the jobs that are waiting.
    func stop() {
        let isAsleep = inbox.withLock { inbox in
            inbox.isStopping = true
            return inbox.takeSleep()
        }
        if isAsleep { wake() }
    }

    /// The sleep is over.
    func hasWoken() { inbox.withLock { $0.isSleeping = false } }

    /// Runs a job of the actor on the queue.
    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let isAsleep = inbox.withLock { inbox in
            guard inbox.isTurning else {
                queue.async { unsafe unowned.runSynchronously(on: self.asUnownedSerialExecutor()) }
                return false
            }
            inbox.jobs.append(unowned)
            return inbox.takeSleep()
        }
        if isAsleep { wake() }
    }

    /// Traps when the caller is not on the queue (SE-0424).
    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    private func wake() {
        // Only a counter at its end, which it never reaches, could refuse.
        _ = lull_eventfd_signal(waker.load(ordering: .acquiring))
    }

    private enum Next { case jobs, sleep, end }

    private func alternate(_ turn: (_ maySleep: Bool) -> Void) {
        var batch: [UnownedJob] = []
        while true {
            let next = inbox.withLock { inbox in
                if !inbox.jobs.isEmpty {
                    swap(&batch, &inbox.jobs)
                    return Next.jobs
                }
                inbox.isTurning = !inbox.isStopping
                inbox.isSleeping = !inbox.isStopping
                return inbox.isStopping ? .end : .sleep
            }
            switch next {
            case .jobs:
                for job in batch { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
                batch.removeAll(keepingCapacity: true)
                turn(false)
            case .sleep: turn(true)
            case .end: return
            }
        }
    }
}
