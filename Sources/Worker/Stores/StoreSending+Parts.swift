// Sends the parts of an upload, several at once.
internal import Base
internal import Content
internal import Crypto
internal import Downloads
internal import ObjectStores
internal import Platform
internal import Synchronization
internal import Transfers

/// The parts of an upload that is being sent.
private final class PartBoard: Sendable {
    private struct State {
        var missing: [Int]
        var done: [StoredPart]
        var failure: StoreFailure?
    }

    private let state: Mutex<State>

    init(missing: [Int], done: [StoredPart]) {
        state = Mutex(State(missing: missing.reversed(), done: done))
    }

    /// The next missing part; nil for none, and after a failure.
    func take() -> Int? { state.withLock { $0.failure == nil ? $0.missing.popLast() : nil } }

    func note(_ result: Result<StoredPart, StoreFailure>) {
        state.withLock { state in
            switch result {
            case .success(let part): state.done.append(part)
            case .failure(let failure): state.failure = state.failure ?? failure
            }
        }
    }

    /// All parts by number, or the first failure.
    func result(of count: Int) -> Result<[StoredPart], StoreFailure> {
        state.withLock { state in
            if let failure = state.failure { return .failure(failure) }
            guard state.done.count == count else {
                return .failure(StoreFailure(.cancelled, "the file was not sent to its end"))
            }
            return .success(state.done.sorted { $0.number < $1.number })
        }
    }
}

/// Counts the bytes of one request as sent, so that they can be taken back.
final class SentCount: Sendable {
    private let run: AttemptRun
    private let bytes = Atomic<Int64>(0)

    init(_ run: AttemptRun) { self.run = run }

    func add(_ count: Int64) {
        bytes.add(count, ordering: .relaxed)
        run.tryBytes.add(count, ordering: .relaxed)
        run.sentBytes.add(count, ordering: .relaxed)
    }

    /// Takes the bytes back from the progress; they stay in what was sent.
    func undo() {
        run.tryBytes.subtract(bytes.exchange(0, ordering: .relaxed), ordering: .relaxed)
    }
}

extension StoreSending {
    /// The most bytes that are digested in one step, for which another file of the lane waits.
    private static let stepBytes: Int64 = 4 << 20

    private var plan: PartPlan {
        let partBytes = run.handle { $0.upload?.partBytes }
        return partBytes.map { PartPlan(length: body.length, partBytes: $0) }
            ?? PartPlan(length: body.length)
    }

    /// The parts of a list that have the right length and, where the store tells it, the checksum
    /// of the file's bytes.
    ///
    /// SeaweedFS does not tell the SHA-256 of a part, but demands it at the end.
    func usable(_ list: [StoredPart]) async -> [StoredPart] {
        let plan = plan
        var parts: [StoredPart] = []
        for part in list {
            guard let range = plan.range(of: part.number), Int64(range.count) == part.length else {
                continue
            }
            var part = part
            if part.checksum != nil || store.location.checksum == .sha256 {
                guard let digest = await digested(range),
                    part.checksum == nil || part.checksum == text(of: digest)
                else { continue }
                part.checksum = text(of: digest)
            }
            parts.append(part)
        }
        return parts
    }

    private func text(of digest: PartDigests) -> String? {
        switch store.location.checksum {
        case .sha256: return Base64.encode(digest.sha256)
        case .crc64nvme:
            return digest.crc64.map { crc in
                Base64.encode((0..<8).map { UInt8(truncatingIfNeeded: crc >> (56 - 8 * $0)) })
            }
        case .none: return nil
        }
    }

    /// Sends the parts that are not there.
    ///
    /// - Parameters:
    ///   - upload: the upload.
    ///   - known: the parts that are there.
    /// - Returns: all parts by number.
    func sendParts(
        of upload: UploadName, _ known: [StoredPart]
    ) async -> Result<[StoredPart], StoreFailure> {
        let plan = plan
        let there = Set(known.map(\.number))
        let missing = (1...plan.count).filter { !there.contains($0) }
        let board = PartBoard(missing: missing, done: known)
        run.tryBytes.store(known.reduce(0) { $0 + $1.length }, ordering: .relaxed)
        let width = min(run.partsAtOnce, missing.count)
        run.state.withLock { $0.partsAtOnce = Int64(max(1, width)) }
        defer { run.state.withLock { $0.partsAtOnce = 1 } }
        await withDiscardingTaskGroup { group in
            for _ in 0..<width {
                group.addTask { await sendNext(of: upload, plan, board) }
            }
        }
        return board.result(of: plan.count)
    }

