// The file of one attempt: writes blocks, digests them, makes checkpoints.
internal import Base
internal import Content
internal import Crypto
internal import Downloads
internal import Platform
internal import Scheduling
internal import Synchronization
internal import Transfers

/// A file that is complete and digested.
struct WrittenPart: Sendable {
    let file: CompletedPart
    /// The digest, in hexadecimal digits.
    let sha256: String
    /// The other digests that were requested.
    let others: [DigestAlgorithm: String]

    var length: Int64 { file.length }
}

/// Writes one attempt's bytes, on a file lane.
actor PartWriter {
    nonisolated let intake: BodyIntake
    private let lane: QueueExecutor
    private let store: ContentStore
    /// Bytes that are kept free on the volume; nil for the default share of it.
    private let minimumFree: Int64?
    nonisolated let name: ContentName
    private var part: PartFile?
    private let digest: FileDigest
    private var others: [DigestAlgorithm: RunningDigest] = [:]
    private var written: Int64 = 0 { didSet { noteUnsynced() } }
    private var durable: Int64 = 0 { didSet { noteUnsynced() } }
    private nonisolated let notDurable = Atomic<Int64>(0)
    /// The offset of the first byte that is not void.
    private var base: Int64 = 0
    /// The number of the intake's beginning whose bytes are written.
    private var beginning = 0
    /// The offset of the next block of the attempt's own stream.
    private var next: Int64 = 0
    /// Ranges that further streams wrote beyond `written`.
    private var writtenRanges = WrittenRanges()
    var isFollowing = false
    private var isOver = false
    private var failure: ContentError?
    /// The digest of an adopted file whose facts are still those of its last digest; nil where the
    /// bytes are digested here.
    private var knownSHA256: String?
    /// Whether the failure came before a byte of this attempt was written.
    private var hasNoReservation = false
    /// The transfer that is unpaused when there is room for more bytes.
    private nonisolated let transfer = Mutex<TransferID?>(nil)
    private let engine: TransferEngine?
    /// The tasks that digest beside the writing.
    let tasks: TaskOwner

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    init(
        name: ContentName, store: ContentStore, lane: QueueExecutor,
        engine: TransferEngine? = nil, digestLane: QueueExecutor? = nil,
        blocks: BlockPool = .large(), bulk: BulkBlocks? = nil, minimumFree: Int64? = nil,
        tasks: TaskOwner = TaskOwner()
    ) {
        self.tasks = tasks
        self.minimumFree = minimumFree
        self.name = name
        self.store = store
        self.lane = lane
        self.engine = engine
        digest = FileDigest(lane: digestLane)
        intake = BodyIntake(pool: blocks, bulk: bulk)
    }

    /// Sets the transfer that is unpaused from now on.
    nonisolated func follow(_ id: TransferID) { transfer.withLock { $0 = id } }

    /// The greatest number of attempts in a row that a crash ended between the new name of their
    /// file and its record.
    private static let crashesAtMost: Int64 = 100

    /// The fence in the name of a whole file that is to be sent.
    ///
    /// An attempt gives the file its own fence before that is recorded, so after a crash between
    /// both the file is found under the fence of that attempt.
    ///
    /// - Parameter recorded: the fence in the resume point.
    /// - Returns: the recorded fence if the file has it, or is not there at all.
    func fence(ofFileRecordedWith recorded: Int64) -> Int64 {
        let known = max(recorded + 1, name.fence - PartWriter.crashesAtMost)
        guard known < name.fence,
            store.mark(of: ContentName(id: name.id, fence: recorded)) == nil
        else { return recorded }
        return (known..<name.fence).reversed().first { fence in
            store.mark(of: ContentName(id: name.id, fence: fence)) != nil
        } ?? recorded
    }

    /// Takes over an earlier attempt's bytes and computes the digest of them.
    ///
    /// - Returns: false if they are not there any more: then the attempt begins at the start.
    ///
    /// - Parameters:
    ///   - fence: of the earlier attempt.
    ///   - length: of its bytes.
    ///   - source: the other download whose bytes they are; its file stays with it.
    ///   - digest: that of the whole file while it has these facts, so that it is not read again.
    func adopt(
        fence: Int64, length: Int64, of source: Identifier? = nil,
        digested digest: (mark: FileMark, sha256: String)? = nil
    ) -> Bool {
        intake.noteFile()
        let found = digest.flatMap { _ in store.mark(of: ContentName(id: name.id, fence: fence)) }
        do throws(ContentError) {
            let previous = ContentName(id: name.id, fence: fence)
            let file =
                if let source {
                    try store.copy(
                        ContentName(download: source, fence: fence), as: name, length: length)
                } else {
                    try store.adopt(previous, as: name, length: length)
                }
            part = file
            if let digest, digest.mark == found, file.mark?.inode == found?.inode {
                knownSHA256 = digest.sha256
            } else {
                try rehash(file, length: length)
            }
            written = length
            durable = length
            base = length
            next = length
            return true
        } catch {
            part = nil
            return false
        }
    }

    /// Writes the blocks that are ready; with `flush`, all gathered bytes.
    func drain(flush: Bool = false) {
        while let block = intake.nextBlock(flush: flush) {
            guard failure == nil, !isOver else {
                release(block)
                continue
            }
            do throws(ContentError) {
                try write(block)
            } catch {
                failure = error
                intake.refuse("the file cannot be written")
            }
        }
        follow()
    }

    /// Gives a block back for reuse; a transfer that waited for room continues.
    private nonisolated func release(_ block: MemoryBlock) {
        if intake.recycle(block), let id = transfer.withLock({ $0 }) { engine?.resume(id) }
    }

    /// Ends the writing: all received bytes are in the file.
    ///
    /// - Returns: the file, its length, and the digests of it all.
    func complete() throws(ContentError) -> WrittenPart {
        drain(flush: true)
        if let failure { throw failure }
        let file = try begin()
        return WrittenPart(
            file: CompletedPart(part: file, length: written),
            sha256: knownSHA256 ?? digest.finish(),
            others: others.isEmpty ? [:] : others.mapValues { Hex.encode($0.finished()) })
    }

    /// Syncs the bytes so far; of a large file only full blocks, because a block that ends within a
    /// page would be written through the page cache.
    ///
    /// - Parameter isLast: whether nothing follows, so that the last block counts too.
    /// - Returns: how many bytes of the file are durable.
    /// - Throws: `ContentError`: the file could not be written or synced.
    func checkpoint(isLast: Bool = false) throws(ContentError) -> Int64 {
        drain(flush: isLast || !intake.isBulk)
        if let failure { throw failure }
        guard part != nil else { return 0 }
        // Bytes that the answer made void are void even if no new ones came.
        let file = try begin()
        guard written > durable else { return durable }
        try file.checkpoint()
        durable = written
        return durable
    }

    /// Bytes written since the last checkpoint; readable from anywhere.
    nonisolated var unsynced: Int64 { notDurable.load(ordering: .relaxed) }

    private func noteUnsynced() { notDurable.store(written - durable, ordering: .relaxed) }

    /// The present facts of the file; nil without one.
    var mark: FileMark? { part?.mark }

    /// The reason why the file could not be written.
    var writeFailure: ContentError? { failure }

    /// Reserves room for a body of announced length.
    ///
    /// - Returns: whether the room is there; false also for a small body, which needs none.
    func reserve(bytes: Int64) -> Bool {
        guard failure == nil, !isOver, bytes > Int64(BodyIntake.blockBytes) else { return false }
        do throws(ContentError) {
            let file = try begin()
            let hasWritten = written > base
            do throws(ContentError) {
                try store.preallocate(bytes: bytes, for: file, written: written) { volume in
                    minimumFree ?? DiskReading.standardReserve(total: volume.total)
                }
                return true
            } catch {
                hasNoReservation = !hasWritten
                throw error
            }
        } catch {
            failure = error
            intake.refuse("there is no room for the file")
            return false
        }
    }

    /// Gives up bytes because the disk is full: those of this attempt, and those of earlier ones
    /// unless no byte was written since.
    ///
    /// - Returns: how many bytes of the file are still there, and durable.
    func retreat() -> Int64 {
        guard hasNoReservation, failure?.code == .noSpace, let part, written > 0,
            written == durable, intake.position.start == base
        else {
            discard()
            return 0
        }
        do throws(ContentError) {
            try part.trim(to: written)
            return written
        } catch {
            discard()
            return 0
        }
    }

    /// Gives back reserved room that was not filled.
    func trim() {
        guard failure == nil, !isOver, let part else { return }
        // Room that is not given back is cut off when the file is taken over.
        do throws(ContentError) { try part.trim(to: written) } catch {}
    }

    /// Makes a complete file durable.
    ///
    /// - Returns: whether that was done.
    func sync(_ part: PartFile) -> Bool {
        do throws(ContentError) {
            try part.checkpoint()
            return true
        } catch {
            return false
        }
    }

    /// Removes the file; a later drain or reservation does not create it again.
    func discard() {
        isOver = true
        // A file that cannot be removed is left for the sweep.
        do throws(ContentError) { try part?.discard() } catch {}
        part = nil
    }

    private func begin() throws(ContentError) -> PartFile {
        let (start, number) = intake.beginning
        if number != beginning {
            beginning = number
            if start == 0 { writtenRanges = WrittenRanges() }
            if let part, start < written {
                knownSHA256 = nil
                if start == 0 {
                    try part.truncate()
                    digest.replace(with: SHA256())
                    others = [:]
                } else {
                    try rehash(part, length: start)
                }
                written = start
                durable = min(durable, start)
            }
            base = start
            next = start
        }
        let file: PartFile
        if let part {
            file = part
        } else {
            file = try store.create(name)
            part = file
        }
        try beginDigests(of: file)
        return file
    }

    private func write(_ block: MemoryBlock) throws(ContentError) {
        let count = Int64(block.count)
        do throws(ContentError) {
            let file = try begin()
            if intake.isBulk { file.bypassPageCache() }
        } catch {
            release(block)
            throw error
        }
        try write(block, at: next) { self.release(block) }
        next += count
    }

    /// Writes a block in its place; bytes in the digest are never written again.
    ///
    /// - Parameters:
    ///   - block: stays as it is until `done` is called.
    ///   - place: of its first byte.
    ///   - done: called once, on any thread.
    /// - Throws: what `PartFile` throws.
    private func write(
        _ block: MemoryBlock, at place: Int64, then done: @escaping @Sendable () -> Void
    ) throws(ContentError) {
        var isHandedOn = false
        defer { if !isHandedOn { done() } }
        let file = try begin()
        let end = place + Int64(block.count)
        guard end > written else { return }
        let skipped = Int(max(0, written - place))
        let start = place + Int64(skipped)
        let fresh = unsafe block.bytes(from: skipped)
        guard start == written else {
            try unsafe file.write(fresh, at: start)
            return writtenRanges.insert(start..<end)
        }
        isHandedOn = true
        try digest.update(block, from: skipped) { () throws(ContentError) in
            try unsafe file.write(fresh, at: start)
            for other in others.values { unsafe other.update(fresh) }
        } then: {
            done()
        }
        written = end
    }

    /// Writes a block of a further stream.
    func put(_ block: MemoryBlock, at place: Int64) {
        guard failure == nil, !isOver else { return }
        do throws(ContentError) {
            try write(block, at: place) {}
            digest.settle()
        } catch {
            failure = error
            intake.refuse("the file cannot be written")
        }
    }

    /// Whether bytes of further streams adjoin the digested ones.
    var hasAdjacentRange: Bool {
        failure == nil && !isOver && writtenRanges.end(from: written) != nil
    }

    /// Digests the next bytes of further streams.
    ///
    /// - Parameter most: how many at most.
    /// - Returns: whether there are more.
    func step(_ most: Int64) -> Bool {
        guard failure == nil, !isOver, let part, let end = writtenRanges.end(from: written) else {
            return false
        }
        let goal = min(end, written + most)
        do throws(ContentError) {
            try unsafe part.readBack(from: written, length: goal) { unsafe digestNext($0) }
        } catch {
            failure = error
            intake.refuse("the file cannot be read")
            return false
        }
        written = goal
        writtenRanges.drop(before: goal)
        return writtenRanges.end(from: written) != nil
    }

    /// Forgets the bytes of further streams behind the first gap.
    func forgetWrittenRanges() { writtenRanges = WrittenRanges() }

    /// Moves the attempt's own stream to the first missing byte; nil for none.
    func moveToPrefix() -> Int64? {
        guard part != nil, !isOver else { return nil }
        intake.start(at: written)
        // This new beginning makes no bytes void.
        beginning = intake.beginning.number
        base = written
        next = written
        return written
    }

    /// Reads bytes of the file.
    func read(
        from start: Int64, to end: Int64, _ body: (UnsafeRawBufferPointer) -> Void
    ) throws(ContentError) {
        let file = try begin()
        try unsafe file.readBack(from: start, length: end) { unsafe body($0) }
    }

    private func digestNext(_ bytes: UnsafeRawBufferPointer) {
        unsafe digest.update(bytes)
        for other in others.values { unsafe other.update(bytes) }
    }

    private func rehash(_ file: PartFile, length: Int64) throws(ContentError) {
        digest.replace(with: try file.rehash(length: length))
        others = [:]
    }

    /// Starts the digests that are requested so far, over the bytes in the file.
    private func beginDigests(of file: PartFile) throws(ContentError) {
        for algorithm in intake.wanted where others[algorithm] == nil {
            let other = RunningDigest(RunningDigest.Algorithm(algorithm))
            if written > 0 {
                try unsafe file.readBack(length: written) { unsafe other.update($0) }
            }
            others[algorithm] = other
        }
    }
}
