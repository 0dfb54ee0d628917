// One attempt of one download: ask, judge the answer, write, verify.
internal import Content
internal import Core
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

/// How an attempt ended, before the verdict; boxed, because what waits for it waits long.
indirect enum AttemptReport: Sendable {
    /// The bytes are in the file and verified; not yet published.
    case complete(CompleteBody)
    /// It did not work.
    case failed(DownloadFailure, kept: ResumePoint?, retryAfter: Duration?)
    /// The disk had no room for it.
    case outOfRoom(kept: ResumePoint?)
    /// It was stopped by an order.
    case stopped(RunOrder, kept: ResumePoint?)
}

/// A whole and verified body.
struct CompleteBody: Sendable {
    let part: PartFile
    let length: Int64
    let sha256: String
    let isLengthVerified: Bool
    let head: ResponseHead?
}

/// The pieces that every attempt of a replica uses.
struct AttemptTools: Sendable {
    let engine: TransferEngine
    let content: ContentStore
    let lanes: [WriteLane]
    /// What fast transfers gather bytes in.
    let blocks = BlockPool.large()
    /// What slow transfers gather bytes in.
    var smallBlocks = BlockPool.small()
    let instance: String
    let clock: DatabaseClock
    var minimumFree: Int64?
    var segmentsAtLeast: Int64 = 64 << 20
    var stealsAbove: Int64 = 16 << 20
    /// The least that an answer has to bring; nil for no bound.
    var lowSpeed: LowSpeed?
    /// Seconds for a download that does not say how long its content is kept.
    var contentRetention = DeploymentDefaults.standard.contentRetention
    /// What a download is asked for with.
    var request: @Sendable (ClaimedDownload) async -> Result<AttemptRequest, DownloadFailure> =
        { claim in
            do throws(DownloadFailure) {
                return .success(try AttemptRequest(claim.download.spec.request))
            } catch {
                return .failure(error)
            }
        }
}

/// One attempt; created for a claim, run once.
final class Attempt: Sendable {
    struct State {
        var order: RunOrder?
        var transfer: TransferID?
        var decision: BodyDecision?
        /// What was said of the bytes that this attempt took; nil before it took any answer.
        var claims: RepresentationClaims?
        var taken = TakenAnswer()
        var partDigests: [PartDigest] = []
        var total: Int64?
        var restarts: Int64 = 0
        var discarded: Int64 = 0
        var discardReason: String?
        var isRestarted = false
        var resumedFrom: Int64 = 0
        /// Bytes that are here when the next question is asked.
        var bytesHere: Int64 = 0
        /// Bytes that an answer barred the way on from, and why; thrown away when the whole comes.
        var barred: (point: ResumePoint, reason: String)?
        /// Whether a part was taken that ends before the whole does.
        var hasPart = false
        /// Whether `url` was asked again for a fresh place.
        var askedAgain = false
        var wasWhole = true
        var rowNamesBytes = false
        var timings = TransferTimings()
        var phase: TransferPhase?
        /// What libcurl or the engine said of the transfer's end; nil after a good one.
        var words: String?
        var excerpt: [UInt8] = []
        var isExcerptCut = false
        var mismatches: Int64 = 0
        var status: Int?
        var isEnding = false
        var reserved: Int64 = 0
        var limit: Int64?
        /// When the download's time is over, if a client has moved that since the claim.
        var deadline: Timestamp?
        var toldEvents: Int64 = 0
        var segments: Segments?
        var segmentsTask: Task<Void, Never>?
        /// Whether a request that must not be sent twice may have reached the origin.
        var isUnrepeatable = false
        /// What is known of the mirrors; nil with one URL.
        var mirrors: MirrorBook?
    }

    let claim: ClaimedDownload
    let tools: AttemptTools
    let writer: PartWriter
    /// Where its file is written.
    let lane: WriteLane
    let state = Mutex(State())
    /// Whether it gets small buffers.
    let isSlow: Bool

    /// Writes at once where a later attempt may go on, nil for nowhere; false if that failed.
    let remember: @Sendable (ResumePoint?) async -> Bool
    /// Takes further places under the limits; answers how many there was room for.
    let widen: @Sendable (Int) async -> Int
    /// Notes that a request goes out that must not be sent twice; false if that failed.
    let markSent: @Sendable () async -> Bool

