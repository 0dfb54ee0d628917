// Writes the files of many attempts in batches.
internal import Dispatch
internal import Platform
internal import Synchronization
internal import Transfers

/// One lane for blocking file calls, and one beside it for digests.
///
/// With very many attempts a task and a wake-up for each drain would cost more than the writing, so
/// all drains of a turn are one block on the lane's queue.
final class WriteLane: Sendable {
    /// The executor on which files are written.
    let files: QueueExecutor
    /// The executor on which large blocks are digested meanwhile; nil for the first one.
    let digests: QueueExecutor?

    private struct State {
        var drains: [@Sendable () -> Void] = []
        /// Whether the listed attempts will be passed to the lane, now or at the end of the turn.
        var isRung = false
        var isPromised = false
    }

    private let pool: BlockPool?
    private let state = Mutex(State())

    /// Creates a lane.
    ///
    /// - Parameters:
    ///   - label: seen in debuggers.
    ///   - digests: whether there is one for digests.
    ///   - pool: what the bytes come in that it has to write soon.
    init(label: String, digests: Bool = true, pool: BlockPool? = nil) {
        self.pool = pool
        files = QueueExecutor(label: "file." + label)
        self.digests = digests ? QueueExecutor(label: "digest." + label) : nil
    }

    /// Runs a drain on the lane; called by a sink.
    ///
    /// - Parameters:
    ///   - demand: whether at all, and whether what else this turn brings is waited for.
    ///   - engine: the engine whose turns count.
    ///   - drain: runs on the lane, and need not be the only one.
    func drain(
        _ demand: BodyIntake.Demand, on engine: TransferEngine,
        _ drain: @escaping @Sendable () -> Void
    ) {
        guard demand != .none else { return }
        let (rings, promises) = state.withLock { state in
            state.drains.append(drain)
            if state.isRung { return (false, false) }
            if demand == .now {
                state.isRung = true
                return (true, false)
            }
            defer { state.isPromised = true }
            return (false, !state.isPromised)
        }
        if rings { ring() }
        guard promises else { return }
        // A thousand transfers that begin at once would fill the memory before the lanes run, so
        // the engine waits for them; it does not wait for a disk that hangs, and then each transfer
        // is paused when its blocks are full.
        engine.afterTurn {
            self.turnEnded()
        } waitingWhile: {
            self.pool?.isExhausted ?? false
        }
    }

    private func turnEnded() {
        let rings = state.withLock { state in
            state.isPromised = false
            guard !state.isRung, !state.drains.isEmpty else { return false }
            state.isRung = true
            return true
        }
        if rings { ring() }
    }

    private func ring() {
        files.queue.async {
            let drains = self.state.withLock { state in
                state.isRung = false
                defer { state.drains = [] }
                return state.drains
            }
            for drain in drains { drain() }
        }
    }
}
