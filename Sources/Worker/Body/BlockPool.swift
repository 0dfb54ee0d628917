// Blocks of memory on their way from the network to the disk, used again while they are warm.
internal import Platform
internal import Synchronization

/// Blocks of one size that transfers share; callable from anywhere.
///
/// A block that was just written is the next one to be filled, so few blocks serve many transfers.
final class BlockPool: Sendable {
    /// Bytes of a block.
    let blockBytes: Int
    /// Whether a transfer gives up all its blocks whenever it is drained.
    let isThrifty: Bool

    private let keptAtMost: Int
    private let plenty: Int
    private let spare = Mutex<[MemoryBlock]>([])
    private let used = Atomic(0)

    /// A pool without blocks.
    ///
    /// - Parameters:
    ///   - blockBytes: bytes of a block.
    ///   - keptAtMost: how many blocks wait for their next use.
    ///   - plenty: from so many used ones on none should wait to be filled; nil for any number.
    init(blockBytes: Int, keptAtMost: Int, plenty: Int? = nil) {
        self.blockBytes = blockBytes
        self.keptAtMost = keptAtMost
        self.plenty = plenty ?? .max
        isThrifty = plenty != nil
    }

    /// For fast transfers: one pwrite(2) of this size costs the least CPU; see ARCHITECTURE.md.
    static func large() -> BlockPool {
        BlockPool(blockBytes: BodyIntake.blockBytes, keptAtMost: 16)
    }

    /// For slow ones, of which there may be a thousand: 2 MiB may wait to be filled.
    static func small() -> BlockPool {
        BlockPool(blockBytes: 64 * 1024, keptAtMost: 96, plenty: 32)
    }

    /// Whether a part-filled block should go to the disk as it is.
    var isStrained: Bool { used.load(ordering: .relaxed) >= plenty }

    /// Whether so many blocks are used that the disk should be waited for before more is read.
    var isExhausted: Bool { used.load(ordering: .relaxed) / 2 >= plenty }

    /// How many blocks are used.
    var usedCount: Int { used.load(ordering: .relaxed) }

    /// An empty block.
    func take() -> MemoryBlock {
        used.add(1, ordering: .relaxed)
        if let block = spare.withLock({ $0.popLast() }) { return block }
        return MemoryBlock(capacity: blockBytes, owner: ObjectIdentifier(self))
    }

    /// An empty block, unless so many are used.
    func take(atMost most: Int) -> MemoryBlock? {
        // Counted before it is taken: two that ask at once for the last one both go without.
        guard used.add(1, ordering: .relaxed).newValue <= most else {
            used.subtract(1, ordering: .relaxed)
            return nil
        }
        if let block = spare.withLock({ $0.popLast() }) { return block }
        return MemoryBlock(capacity: blockBytes, owner: ObjectIdentifier(self))
    }

    /// Takes a block back; one from elsewhere is left alone.
    func give(_ block: MemoryBlock) {
        guard block.owner == ObjectIdentifier(self) else { return }
        used.subtract(1, ordering: .relaxed)
        block.clear(limit: block.capacity)
        spare.withLock { if $0.count < keptAtMost { $0.append(block) } }
    }
}