    init(
        _ claim: ClaimedDownload, tools: AttemptTools, isSlow: Bool = false,
        widen: @escaping @Sendable (Int) async -> Int = { _ in 0 },
        markSent: @escaping @Sendable () async -> Bool = { true },
        remember: @escaping @Sendable (ResumePoint?) async -> Bool
    ) {
        self.claim = claim
        self.tools = tools
        self.widen = widen
        self.markSent = markSent
        self.remember = remember
        self.isSlow = isSlow
        let id = claim.download.id
        lane = tools.lanes[Int(id.low % UInt64(tools.lanes.count))]
        writer = PartWriter(
            name: ContentName(download: id, fence: claim.fence), store: tools.content,
            lane: lane.files, digestLane: lane.digests,
            blocks: isSlow ? tools.smallBlocks : tools.blocks,
            minimumFree: tools.minimumFree)
        let mirrors = claim.mirrors
        state.withLock { state in
            state.limit = claim.download.spec.maxBytesPerSecond
            state.mirrors = mirrors
        }
    }

    /// Takes another limit in bytes a second; nil for none.
    func limit(to limit: Int64?) {
        let (transfer, segments) = state.withLock { state -> (TransferID?, Segments?) in
            guard state.limit != limit else { return (nil, nil) }
            state.limit = limit
            return (state.transfer, state.segments)
        }
        if limit != nil { segments?.stop() }
        if let transfer { tools.engine.limit(transfer, to: limit) }
    }

    /// Tells the attempt to stop; the first order counts, but the client's word comes before ours.
    func stop(_ order: RunOrder) {
        let (transfer, segments) = state.withLock { state in
            if state.order == nil || order == .cancel { state.order = order }
            return (state.transfer, state.segments)
        }
        segments?.stop()
        if let transfer { tools.engine.cancel(transfer) }
    }

    /// Bytes of the file that are here, and the whole length where it is known.
    var progress: (received: Int64, total: Int64?) {
        let (segments, total) = state.withLock { ($0.segments, $0.total) }
        let position = writer.intake.position
        return (segments?.received ?? position.start + position.taken, total)
    }

    /// Bytes that it still expects and that are not reserved on the disk; 0 if nobody knows.
    var need: Int64 {
        let received = progress.received
        return state.withLock { state in
            guard !state.isEnding else { return 0 }
            let whole = state.total ?? claim.total ?? claim.download.bytesExpectedByClient ?? 0
            return max(0, whole - max(state.reserved, received))
        }
    }

    /// Makes what is here durable.
    ///
    /// - Returns: where a later attempt may go on; nil if that would not be worth it.
    func checkpoint() async -> ResumePoint? {
        do throws(ContentError) {
            let durable = try await writer.checkpoint()
            return resumePoint(durable: durable)
        } catch {
            return nil
        }
    }

    /// Bytes written since the last checkpoint.
    var unsynced: Int64 { writer.unsynced }

    /// True once the attempt has ended and waits to be recorded.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// The number of the download's last event, this attempt's progress events included.
    var sequence: Int64 {
        claim.download.sequence + state.withLock { $0.toldEvents }
    }

    /// Counts a progress event if there is one.
    func nextSequence(isTold: Bool) -> Int64 {
        if isTold { state.withLock { $0.toldEvents += 1 } }
        return sequence
    }

    /// When the download's time is over.
    var deadline: Timestamp { state.withLock { $0.deadline } ?? claim.deadline }

    /// Takes another end of the download's time.
    func move(deadline: Timestamp) { state.withLock { $0.deadline = deadline } }

    /// Removes the attempt's file.
    func discard() async { await writer.discard() }

    /// What the attempt's record says beside its times.
    var detail: AttemptDetail {
        state.withLock { state in
            var detail = AttemptDetail()
            detail.url = claim.address
            detail.resumedFrom = state.resumedFrom
            detail.bytesDiscarded = state.discarded
            detail.discardReason = state.discardReason
            detail.httpStatus = state.status
            detail.phase = state.phase?.rawValue
            detail.transportError = state.words
            detail.excerpt = Attempt.excerpt(state.excerpt, isCut: state.isExcerptCut)
            detail.lookupTime = state.timings.lookup
            detail.connectTime = state.timings.connect
            detail.tlsTime = state.timings.tls
            detail.firstByteTime = state.timings.firstByte
            if let segments = state.segments, segments.isCut { detail.streams = segments.most }
            detail.totalTime = state.timings.total
            return detail
        }
    }

