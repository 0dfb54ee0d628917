// One thread that is libcurl's loop, and the executor of the engine's actor.
internal import Dispatch
internal import Glibc
internal import Synchronization

/// A serial executor whose thread runs jobs, then a turn of libcurl, then sleeps in libcurl.
final class CurlLoop: SerialExecutor {
    /// The handle that the thread sleeps in.
    let multi: MultiHandle

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
        let turn: @Sendable () -> Int64

        init(loop: CurlLoop, turn: @escaping @Sendable () -> Int64) {
            self.loop = loop
            self.turn = turn
        }
    }

    /// Creates the multi handle; ``start(turn:)`` creates the thread.
    init() throws(TransferError) { multi = try MultiHandle() }

    /// Starts the thread.
    ///
    /// - Parameter turn: called on the thread after the jobs; answers the nanoseconds to sleep.
    /// - Throws: `TransferError` when there is no room for a thread.
    func start(turn: @escaping @Sendable () -> Int64) throws(TransferError) {
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
        if sleeps { multi.wakeUp() }
        let handle = pthread_t(thread.load(ordering: .acquiring))
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "lull.transfers.join").async {
                let joined = pthread_join(handle, nil)
                precondition(joined == 0, "the thread is joined once, and not by itself")
                continuation.resume()
            }
        }
    }

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
        if sleeps { multi.wakeUp() }
    }

    private func run(_ work: Work) {
        switch work {
        case .job(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
        case .block(let block): block()
        }
    }

    private enum Next { case work, sleep, end }

    private func runUntilStopped(turn: () -> Int64) {
        thread.store(UInt(pthread_self()), ordering: .releasing)
        var batch: [Work] = []
        while true {
            inbox.withLock { swap(&batch, &$0.work) }
            for work in batch { run(work) }
            batch.removeAll(keepingCapacity: true)
            let nanoseconds = turn()
            let next = inbox.withLock { inbox in
                if !inbox.work.isEmpty { return Next.work }
                if inbox.isStopping {
                    inbox.hasEnded = true
                    return Next.end
                }
                inbox.isSleeping = true
                return Next.sleep
            }
            if next == .end { return }
            guard next == .sleep else { continue }
            // Rounded up: waking before a deadline would spin until it.
            let milliseconds = (max(0, nanoseconds) + 999_999) / 1_000_000
            if !multi.poll(milliseconds: Int32(min(milliseconds, 60_000))) {
                // poll(2) fails only without memory; a pause lets others free some.
                usleep(1000)
            }
            inbox.withLock { $0.isSleeping = false }
        }
    }
}
