// Memory of a fixed size that one owner fills and another one reads.

/// Bytes that are filled in from the front; a large block begins at the start of a page.
///
/// Safe because who fills it hands it on and keeps no reference.
@safe package final class MemoryBlock: @unchecked Sendable {
    /// What a direct write wants its address, its offset and its length to be a multiple of; see
    /// open(2), O_DIRECT.
    package static let pageBytes = 4096

    /// Bytes that it has memory for.
    package let capacity: Int
    /// What takes it back when it is used up; nil for none.
    package let owner: ObjectIdentifier?
    /// Bytes that it takes before it is full.
    package private(set) var limit: Int
    /// Bytes that it holds.
    package private(set) var count = 0
    private let memory: UnsafeMutableRawPointer

    /// Takes memory, which nothing has touched yet.
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

    /// Whether nothing more goes in.
    package var isFull: Bool { count == limit }

    /// Adds the first of some bytes, as many as there is room for.
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

    /// Empties it.
    ///
    /// - Parameter limit: the bytes that it takes from now on, at most its capacity.
    package func clear(limit: Int) {
        precondition(limit > 0 && limit <= capacity, "a block takes what it has memory for")
        self.limit = limit
        count = 0
    }

    /// What it holds, valid as long as the block is there and nothing is added.
    ///
    /// - Parameter start: the first byte, not beyond the last one.
    /// - Returns: the bytes from there on.
    package func bytes(from start: Int = 0) -> UnsafeRawBufferPointer {
        precondition(start >= 0 && start <= count, "a block has no bytes there")
        return unsafe UnsafeRawBufferPointer(start: memory + start, count: count - start)
    }

    /// A copy of what it holds.
    package var array: [UInt8] { unsafe Array(bytes()) }
}
