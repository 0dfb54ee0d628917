// One thread that alternates between jobs and turns of libcurl, and the engine's executor.
internal import CPlatform
internal import Dispatch
internal import Glibc
internal import Platform
internal import Synchronization

/// A serial executor whose thread runs jobs, then a turn, which sleeps when there are no jobs.
final class CurlLoop: SerialExecutor {
    /// An eventfd(2) that ends the sleep, to be watched edge-triggered: it is never read.
    let waker: FileDescriptor

    private let inbox = Mutex(Inbox())
    /// The thread as pthread_self(3) names it; 0 before it runs.
    private let thread = Atomic<UInt>(0)
    /// Where jobs run after the thread has ended, so that late callers are still answered.
    private let afterwards = DispatchQueue(label: "lull.transfers.afterwards")

    private enum Work: Sendable {
        case job(UnownedJob)
        case block(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var isSleeping = false
        var isStopping = false
        var hasEnded = false

        /// Whether the thread must be woken, which is said once per sleep.
        mutating func wake() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    private final class Body: Sendable {
        let loop: CurlLoop
        let turn: @Sendable (_ maySleep: Bool) -> Void

        init(loop: CurlLoop, turn: @escaping @Sendable (_ maySleep: Bool) -> Void) {
            self.loop = loop
            self.turn = turn
        }
    }

    /// Makes the waker; ``start(turn:)`` makes the thread.
    init() throws(TransferError) {
        do throws(Errno) {
            waker = FileDescriptor(owning: try retryingInterrupts { lull_eventfd() })
        } catch {
            throw TransferError(description: "eventfd: \(error.description)")
        }
    }

    /// Starts the thread.
    ///
    /// - Parameter turn: called on the thread again and again; may sleep, until the waker at the
    ///   latest, if told so, and must say ``hasWoken()`` then before it does anything else.
    /// - Throws: `TransferError` when there is no room for a thread.
    func start(
        turn: @escaping @Sendable (_ maySleep: Bool) -> Void
    ) throws(TransferError) {
        var handle = pthread_t()
        let body = unsafe Unmanaged.passRetained(Body(loop: self, turn: turn))
        let failure = unsafe pthread_create(
            &handle, nil,
            { argument in
                guard let argument = unsafe argument else { return nil }
                let body = unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
                body.loop.runUntilStopped(turn: body.turn)
                return nil
            }, unsafe body.toOpaque())
        guard failure == 0 else {
            unsafe body.release()
            throw TransferError(description: "pthread_create: error \(failure)")
        }
        thread.store(UInt(handle), ordering: .releasing)
    }

    /// Runs the jobs that are left, ends the thread and joins it; call it once.
    func stop() async {
        let sleeps = inbox.withLock { inbox in
            inbox.isStopping = true
            return inbox.wake()
        }
        if sleeps { wakeUp() }
        let handle = pthread_t(thread.load(ordering: .acquiring))
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "lull.transfers.join").async {
                let joined = pthread_join(handle, nil)
                precondition(joined == 0, "the thread is joined once, and not by itself")
                continuation.resume()
            }
        }
    }

    /// The sleep is over.
    func hasWoken() { inbox.withLock { $0.isSleeping = false } }

    /// Runs a job of the actor on the thread.
    func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs a block on the thread, in order with the jobs.
    func post(_ block: @escaping @Sendable () -> Void) { add(.block(block)) }

    /// Traps when the caller is not on the thread (SE-0424).
    func checkIsolated() {
        if inbox.withLock({ $0.hasEnded }) {
            dispatchPrecondition(condition: .onQueue(afterwards))
        } else {
            precondition(isCurrent, "only the loop's thread touches its transfers")
        }
    }

    private var isCurrent: Bool {
        pthread_equal(pthread_self(), pthread_t(thread.load(ordering: .acquiring))) != 0
    }

    private func add(_ work: Work) {
        let (isLate, sleeps) = inbox.withLock { inbox in
            if inbox.hasEnded { return (true, false) }
            inbox.work.append(work)
            return (false, inbox.wake())
        }
        if isLate { afterwards.async { self.run(work) } }
        if sleeps { wakeUp() }
    }

    private func wakeUp() {
        // Only a counter at its end, which it never reaches, could refuse.
        _ = lull_eventfd_signal(waker.rawValue)
    }

    private func run(_ work: Work) {
        switch work {
        case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        case .block(let block): block()
        }
    }

    private enum Next { case work, sleep, end }

    private func runUntilStopped(turn: (_ maySleep: Bool) -> Void) {
        thread.store(UInt(pthread_self()), ordering: .releasing)
        var batch: [Work] = []
        while true {
            let next = inbox.withLock { inbox in
                if !inbox.work.isEmpty {
                    swap(&batch, &inbox.work)
                    return Next.work
                }
                inbox.hasEnded = inbox.isStopping
                inbox.isSleeping = !inbox.isStopping
                return inbox.isStopping ? .end : .sleep
            }
            switch next {
            case .work:
                for work in batch { run(work) }
                batch.removeAll(keepingCapacity: true)
                turn(false)
            case .sleep: turn(true)
            case .end: return
            }
        }
    }
}
