// Between libcurl's thread and the file lane: blocks of bytes, and a brake.
internal import Core
internal import Synchronization
internal import Transfers

/// Gathers the bytes of one transfer into blocks for the disk; bounded, so a slow disk slows the
/// transfer instead of filling the memory.
final class BodyIntake: Sendable {
    /// Bytes in one block: one pwrite of this size costs the least CPU; see ARCHITECTURE.md.
    static let blockBytes = 256 * 1024
    /// The same where a thousand trickle at once: memory counts more than calls.
    static let smallBlockBytes = 32 * 1024
    private static let blocksAtMost = 3

    private struct State {
        var filling: [UInt8] = []
        var ready: [[UInt8]] = []
        var spare: [[UInt8]] = []
        var isPaused = false
        var isDrained = false
        var refusal: String?
        var taken: Int64 = 0
        var start: Int64 = 0
        var most = Int64.max
        var isOverMost = false
        var digests: Set<DigestAlgorithm> = []
    }

    private let state = Mutex(State())
    private let blockBytes: Int

    /// Bytes gathered into blocks of a size.
    init(blockBytes: Int = BodyIntake.blockBytes) { self.blockBytes = blockBytes }

    /// Where the first byte goes in the file; set before the first byte.
    func start(at offset: Int64) {
        state.withLock {
            $0.start = offset
            $0.taken = 0
            $0.filling.removeAll(keepingCapacity: true)
            $0.ready = []
        }
    }

    /// Bounds the file's length; the byte beyond is refused.
    func bound(to most: Int64) { state.withLock { $0.most = most } }

    /// True once the other side wanted to send more than the bound.
    var isOverBound: Bool { state.withLock { $0.isOverMost } }

    /// Wants a digest beside SHA-256; set before the first byte.
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
    func take(_ bytes: UnsafeRawBufferPointer) -> (answer: TransferSink.Answer, drains: Bool) {
        state.withLock { state in
            if let refusal = state.refusal { return (.abort(reason: refusal), false) }
            guard Int64(bytes.count) <= state.most - state.start - state.taken else {
                state.isOverMost = true
                return (.abort(reason: "more bytes than are wanted"), false)
            }
            guard state.ready.count < BodyIntake.blocksAtMost else {
                state.isPaused = true
                return (.pause, false)
            }
            unsafe state.filling.append(contentsOf: bytes)
            state.taken += Int64(bytes.count)
            guard state.filling.count >= blockBytes else { return (.taken, false) }
            state.ready.append(state.filling)
            state.filling = state.spare.popLast() ?? []
            if blockBytes == BodyIntake.blockBytes {
                state.filling.reserveCapacity(blockBytes + 16_384)
            }
            let wakes = !state.isDrained
            state.isDrained = true
            return (.taken, wakes)
        }
    }

    /// The next block for the disk; with `flush`, also one that is not full.
    ///
    /// - Returns: nil when the drain has nothing more to do.
    func nextBlock(flush: Bool) -> [UInt8]? {
        state.withLock { state in
            if !state.ready.isEmpty { return state.ready.removeFirst() }
            if flush, !state.filling.isEmpty {
                let block = state.filling
                state.filling = []
                return block
            }
            state.isDrained = false
            return nil
        }
    }

    /// Takes a written block back for reuse.
    ///
    /// - Returns: true if the transfer was paused for want of room and may go on.
    func recycle(_ block: consuming [UInt8]) -> Bool {
        var block = block
        block.removeAll(keepingCapacity: true)
        return state.withLock { state in
            // A slow transfer holds no more than it has to.
            if state.spare.isEmpty, blockBytes == BodyIntake.blockBytes {
                state.spare.append(block)
            }
            let wasPaused = state.isPaused
            state.isPaused = false
            return wasPaused
        }
    }

    /// Refuses every byte from here on.
    func refuse(_ reason: String) { state.withLock { $0.refusal = $0.refusal ?? reason } }
}