    private func sendNext(of upload: UploadName, _ plan: PartPlan, _ board: PartBoard) async {
        while !call.isCancelled, let number = board.take() {
            guard let range = plan.range(of: number), let digest = await digested(range) else {
                return board.note(
                    .failure(StoreFailure(.damaged, "the file could not be read")))
            }
            let result = await sendPart(number, of: upload, range, digest)
            if case .success = result { run.handle { $0.hasSentMore = true } }
            board.note(result)
        }
    }

    private func sendPart(
        _ number: Int, of upload: UploadName, _ range: Range<Int64>, _ digest: PartDigests
    ) async -> Result<StoredPart, StoreFailure> {
        var tries = 0
        while true {
            tries += 1
            let count = SentCount(run)
            let content = content(range, sha256: digest.sha256, crc64: digest.crc64, count)
            let result = await asked("put_part") { () throws(StoreFailure) in
                try await store.putPart(number, of: upload, content, call)
            }
            guard case .failure(let failure) = result else { return result }
            count.undo()
            // A store that asks for a pause gets it, by the end of the attempt.
            guard failure.kind == .again || failure.kind == .unknown, !failure.asksForPause,
                !failure.isUnreachable, tries < StoreSending.triesAtMost, !call.isCancelled
            else { return result }
            await Alarm().wait(upTo: .milliseconds(100 << tries))
        }
    }

    /// The body of a request with a range of the file.
    func content(
        _ range: Range<Int64>, sha256: [UInt8], crc64: UInt64?, _ count: SentCount
    ) -> StoreBody {
        let (file, lane) = (body.file, run.path.lane.files)
        return StoreBody(length: Int64(range.count), sha256: sha256, crc64: crc64) { resume in
            count.undo()
            let source = PartSource(file, range: range, on: lane, resume: resume).source
            return unsafe TransferSource(
                length: source.length,
                read: { room in
                    let answer = unsafe source.read(room)
                    if case .bytes(let bytes) = answer { count.add(Int64(bytes)) }
                    return answer
                },
                rewind: {
                    count.undo()
                    return source.rewind()
                })
        }
    }

    /// The digests of a range of the file; nil if it cannot be read.
    func digested(_ range: Range<Int64>) async -> PartDigests? {
        let digest = RangeDigest(
            of: body.file, withCRC: store.location.checksum == .crc64nvme,
            on: run.path.lane.digests ?? run.path.lane.files)
        var place = range.lowerBound
        while place < range.upperBound {
            let goal = min(range.upperBound, place + StoreSending.stepBytes)
            guard await digest.add(place..<goal) else { return nil }
            place = goal
        }
        return await digest.finish()
    }
}

/// The digests of a part.
struct PartDigests: Sendable {
    let sha256: [UInt8]
    /// CRC-64/NVME, where the store wants it.
    let crc64: UInt64?
}

/// Digests a range of a file in steps, on a lane.
private actor RangeDigest {
    private let file: CompletedPart
    private let lane: QueueExecutor
    private let sha256 = RunningDigest(.sha256)
    private let crc64: RunningDigest?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe lane.asUnownedSerialExecutor()
    }

    init(of file: CompletedPart, withCRC: Bool, on lane: QueueExecutor) {
        self.file = file
        self.lane = lane
        crc64 = withCRC ? RunningDigest(.crc64nvme) : nil
    }

    /// Adds the next bytes.
    ///
    /// - Returns: whether they could be read.
    func add(_ range: Range<Int64>) -> Bool {
        guard let part = file.part else { return false }
        do throws(ContentError) {
            try unsafe part.readBack(from: range.lowerBound, length: range.upperBound) { piece in
                unsafe sha256.update(piece)
                if let crc64 { unsafe crc64.update(piece) }
            }
            return true
        } catch {
            return false
        }
    }

    func finish() -> PartDigests {
        PartDigests(
            sha256: sha256.finished(),
            crc64: crc64.map { $0.finished().reduce(0) { $0 << 8 | UInt64($1) } })
    }
}

extension StoreFailure {
    /// Whether the store asks for fewer requests.
    fileprivate var asksForPause: Bool { status == 503 || status == 429 || wait != nil }
}
