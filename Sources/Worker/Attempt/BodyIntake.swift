// Gathers received bytes on libcurl's thread for the file lane: blocks, and a brake.
internal import Downloads
internal import Platform
internal import Synchronization
internal import Transfers

/// Gathers the bytes of one transfer into blocks for the disk.
///
/// It is bounded, so a slow disk slows the transfer and does not fill the memory.
final class BodyIntake: Sendable {
    /// The bytes of a block of a fast transfer.
    static let blockBytes = 256 * 1024
    /// Fewer bytes than these are kept in an array of their own.
    private static let pieceBytes = 16 * 1024
    private static let blocksAtMost = 3
    /// The most blocks of a large file, as long as the shared blocks are not scarce.
    private static let bulkBlocksAtMost = 7

    /// Whether the gathered bytes have to be drained to the disk.
    enum Demand: Int, Sendable, Comparable {
        /// No, or a drain was demanded before.
        case none
        /// When no more bytes come at once.
        case soon
        /// At once.
        case now

        static func < (left: Demand, right: Demand) -> Bool { left.rawValue < right.rawValue }
    }

    private struct State {
        var filling: MemoryBlock?
        var ready: [MemoryBlock] = []
        /// Whether bytes were written to the file, or the file existed before.
        var hasFile = false
        /// The announced length of the file in bytes; 0 if unknown.
        var announced: Int64 = 0
        /// Whether the file is large.
        var isBulk = false
        var isPaused = false
        var demand = Demand.none
        var refusal: String?
        var taken: Int64 = 0
        var start: Int64 = 0
        /// The number of times that the place was set.
        var starts = 0
        var most = Int64.max
        var isOverMost = false
        var end = Int64.max
        var isOverEnd = false
        var digests: Set<DigestAlgorithm> = []
    }

    private let state = Mutex(State())
    private let pool: BlockPool

    /// The buffers of large files.
    private let bulk: BulkBlocks?

    /// Gathers bytes into blocks of a pool.
    ///
    /// - Parameters:
    ///   - pool: the blocks.
    ///   - bulk: what a large file is gathered in; nil if it is like any other.
    init(pool: BlockPool = .large(), bulk: BulkBlocks? = nil) {
        self.pool = pool
        self.bulk = bulk
    }

    deinit { state.withLock { empty(&$0) } }

    /// Sets the offset of the first byte; called before it arrives.
    ///
    /// - Parameters:
    ///   - offset: its place.
    ///   - end: the place behind the last byte that the answer announces; bytes beyond are refused.
    func start(at offset: Int64, end: Int64 = .max) {
        state.withLock {
            $0.start = offset
            $0.starts += 1
            $0.taken = 0
            $0.end = end
            $0.isOverEnd = false
            ($0.isBulk, $0.announced) = (false, 0)
            empty(&$0)
        }
    }

    private func empty(_ state: inout State) {
        for block in state.ready { give(block) }
        state.ready = []
        if let filling = state.filling { give(filling) }
        state.filling = nil
    }

    private func give(_ block: MemoryBlock) {
        pool.give(block)
        bulk?.pool.give(block)
    }

    /// Notes the length of the file.
    func announce(length: Int64) {
        state.withLock { state in
            state.announced = length
            if let bulk, length >= bulk.from { state.isBulk = true }
        }
    }

    /// Whether the file is large, so that only full blocks are written before its end.
    var isBulk: Bool { state.withLock { $0.isBulk } }

    /// Notes that there is a file already.
    func noteFile() { state.withLock { $0.hasFile = true } }

    /// Bounds the file's length; the next byte is refused.
    func bound(to most: Int64) { state.withLock { $0.most = most } }

    /// Whether the other side sent more than the bound.
    var isOverBound: Bool { state.withLock { $0.isOverMost } }

    /// Whether the answer had more bytes than it announced.
    var isOverEnd: Bool { state.withLock { $0.isOverEnd } }

    /// Requests a digest beside SHA-256; one that is requested late is computed from the file.
    func want(_ algorithm: DigestAlgorithm) {
        guard algorithm != .sha256 else { return }
        state.withLock { _ = $0.digests.insert(algorithm) }
    }

    /// The requested digests beside SHA-256.
    var wanted: Set<DigestAlgorithm> { state.withLock { $0.digests } }

    /// The offset of the first byte, and the number of bytes since.
    var position: (start: Int64, taken: Int64) { state.withLock { ($0.start, $0.taken) } }

