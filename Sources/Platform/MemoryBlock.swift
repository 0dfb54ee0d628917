// Memory blocks of a fixed size, which one owner fills and another one reads.

/// A buffer that is filled from the front; a large block begins at the start of a page.
///
/// Safe because who fills it hands it on and keeps no reference.
@safe package final class MemoryBlock: @unchecked Sendable {
    /// The alignment of the address, offset and length of a direct write; see open(2), O_DIRECT.
    package static let pageBytes = 4096

    /// The size of the memory in bytes.
    package let capacity: Int
    /// The pool that takes the block back after use; nil for none.
    package let owner: ObjectIdentifier?
    /// The number of bytes at which the block is full.
    package private(set) var limit: Int
    /// The number of bytes in the block.
    package private(set) var count = 0
    private let memory: UnsafeMutableRawPointer

    /// Allocates the memory, whose pages are not touched yet.
    ///
    /// - Parameters:
    ///   - capacity: bytes, at least one; from a page on the memory begins with a page if there is
    ///     an owner.
    ///   - owner: what uses it again.
    package init(capacity: Int, owner: ObjectIdentifier? = nil) {
        precondition(capacity > 0, "a block holds at least one byte")
        self.capacity = capacity
        self.owner = owner
        limit = capacity
        let isPaged = owner != nil && capacity >= MemoryBlock.pageBytes
        unsafe memory = .allocate(
            byteCount: capacity, alignment: isPaged ? MemoryBlock.pageBytes : 16)
    }

    deinit { unsafe memory.deallocate() }

    /// Whether the block is full.
    package var isFull: Bool { count == limit }

    /// Appends the first of some bytes, as many as there is room for.
    ///
    /// - Returns: how many were added.
    package func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let added = min(bytes.count, limit - count)
        if added > 0, let base = bytes.baseAddress {
            unsafe (memory + count).copyMemory(from: base, byteCount: added)
        }
        count += added
        return added
    }

    /// Empties the block and sets its limit.
    ///
    /// - Parameter limit: the bytes that it takes from now on, at most its capacity.
    package func clear(limit: Int) {
        precondition(limit > 0 && limit <= capacity, "a block takes what it has memory for")
        self.limit = limit
        count = 0
    }

    /// The bytes in the block, valid as long as the block exists and nothing is appended.
    ///
    /// - Parameter start: the first byte, not beyond the last one.
    /// - Returns: the bytes from there on.
    package func bytes(from start: Int = 0) -> UnsafeRawBufferPointer {
        precondition(start >= 0 && start <= count, "a block has no bytes there")
        return unsafe UnsafeRawBufferPointer(start: memory + start, count: count - start)
    }

    /// A copy of the bytes.
    package var array: [UInt8] { unsafe Array(bytes()) }
}
