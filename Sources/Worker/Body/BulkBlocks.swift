// What large files are gathered in, and from where on a file is large.
internal import Platform

/// Blocks for bytes that go to the disk past the page cache; bounded over all transfers.
///
/// A transfer that finds none free gathers in ordinary blocks until one is: none waits for another
/// one's block, which a server that stalls would keep.
struct BulkBlocks: Sendable {
    /// The blocks.
    let pool: BlockPool
    /// So many are used at once at most.
    let most: Int
    /// Bytes of a file from which on it is large.
    let from: Int64

    /// A pool without blocks.
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

    /// Whether one transfer may hold more than its share.
    var hasPlenty: Bool { pool.usedCount <= most / 2 }
}
