// Pieces that arrive out of order: written in their places, digested in the order of the file.
internal import Content
internal import Platform
internal import Synchronization
internal import Transfers

extension PartWriter {
    /// The most bytes that are read back in one step, for which another file of the lane waits.
    private static let stepBytes: Int64 = 4 << 20

    /// Writes the bytes of a further stream.
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

    /// Digests the bytes that now adjoin the digested ones, in steps between which other files use
    /// the lane.
    func follow() {
        guard hasAdjacentRange, !isFollowing else { return }
        isFollowing = true
        tasks.start(on: self) { await $0.settle() }
    }

    /// Digests all bytes that adjoin the digested ones.
    func settle() async {
        while step(PartWriter.stepBytes) { await Task.yield() }
        isFollowing = false
    }

    /// Writes and digests all received bytes up to the first gap.
    func finish() async {
        drain(flush: true)
        await settle()
    }

    /// Moves the attempt's own stream to the first missing byte.
    ///
    /// - Returns: where that is; nil if nothing is here, or nothing can be written.
    func restart() -> Int64? {
        drain(flush: true)
        return writeFailure == nil ? moveToPrefix() : nil
    }
}
