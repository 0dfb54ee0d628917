// Digests a growing file beside the writing.
internal import Crypto
internal import Dispatch
internal import Platform
internal import Synchronization

/// A file's SHA-256; large blocks are digested on a lane of its own while they and the following
/// ones are written.
///
/// Measured with one file of 2 GiB, digest and pwrite(2) of a block take about equally long, so a
/// single fast transfer would wait for a lane that did both.
final class FileDigest: Sendable {
    /// The most blocks that wait for their digest, the current one included.
    private static let aheadAtMost = 3

    /// The lane on which blocks are digested beside their writes, and the blocks in progress.
    private struct Beside {
        let lane: QueueExecutor
        let places = DispatchSemaphore(value: FileDigest.aheadAtMost)
        let underWay = DispatchGroup()
    }

    private let hash = Mutex(SHA256())
    private let lane: QueueExecutor?
    /// Created for the first large block, because most files have none.
    private let beside = Mutex<Beside?>(nil)

    /// Starts with no bytes; without a lane writing and digesting take turns.
    init(lane: QueueExecutor?) { self.lane = lane }

    /// Continues a digest.
    func replace(with other: consuming SHA256) {
        settle()
        var other = Optional(other)
        hash.withLock { hash in
            guard let taken = other.take() else { return }
            hash = taken
        }
    }

    /// Adds bytes.
    func update(_ bytes: UnsafeRawBufferPointer) {
        settle()
        unsafe add(bytes)
    }

    private func add(_ bytes: UnsafeRawBufferPointer) {
        hash.withLock { unsafe $0.update(bytes) }
    }

    /// Adds the bytes of a block while `body` runs, and after its end if few blocks wait.
    ///
    /// - Parameters:
    ///   - block: stays as it is until `done` is called.
    ///   - start: its first byte that is added.
    ///   - body: what is done beside.
    ///   - done: called once, on any thread, when both are over.
    /// - Throws: what `body` throws.
    func update<Failure: Error>(
        _ block: MemoryBlock, from start: Int, beside body: () throws(Failure) -> Void,
        then done: @escaping @Sendable () -> Void
    ) throws(Failure) {
        guard let lane, block.count - start >= BodyIntake.blockBytes else {
            defer { done() }
            try body()
            return unsafe update(block.bytes(from: start))
        }
        let beside = beside.withLock { known in
            let found = known ?? Beside(lane: lane)
            known = found
            return found
        }
        beside.places.wait()
        let both = Countdown(done)
        beside.lane.queue.async(group: beside.underWay) {
            unsafe self.add(block.bytes(from: start))
            beside.places.signal()
            both.step()
        }
        defer { both.step() }
        try body()
    }

    /// Returns when no block waits for its digest.
    func settle() { beside.withLock { $0 }?.underWay.wait() }

    /// The digest of all bytes, in hexadecimal digits; then it starts again with no bytes.
    func finish() -> String {
        settle()
        return hash.withLock { $0.finalizeText() }
    }
}

/// Calls a closure when two things are over.
private final class Countdown: Sendable {
    private let left = Atomic(2)
    private let done: @Sendable () -> Void

    init(_ done: @escaping @Sendable () -> Void) { self.done = done }

    func step() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done() }
    }
}
