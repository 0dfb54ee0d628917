// The buffers of large files, and the size from which on a file is large.
internal import Platform

/// Blocks for bytes that are written past the page cache; their number is bounded over all
/// transfers.
///
/// A transfer that finds none free uses ordinary blocks until one is: no transfer waits for a block
/// of another one, which a server that stalls would keep.
struct BulkBlocks: Sendable {
    /// The blocks.
    let pool: BlockPool
    /// The most blocks that are used at once.
    let most: Int
    /// The size from which on a file is large, in bytes.
    let from: Int64

    /// Creates a pool without blocks.
    ///
    /// - Parameters:
    ///   - blockBytes: a multiple of a page, at least 64 KiB.
    ///   - most: how many are used at once at most.
    ///   - from: bytes from which on a file is large.
    init(blockBytes: Int = 1 << 20, most: Int = 32, from: Int64 = 4 << 20) {
        precondition(
            blockBytes >= 64 << 10 && blockBytes % MemoryBlock.pageBytes == 0,
            "a block has whole pages, and room for what was gathered before")
        pool = BlockPool(blockBytes: blockBytes, keptAtMost: 8)
        self.most = most
        self.from = from
    }

    /// Whether one transfer may use more blocks than its share.
    var hasPlenty: Bool { pool.usedCount <= most / 2 }
}
