// The digest of a file that grows, made beside the writing.
internal import Crypto
internal import Dispatch
internal import Platform
internal import Synchronization

/// A file's SHA-256; large blocks are digested on a lane of its own while they are written.
///
/// Measured with one file of 2 GiB: digest and pwrite(2) of a block take about as long as each
/// other, so one lane for both is what a single fast transfer waits for.
final class FileDigest: Sendable {
    private let lane: QueueExecutor?
    private let hash = Mutex(SHA256())

    /// Starts with no bytes; without a lane everything happens one after the other.
    init(lane: QueueExecutor?) { self.lane = lane }

    /// Continues a digest.
    func replace(with other: consuming SHA256) {
        var other = Optional(other)
        hash.withLock { hash in
            guard let taken = other.take() else { return }
            hash = taken
        }
    }

    /// Adds bytes.
    func update(_ bytes: UnsafeRawBufferPointer) {
        hash.withLock { unsafe $0.update(bytes) }
    }

    /// Adds the bytes of a block while `body` runs, and returns when both are done.
    ///
    /// - Parameters:
    ///   - block: stays as it is meanwhile.
    ///   - start: its first byte that is added.
    ///   - body: what is done beside.
    /// - Throws: what `body` throws.
    func update<Failure: Error>(
        _ block: MemoryBlock, from start: Int, beside body: () throws(Failure) -> Void
    ) throws(Failure) {
        guard let lane, block.count - start >= BodyIntake.blockBytes else {
            try body()
            return unsafe update(block.bytes(from: start))
        }
        let both = DispatchGroup()
        lane.queue.async(group: both) { unsafe self.update(block.bytes(from: start)) }
        defer { both.wait() }
        try body()
    }

    /// The digest of all bytes, in hexadecimal; starts again with no bytes.
    func finish() -> String { hash.withLock { $0.finalizeText() } }
}