    /// The offset of the first byte, and how many times it was set: at a new number everything
    /// written behind the offset is void, also if the offset is the same.
    var beginning: (start: Int64, number: Int) { state.withLock { ($0.start, $0.starts) } }

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
            guard state.ready.count < mostBlocks(state) else {
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

    private func mostBlocks(_ state: State) -> Int {
        let isFree = state.isBulk && bulk?.hasPlenty ?? false
        return isFree ? BodyIntake.bulkBlocksAtMost : BodyIntake.blocksAtMost
    }

    private func gather(_ bytes: UnsafeRawBufferPointer, in state: inout State) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let place = state.start + state.taken + Int64(done)
            let block = blockToFill(with: rest.count, at: place, &state)
            done += unsafe block.append(rest)
            guard block.isFull, block.owner != nil || block.count >= pool.blockBytes else {
                continue
            }
            state.ready.append(block)
            state.filling = nil
        }
    }

    /// The block for the next bytes.
    ///
    /// - Parameters:
    ///   - count: of these bytes.
    ///   - place: of the first one in the file.
    ///   - state: as it is.
    /// - Returns: the block, which is the one being filled from now on.
    private func blockToFill(
        with count: Int, at place: Int64, _ state: inout State
    ) -> MemoryBlock {
        let held = state.filling
        // A block of a pool is filled to its end.
        if let held, held.owner != nil || held.count + count <= held.limit { return held }
        let wanted = count + (held?.count ?? 0)
        let piece = min(BodyIntake.pieceBytes, pool.blockBytes)
        let block =
            if wanted <= piece, !state.isBulk {
                // The first block is large enough for a small body.
                MemoryBlock(
                    capacity: held == nil
                        ? min(piece, max(wanted, Int(clamping: state.announced))) : piece)
            } else {
                pooled(at: place - Int64(held?.count ?? 0), &state)
            }
        if let held { _ = unsafe block.append(held.bytes()) }
        state.filling = block
        return block
    }

    private func pooled(at place: Int64, _ state: inout State) -> MemoryBlock {
        guard let bulk else { return pool.take() }
        if place >= bulk.from { state.isBulk = true }
        guard state.isBulk else { return pool.take() }
        let block = bulk.pool.take(atMost: bulk.most) ?? pool.take()
        // The next block has to begin at a page.
        block.clear(limit: block.capacity - Int(place % Int64(MemoryBlock.pageBytes)))
        return block
    }

    private func demand(of state: State) -> Demand {
        guard pool.isThrifty else { return state.ready.isEmpty ? .none : .now }
        if state.ready.count > 1 { return .now }
        return state.ready.isEmpty && !pool.isStrained ? .none : .soon
    }

    /// The next block for the disk; with `flush`, also one that is not full.
    ///
    /// - Returns: nil when the drain has nothing more to do.
    func nextBlock(flush: Bool) -> MemoryBlock? {
        state.withLock { state in
            if !state.ready.isEmpty {
                state.hasFile = true
                return state.ready.removeFirst()
            }
            if flush || pool.isThrifty, let block = state.filling {
                state.hasFile = true
                state.filling = nil
                return block
            }
            state.demand = .none
            return nil
        }
    }

    /// Takes a small body that is complete from its first byte on, and of which nothing is in a
    /// file.
    ///
    /// - Returns: its bytes, nil for none; or nothing at all if it is not such a body.
    func takeWhole() -> MemoryBlock?? {
        state.withLock { state in
            guard isHeld(state) else { return nil }
            let block = state.filling
            state.filling = nil
            return .some(block)
        }
    }

    /// Whether all gathered bytes are in memory, and few: then none of them is in a file, and no
    /// error of the disk can concern them.
    var isHeld: Bool { state.withLock { isHeld($0) } }

    private func isHeld(_ state: State) -> Bool {
        !state.hasFile && state.start == 0 && state.ready.isEmpty && state.refusal == nil
            && state.filling?.owner == nil && Int64(state.filling?.count ?? 0) == state.taken
            && state.announced <= BodyIntake.pieceBytes
    }

    /// Takes a written block back for reuse.
    ///
    /// - Returns: true if the transfer was paused for want of room and may go on.
    func recycle(_ block: MemoryBlock) -> Bool {
        give(block)
        return state.withLock { state in
            let wasPaused = state.isPaused
            state.isPaused = false
            return wasPaused
        }
    }

    /// Refuses all further bytes.
    func refuse(_ reason: String) { state.withLock { $0.refusal = $0.refusal ?? reason } }
}
