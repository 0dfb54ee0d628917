// Reads a finished file ahead while it is sent.
internal import Content
internal import Dispatch
internal import Platform
internal import Synchronization
internal import Transfers

/// The bytes of a finished part for the engine, read ahead on a file lane.
///
/// The bytes may be a range of the file. Two blocks take turns: one is given to the engine while
/// the other one is filled. They are made when the engine first asks. The file stays open as long
/// as this object exists, even if its name is removed meanwhile.
final class PartSource: Sendable {
    /// The bytes of a block.
    static let blockBytes = 256 << 10
    /// The most blocks.
    static let blocksAtMost = 2

    private struct State {
        /// The filled blocks in the order of the file.
        var ready: [MemoryBlock] = []
        /// The bytes of the first filled block that the engine has.
        var given = 0
        /// The empty blocks.
        var spare: [MemoryBlock] = []
        /// The number of all blocks, with the one that is being filled.
        var blocks = 0
        /// The first byte that is in no block yet, counted within the range.
        var next: Int64 = 0
        var isReading = false
        /// Whether the engine waits for a block.
        var isAwaited = false
        /// The number of rewinds; a block of an earlier round is not given.
        var round = 0
        var failure: String?
    }

    /// A stretch of the range that is to be read.
    private struct Order {
        let block: MemoryBlock
        let range: Range<Int64>
        let round: Int
    }

    private let part: CompletedPart
    private let range: Range<Int64>
    private let lane: QueueExecutor
    private let resume: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates a source at the first byte; nothing is read yet.
    ///
    /// - Parameters:
    ///   - part: the file, which nobody writes any more.
    ///   - range: the bytes of it that are sent; nil for all.
    ///   - lane: where it is read.
    ///   - resume: makes the engine ask again.
    init(
        _ part: CompletedPart, range: Range<Int64>? = nil, on lane: QueueExecutor,
        resume: @escaping @Sendable () -> Void
    ) {
        self.part = part
        self.range = range ?? 0..<part.length
        self.lane = lane
        self.resume = resume
    }

    /// The source for a request; it keeps this object.
    var source: TransferSource {
        unsafe TransferSource(
            length: Int64(range.count), read: { unsafe self.read(into: $0) },
            rewind: { self.rewind() })
    }

    /// The number of blocks that exist.
    var blockCount: Int { state.withLock { $0.blocks } }

    /// Gives the next bytes, or asks for a block; called on the engine's thread.
    private func read(into room: UnsafeMutableRawBufferPointer) -> TransferSource.Answer {
        let (answer, order) = state.withLock { state -> (TransferSource.Answer, Order?) in
            if let failure = state.failure { return (.abort(reason: failure), nil) }
            guard let block = state.ready.first else {
                state.isAwaited = true
                return (.pause, nextOrder(&state))
            }
            let left = unsafe block.bytes(from: state.given)
            let count = min(room.count, left.count)
            unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: left[..<count]))
            state.given += count
            if state.given == block.count {
                state.given = 0
                state.ready.removeFirst()
                PartSource.empty(block, into: &state)
            }
            return (.bytes(count), nextOrder(&state))
        }
        perform(order)
        return answer
    }

    private func rewind() -> Bool {
        state.withLock { state in
            for block in state.ready { PartSource.empty(block, into: &state) }
            (state.ready, state.given, state.next) = ([], 0, 0)
            (state.isAwaited, state.failure) = (false, nil)
            state.round += 1
        }
        return true
    }

    private static func empty(_ block: MemoryBlock, into state: inout State) {
        block.clear(limit: block.capacity)
        state.spare.append(block)
    }

    /// The next stretch to read; nil at the end, while one is being read, and without a block.
    private func nextOrder(_ state: inout State) -> Order? {
        guard !state.isReading, state.next < Int64(range.count), state.failure == nil else {
            return nil
        }
        if state.spare.isEmpty {
            guard state.blocks < PartSource.blocksAtMost else { return nil }
            state.blocks += 1
            state.spare.append(MemoryBlock(capacity: PartSource.blockBytes))
        }
        let end = min(state.next + Int64(PartSource.blockBytes), Int64(range.count))
        state.isReading = true
        return Order(
            block: state.spare.removeLast(), range: state.next..<end, round: state.round)
    }

    private func perform(_ order: Order?) {
        guard let order else { return }
        lane.queue.async { self.fill(order) }
    }

    /// Reads a stretch; on the lane.
    private func fill(_ order: Order) {
        var failure: String?
        do throws(ContentError) {
            try read(order)
        } catch {
            failure = "\(error)"
        }
        let (isAwaited, next) = state.withLock { state -> (Bool, Order?) in
            state.isReading = false
            if order.round != state.round {
                PartSource.empty(order.block, into: &state)
            } else if let failure {
                state.failure = failure
            } else {
                state.next = order.range.upperBound
                state.ready.append(order.block)
            }
            let isReady = !state.ready.isEmpty || state.failure != nil
            let isAwaited = state.isAwaited && isReady
            if isAwaited { state.isAwaited = false }
            return (isAwaited, nextOrder(&state))
        }
        perform(next)
        if isAwaited { resume() }
    }

    private func read(_ order: Order) throws(ContentError) {
        let start = range.lowerBound + order.range.lowerBound
        let end = range.lowerBound + order.range.upperBound
        guard let file = part.part else {
            let bytes = try part.bytes(from: start, to: end)
            return unsafe bytes.withUnsafeBytes { _ = unsafe order.block.append($0) }
        }
        try unsafe file.readBack(from: start, length: end) { _ = unsafe order.block.append($0) }
    }
}