    /// The resource's `resume` member: nil when nothing was here before this attempt.
    var resumeSummary: ResumeSummary? {
        state.withLock { state in
            let hadBytes = claim.resume?.offset ?? 0 > 0
            guard hadBytes || state.discarded > 0 else { return nil }
            return ResumeSummary(
                outcome: state.isRestarted || !hadBytes ? .restarted : .continued,
                reason: state.discardReason, bytesDiscarded: state.discarded)
        }
    }

    /// Performs the attempt.
    func run() async -> AttemptReport {
        let report = await perform()
        state.withLock { $0.isEnding = true }
        return report
    }

    private func perform() async -> AttemptReport {
        let question: Question
        switch await self.question() {
        case .asks(let value): question = value
        case .ends(let report): return report
        }
        question.turn(to: await prepare())
        // The first question, one for what several streams left out, one without If-Range, one for
        // everything, one for a fresh place: no answer leads further. Each part leads on.
        var left = Attempt.questionsAtMost
        for _ in 0..<Attempt.partsAtMost {
            if let order = state.withLock({ $0.order }) { return await stopped(order) }
            guard await isNoted(question.request) else { return .stopped(.abandon, kept: nil) }
            if let report = await conclude(await ask(question), of: question) { return report }
            left = takesPart() ? Attempt.questionsAtMost : left - 1
            guard left > 0 else { break }
        }
        return .failed(.senselessRanges, kept: await keep(), retryAfter: nil)
    }

    private static let questionsAtMost = 5
    /// So many parts of an origin that sends less than it is asked for; then another attempt.
    private static let partsAtMost = 4096

    private func takesPart() -> Bool {
        state.withLock { state in
            defer { state.hasPart = false }
            return state.hasPart
        }
    }

    /// A request that must not be sent twice is noted before it is sent, for the case that nobody
    /// is left to tell what came of it.
    private func isNoted(_ request: AttemptRequest) async -> Bool {
        request.isRepeatable ? true : await markSent()
    }

    private func prepare() async -> ResumePlan {
        state.withLock { state in
            state.rowNamesBytes = claim.resume?.offset ?? 0 > 0
            state.restarts = claim.resume?.restarts ?? 0
            state.mismatches = claim.resume?.mismatches ?? 0
        }
        if let most = mostBytes { writer.intake.bound(to: most) }
        noteLoss()
        let plan = ResumePlan(
            claim.resume, instance: tools.instance,
            hasDigest: claim.download.spec.expectedDigest != nil)
        guard case .from(let point) = plan else {
            if let point = claim.resume, point.offset > 0 {
                let isHere = point.instance == tools.instance
                // Its file becomes this attempt's, so that it is nobody's orphan.
                if isHere { _ = await writer.adopt(fence: point.fence, length: 0) }
                noteDiscard(
                    point.void
                        ?? (isHere
                            ? "the origin gave no validator" : "the bytes are on another replica"),
                    bytes: point.offset)
            }
            return .whole
        }
        guard await writer.adopt(fence: point.fence, length: point.offset) else {
            noteDiscard("the part file is gone", bytes: point.offset)
            return .whole
        }
        state.withLock { state in
            state.resumedFrom = point.offset
            state.bytesHere = point.offset
            state.total = point.total
        }
        writer.intake.start(at: point.offset)
        // The file has another name now; a crash before this is written only costs the bytes.
        var moved = point
        moved.fence = claim.fence
        _ = await remember(moved)
        return plan
    }

    /// Bytes that an attempt brought and that were lost with it: what came after its last
    /// checkpoint.
    private func noteLoss() {
        let lost = claim.download.bytesReceived - (claim.resume?.offset ?? 0)
        guard lost > 0 else { return }
        state.withLock { state in
            state.discarded = lost
            state.discardReason = Attempt.lostWithAttempt
        }
    }

    /// Why bytes are gone after a crash.
    static let lostWithAttempt =
        "the attempt before was lost, and what it received after its last checkpoint"

    func noteDiscard(_ reason: String, bytes: Int64? = nil) {
        state.withLock { state in
            state.discarded += bytes ?? state.bytesHere
            state.discardReason = reason
            state.isRestarted = true
            state.restarts += 1
            state.resumedFrom = 0
            state.bytesHere = 0
            state.barred = nil
        }
        writer.intake.start(at: 0)
    }
}
