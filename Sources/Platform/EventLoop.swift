// One thread that alternates between jobs of an actor and turns that sleep in an epoll set.
internal import CPlatform
internal import Dispatch
internal import Synchronization

/// A serial executor over a queue that one block holds from ``start(turn:)`` to ``stop()``.
///
/// A Dispatch source on the set costs a second thread, two hops and a system call to arm it anew
/// for each turn. Before the start and after the end jobs run on the queue as usual.
///
/// A task that prefers it (SE-0417) goes on here by itself after a continuation: the generic
/// executor, where it would go on otherwise, is a thread of the pool that has to be woken first.
package final class EventLoop: SerialExecutor, TaskExecutor {
    private let queue: DispatchQueue
    private let inbox = Mutex(Inbox())
    /// The eventfd(2) that ends the sleep; negative before ``makeWaker()``.
    private let waker = Atomic<Int32>(-1)

    private enum Phase { case idle, turning, stopping, ended }

    private struct Inbox {
        var jobs: [UnownedJob] = []
        var phase = Phase.idle
        /// Whether a turn was asked for.
        var isRung = false
        var isSleeping = false

        /// Whether the thread has to be woken, which is answered with yes once per sleep.
        mutating func takeSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    /// A loop that is not started.
    ///
    /// - Parameter label: the queue's label, seen in debuggers; `lull.` is put before it.
    package init(label: String) { queue = DispatchQueue(label: "lull." + label) }

    deinit {
        let descriptor = waker.load(ordering: .acquiring)
        if descriptor >= 0 { _ = FileDescriptor(owning: descriptor) }
    }

    /// Makes what ends the sleep, once; to be called before the start.
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

    /// Takes the queue until ``stop()``; call it once.
    ///
    /// - Parameter turn: called on the queue again and again; may sleep, until the waker at the
    ///   latest, if its argument is true, and must call ``hasWoken()`` then before all else.
    package func start(turn: @escaping @Sendable (_ maySleep: Bool) -> Void) {
        inbox.withLock { inbox in
            precondition(inbox.phase == .idle, "a loop starts once")
            inbox.phase = .turning
            // Within the lock, so that no job can come to stand behind this in the queue.
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

    /// The same, and returns when no turn comes any more.
    package func stopped() async {
        stop()
        await withCheckedContinuation { done in queue.async { done.resume() } }
    }

    /// The sleep is over; what was rung for until now is a matter of this turn.
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
        // Only a counter at its end, which it never reaches, could refuse.
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
