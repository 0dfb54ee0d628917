// One thread that alternates between jobs of an actor and turns that sleep in an epoll set.
internal import CPlatform
internal import Dispatch
internal import Synchronization

/// A serial executor over a queue that one block occupies from ``start(turn:)`` to ``stop()``.
///
/// A Dispatch source on the set would cost a second thread, two thread hops and a system call to
/// arm it again for each turn. Before the start and after the end jobs run on the queue as usual.
///
/// A task that prefers this executor (SE-0417) resumes here after a continuation: the generic
/// executor, where it would resume otherwise, has to wake a thread of its pool first.
package final class EventLoop: SerialExecutor, TaskExecutor {
    private let queue: DispatchQueue
    private let inbox = Mutex(Inbox())
    /// The eventfd(2) that ends the sleep; negative before ``makeWaker()``.
    private let waker = Atomic<Int32>(-1)

    private enum Phase { case idle, turning, stopping, ended }

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var phase = Phase.idle
        /// Whether a turn was requested.
        var isRung = false
        var isSleeping = false

        /// Whether the thread has to be woken; true once per sleep.
        mutating func takeSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    /// Creates a loop that is not started.
    ///
    /// - Parameter label: the queue's label, seen in debuggers; `lull.` is put before it.
    package init(label: String) { queue = DispatchQueue(label: "lull." + label) }

    deinit {
        let descriptor = waker.load(ordering: .acquiring)
        if descriptor >= 0 { _ = FileDescriptor(owning: descriptor) }
    }

    /// Creates the descriptor that ends the sleep, once; call it before the start.
    ///
    /// - Returns: an eventfd(2) to be watched with `EpollSet.signal`: it is never read.
    /// - Throws: `Errno` when the kernel has no room.
    package func makeWaker() throws(Errno) -> Int32 {
        let known = waker.load(ordering: .acquiring)
        guard known < 0 else { return known }
        let made = try retryingInterrupts { lull_eventfd() }
        waker.store(made, ordering: .releasing)
        return made
    }

    /// Occupies the queue with turns until ``stop()``; call it once.
    ///
    /// - Parameter turn: called on the queue again and again; may sleep, until the waker at the
    ///   latest, if its argument is true, and must call ``hasWoken()`` then before all else.
    package func start(turn: @escaping @Sendable (_ maySleep: Bool) -> Void) {
        inbox.withLock { inbox in
            precondition(inbox.phase == .idle, "a loop starts once")
            inbox.phase = .turning
            // Queued while the lock is held, so that no job can be queued behind this block.
            queue.async { self.alternate(turn) }
        }
    }

    /// Ends the turns after the jobs that are waiting; callable from anywhere.
    package func stop() {
        let isAsleep = inbox.withLock { inbox in
            switch inbox.phase {
            case .idle: inbox.phase = .ended
            case .turning: inbox.phase = .stopping
            case .stopping, .ended: break
            }
            return inbox.takeSleep()
        }
        if isAsleep { wake() }
    }

    /// Ends the turns like ``stop()``, and returns after the last turn.
    package func stopped() async {
        stop()
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }

    /// Notes that the sleep is over; earlier calls of ``ring(orLater:)`` are served by this turn.
    package func hasWoken() {
        inbox.withLock { inbox in
            inbox.isSleeping = false
            inbox.isRung = false
        }
    }

    /// Makes sure that another turn begins; callable from anywhere.
    ///
    /// - Parameter late: runs on the queue instead where no turn comes any more.
    package func ring(orLater late: @escaping @Sendable () -> Void) {
        let isAsleep = inbox.withLock { inbox in
            guard inbox.phase != .ended else {
                queue.async(execute: late)
                return false
            }
            inbox.isRung = true
            return inbox.takeSleep()
        }
        if isAsleep { wake() }
    }

    /// Runs a job of the actor on the queue.
    package func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let isAsleep = inbox.withLock { inbox in
            guard inbox.phase == .turning || inbox.phase == .stopping else {
                queue.async { self.run(unowned) }
                return false
            }
            inbox.jobs.append(unowned)
            return inbox.takeSleep()
        }
        if isAsleep { wake() }
    }

    /// Traps when the caller is not on the queue (SE-0424).
    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    private func run(_ job: UnownedJob) {
        unsafe job.runSynchronously(
            isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }

    private func wake() {
        // The write could only fail if the counter was full, which never happens.
        _ = lull_eventfd_signal(waker.load(ordering: .acquiring))
    }

    private enum Next { case jobs, turn, sleep, end }

    private func alternate(_ turn: (_ maySleep: Bool) -> Void) {
        var batch: [UnownedJob] = []
        while true {
            let next = inbox.withLock { inbox in
                defer { inbox.isRung = false }
                if !inbox.jobs.isEmpty {
                    swap(&batch, &inbox.jobs)
                    return Next.jobs
                }
                if inbox.isRung { return .turn }
                guard inbox.phase == .stopping else {
                    inbox.isSleeping = true
                    return .sleep
                }
                inbox.phase = .ended
                return .end
            }
            switch next {
            case .jobs:
                for job in batch { run(job) }
                batch.removeAll(keepingCapacity: true)
                turn(false)
            case .turn: turn(false)
            case .sleep: turn(true)
            case .end: return
            }
        }
    }
}
