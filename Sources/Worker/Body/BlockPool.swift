// Blocks of memory between network and disk, reused while they are in the cache.
internal import Platform
internal import Synchronization

/// Blocks of one size that transfers share; may be called from any thread.
///
/// The block that was written last is filled next, so few blocks serve many transfers.
final class BlockPool: Sendable {
    /// The bytes of a block.
    let blockBytes: Int
    /// Whether a transfer gives back all its blocks whenever it is drained.
    let isThrifty: Bool

    private let keptAtMost: Int
    private let plenty: Int
    private let spare = Mutex<[MemoryBlock]>([])
    private let used = Atomic(0)

    /// Creates a pool without blocks.
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

    /// The pool for fast transfers: one pwrite(2) of this size costs the least CPU; see
    /// ARCHITECTURE.md.
    static func large() -> BlockPool {
        BlockPool(blockBytes: BodyIntake.blockBytes, keptAtMost: 16)
    }

    /// The pool for slow transfers, of which there may be a thousand: at most 2 MiB wait to be
    /// filled.
    static func small() -> BlockPool {
        BlockPool(blockBytes: 64 * 1024, keptAtMost: 96, plenty: 32)
    }

    /// Whether so many blocks are used that one should be written although it is not full.
    var isStrained: Bool { used.load(ordering: .relaxed) >= plenty }

    /// Whether so many blocks are used that no more bytes should be read before the disk has
    /// written some.
    var isExhausted: Bool { used.load(ordering: .relaxed) / 2 >= plenty }

    /// The number of used blocks.
    var usedCount: Int { used.load(ordering: .relaxed) }

    /// An empty block.
    func take() -> MemoryBlock {
        used.add(1, ordering: .relaxed)
        if let block = spare.withLock({ $0.popLast() }) { return block }
        return MemoryBlock(capacity: blockBytes, owner: ObjectIdentifier(self))
    }

    /// An empty block; nil if the given number is used.
    func take(atMost most: Int) -> MemoryBlock? {
        // Counted before it is taken: of two threads that ask for the last block at once, both may
        // get none.
        guard used.add(1, ordering: .relaxed).newValue <= most else {
            used.subtract(1, ordering: .relaxed)
            return nil
        }
        if let block = spare.withLock({ $0.popLast() }) { return block }
        return MemoryBlock(capacity: blockBytes, owner: ObjectIdentifier(self))
    }

    /// Takes a block back; one of another pool is ignored.
    func give(_ block: MemoryBlock) {
        guard block.owner == ObjectIdentifier(self) else { return }
        used.subtract(1, ordering: .relaxed)
        block.clear(limit: block.capacity)
        spare.withLock { if $0.count < keptAtMost { $0.append(block) } }
    }
}
