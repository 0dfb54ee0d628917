// Pieces that come out of order: written where they belong, digested when their turn comes.
internal import Content
internal import Core
internal import Platform
internal import Synchronization
internal import Transfers

extension PartWriter {
    /// Bytes that are read back in one go: so long another file of the same lane waits.
    private static let stepBytes: Int64 = 4 << 20

    /// Writes what a further stream brought.
    func drain(_ stream: SegmentStream, on engine: TransferEngine, flush: Bool = false) {
        while let block = stream.intake.nextBlock(flush: flush) {
            let place = stream.place.load(ordering: .relaxed)
            stream.place.store(place + Int64(block.count), ordering: .relaxed)
            if !stream.isVoid.load(ordering: .sequentiallyConsistent) { put(block, at: place) }
            if writeFailure != nil { stream.intake.refuse("the file cannot be written") }
            if stream.intake.recycle(block) { engine.resume(stream.id) }
        }
        follow()
    }

    /// Digests what has become part of the beginning, in steps between which others have the lane.
    func follow() {
        guard hasAdjacentRange, !isFollowing else { return }
        isFollowing = true
        tasks.start(on: self) { await $0.settle() }
    }

    /// Digests all that has become part of the beginning.
    func settle() async {
        while step(PartWriter.stepBytes) { await Task.yield() }
        isFollowing = false
    }

    /// Writes and digests all that was taken, as far as nothing is missing before it.
    func finish() async {
        drain(flush: true)
        await settle()
    }

    /// Makes the next byte of the attempt's own stream the first one that is missing.
    ///
    /// - Returns: where that is; nil if nothing is here, or nothing can be written.
    func restart() -> Int64? {
        drain(flush: true)
        return writeFailure == nil ? moveToPrefix() : nil
    }
}
