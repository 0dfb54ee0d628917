// Between libcurl's thread and the file lane: blocks of bytes, and a brake.
internal import Core
internal import Synchronization
internal import Transfers

/// Gathers the bytes of one transfer into blocks for the disk; bounded, so a slow disk slows the
/// transfer instead of filling the memory.
final class BodyIntake: Sendable {
    /// Bytes in a block of a fast transfer.
    static let blockBytes = 256 * 1024
    /// Fewer bytes than these have room in an array of their own.
    private static let pieceBytes = 16 * 1024
    private static let blocksAtMost = 3

    /// Whether what was taken has to be drained.
    enum Demand: Int, Sendable, Comparable {
        /// No, or it was demanded before.
        case none
        /// When nothing more comes at once.
        case soon
        /// Without delay.
        case now

        static func < (left: Demand, right: Demand) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var filling: [UInt8] = []
        var ready: [[UInt8]] = []
        var isPaused = false
        var demand = Demand.none
        var refusal: String?
        var taken: Int64 = 0
        var start: Int64 = 0
        var most = Int64.max
        var isOverMost = false
        var end = Int64.max
        var isOverEnd = false
        var digests: Set<DigestAlgorithm> = []
    }

    private let state = Mutex(State())
    private let pool: BlockPool

    /// Bytes gathered into blocks of a pool.
    init(pool: BlockPool = .large()) { self.pool = pool }

    deinit { state.withLock { empty(&$0) } }

    /// The offset of the first byte; set before it arrives.
    ///
    /// - Parameters:
    ///   - offset: its place.
    ///   - end: the place behind the last byte that the answer announces; bytes beyond are refused.
    func start(at offset: Int64, end: Int64 = .max) {
        state.withLock {
            $0.start = offset
            $0.taken = 0
            $0.end = end
            $0.isOverEnd = false
            empty(&$0)
        }
    }

    private func empty(_ state: inout State) {
        for block in state.ready { pool.give(block) }
        state.ready = []
        // Taken out first: a block that is still held elsewhere would be copied.
        var filling: [UInt8] = []
        swap(&filling, &state.filling)
        pool.give(filling)
    }

    /// Bounds the file's length; the byte beyond is refused.
    func bound(to most: Int64) { state.withLock { $0.most = most } }

    /// True once the other side wanted to send more than the bound.
    var isOverBound: Bool { state.withLock { $0.isOverMost } }

    /// True once the answer brought more bytes than it had announced.
    var isOverEnd: Bool { state.withLock { $0.isOverEnd } }

    /// Wants a digest beside SHA-256; one that is wanted late is made of the file.
    func want(_ algorithm: DigestAlgorithm) {
        guard algorithm != .sha256 else { return }
        state.withLock { _ = $0.digests.insert(algorithm) }
    }

    /// The digests that are wanted beside SHA-256.
    var wanted: Set<DigestAlgorithm> { state.withLock { $0.digests } }

    /// The place of the first byte, and how many have been taken.
    var position: (start: Int64, taken: Int64) { state.withLock { ($0.start, $0.taken) } }

    /// Takes bytes, or asks for a pause.
    ///
    /// - Returns: the answer, and whether a drain has to be started.
    func take(
        _ bytes: UnsafeRawBufferPointer
    ) -> (answer: TransferSink.Answer, drains: Demand) {
        state.withLock { state in
            if let refusal = state.refusal { return (.abort(reason: refusal), .none) }
            guard Int64(bytes.count) <= state.most - state.start - state.taken else {
                state.isOverMost = true
                return (.abort(reason: "more bytes than are wanted"), .none)
            }
            guard Int64(bytes.count) <= state.end - state.start - state.taken else {
                state.isOverEnd = true
                return (.abort(reason: "more bytes than were announced"), .none)
            }
            guard state.ready.count < BodyIntake.blocksAtMost else {
                state.isPaused = true
                return (.pause, .none)
            }
            unsafe gather(bytes, in: &state)
            state.taken += Int64(bytes.count)
            let demand = demand(of: state)
            guard demand > state.demand else { return (.taken, .none) }
            state.demand = demand
            return (.taken, demand)
        }
    }

    private func gather(_ bytes: UnsafeRawBufferPointer, in state: inout State) {
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            let held = state.filling.count
            if held + rest.count > BodyIntake.pieceBytes, state.filling.capacity < pool.blockBytes {
                var block = pool.take()
                block.append(contentsOf: state.filling)
                state.filling = block
            }
            let count = min(rest.count, pool.blockBytes - held)
            unsafe state.filling.append(
                contentsOf: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
            unsafe rest = unsafe UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            if state.filling.count == pool.blockBytes {
                state.ready.append(state.filling)
                state.filling = []
            }
        }
    }

    private func demand(of state: State) -> Demand {
        guard pool.isThrifty else { return state.ready.isEmpty ? .none : .now }
        if state.ready.count > 1 { return .now }
        return state.ready.isEmpty && !pool.isStrained ? .none : .soon
    }

    /// The next block for the disk; with `flush`, also one that is not full.
    ///
    /// - Returns: nil when the drain has nothing more to do.
    func nextBlock(flush: Bool) -> [UInt8]? {
        state.withLock { state in
            if !state.ready.isEmpty { return state.ready.removeFirst() }
            if flush || pool.isThrifty, !state.filling.isEmpty {
                let block = state.filling
                state.filling = []
                return block
            }
            state.demand = .none
            return nil
        }
    }

    /// Takes a written block back for reuse.
    ///
    /// - Returns: true if the transfer was paused for want of room and may go on.
    func recycle(_ block: consuming [UInt8]) -> Bool {
        pool.give(consume block)
        return state.withLock { state in
            let wasPaused = state.isPaused
            state.isPaused = false
            return wasPaused
        }
    }

    /// Refuses every byte from here on.
    func refuse(_ reason: String) { state.withLock { $0.refusal = $0.refusal ?? reason } }
}
