// One attempt of one download: ask, judge the answer, write, verify.
internal import Content
internal import Core
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

/// How an attempt ended, before the verdict.
enum AttemptReport: Sendable {
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
    let lanes: [QueueExecutor]
    /// Where digests are made, one for each file lane; none: on the file lanes.
    var digestLanes: [QueueExecutor] = []
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
        var facts: ResponseFacts?
        var total: Int64?
        var restarts: Int64 = 0
        var discarded: Int64 = 0
        var discardReason: String?
        var resumedFrom: Int64 = 0
        var wasWhole = true
        var rowNamesBytes = false
        var timings = TransferTimings()
        var phase: TransferPhase?
        var excerpt: [UInt8] = []
        var isExcerptCut = false
        var originDigest: ExpectedDigest?
        var mismatches: Int64 = 0
        var forgetsETag = false
        var status: Int?
        var isEnding = false
        var reserved: Int64 = 0
        var limit: Int64?
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
        let lane = Int(id.low % UInt64(tools.lanes.count))
        writer = PartWriter(
            name: ContentName(download: id, fence: claim.fence), store: tools.content,
            lane: tools.lanes[lane],
            digestLane: tools.digestLanes.isEmpty ? nil : tools.digestLanes[lane],
            blockBytes: isSlow ? BodyIntake.smallBlockBytes : BodyIntake.blockBytes,
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
    var unsynced: Int64 { get async { await writer.unsynced } }

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

    /// Removes the attempt's file.
    func discard() async { await writer.discard() }

    /// What the attempt's record says beside its times.
    var detail: JSONObject {
        state.withLock { state in
            var object: JSONObject = [
                "url": .string(claim.address),
                "resumed_from": .integer(state.resumedFrom),
                "bytes_discarded": .integer(state.discarded),
            ]
            object["discard_reason"] = state.discardReason.map { .string($0) }
            object["http_status"] = state.status.map { .integer(Int64($0)) }
            object["phase"] = state.phase.map { .string($0.rawValue) }
            object["excerpt"] = Attempt.excerpt(state.excerpt, isCut: state.isExcerptCut)
            object["lookup_us"] = .integer(state.timings.lookup)
            object["connect_us"] = .integer(state.timings.connect)
            object["tls_us"] = .integer(state.timings.tls)
            object["first_byte_us"] = .integer(state.timings.firstByte)
            if let segments = state.segments, segments.isCut {
                object["streams"] = .integer(Int64(segments.most))
            }
            object["total_us"] = .integer(state.timings.total)
            return object
        }
    }

    /// The resource's `resume` member: nil when nothing was kept before this attempt.
    var resumeSummary: JSON? {
        state.withLock { state in
            guard claim.resume?.offset ?? 0 > 0 || state.discarded > 0 else { return nil }
            return [
                "outcome": .string(state.discarded > 0 ? "restarted" : "continued"),
                "reason": state.discardReason.map { .string($0) } ?? .null,
                "bytes_discarded": .integer(state.discarded),
            ]
        }
    }

    /// Performs the attempt.
    func run() async -> AttemptReport {
        let report = await perform()
        state.withLock { $0.isEnding = true }
        return report
    }

    private func perform() async -> AttemptReport {
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: claim.address)
        } catch {
            let failure = DownloadFailure(
                .permanent, code: .unsupportedURL, detail: "\(error)", isRetryable: false)
            return .failed(failure, kept: nil, retryAfter: nil)
        }
        guard !claim.wasSent else {
            return .failed(RepeatRules.outcomeUnknown, kept: nil, retryAfter: nil)
        }
        let request: AttemptRequest
        switch await tools.request(claim) {
        case .success(let value): request = value
        // The bytes that are here stay as they are, under their old name.
        case .failure(let failure): return .failed(failure, kept: claim.resume, retryAfter: nil)
        }
        var plan = await prepare()
        // The first question, one for what several streams left out, one without If-Range, one for
        // everything: no answer leads further.
        for _ in 0..<4 {
            if let order = state.withLock({ $0.order }) { return await stopped(order) }
            guard await isNoted(request) else { return .stopped(.abandon, kept: nil) }
            let result = await ask(url, request, plan)
            if let point = await gather(result) {
                plan = .from(point)
                continue
            }
            if let reason = unreadableRange(result, plan) {
                noteDiscard(reason.text)
                plan = .whole
                continue
            }
            switch state.withLock({ $0.decision }) {
            case .refuseThenWhole(let reason):
                noteDiscard(reason.text)
                plan = .whole
            case .refuseThenDate(let otherETag):
                guard case .from(var point) = plan else { return await conclude(result, plan) }
                point.otherETag = otherETag
                plan = .from(point)
                state.withLock { $0.forgetsETag = true }
            case .refuseThenPlainRange:
                guard case .from(var point) = plan else { return await conclude(result, plan) }
                point.usesPlainRange = true
                plan = .from(point)
            default:
                return await conclude(result, plan)
            }
        }
        let failure = DownloadFailure(
            .network, code: .badServerResponse, detail: "the origin's ranges make no sense",
            isRetryable: true)
        return .failed(failure, kept: nil, retryAfter: nil)
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
        if let most = claim.download.spec.rules.maximumBytes { writer.intake.bound(to: most) }
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
            state.total = point.total
        }
        writer.intake.start(at: point.offset)
        // The file has another name now; a crash before this is written only costs the bytes.
        var moved = point
        moved.fence = claim.fence
        _ = await remember(moved)
        return plan
    }

    private func noteDiscard(_ reason: String, bytes: Int64? = nil) {
        state.withLock { state in
            state.discarded += bytes ?? state.resumedFrom
            state.discardReason = reason
            state.restarts += 1
            state.resumedFrom = 0
        }
        writer.intake.start(at: 0)
    }

    private func ask(
        _ url: SourceURL, _ asked: AttemptRequest, _ plan: ResumePlan
    ) async -> TransferResult {
        let id = TransferID()
        state.withLock { state in
            state.transfer = id
            state.decision = nil
        }
        var request = TransferRequest(url: url)
        asked.apply(to: &request)
        request.idleTimeout = .seconds(claim.download.spec.requestTimeout)
        request.lowSpeed = tools.lowSpeed?.over(atLeast: request.idleTimeout)
        request.totalTimeout = max(.seconds(1), claim.deadline - tools.clock.now)
        let expected = claim.download.bytesExpectedByClient ?? .max
        request.bufferBytes = isSlow || expected <= 262_144 ? 16_384 : 131_072
        request.rateScopes = [
            .session(claim.sessionKey), .origin(claim.originKey), .deployment,
        ]
        request.rank = Int(claim.download.schedulingClass.rawValue)
        request.maximumBytesPerSecond = state.withLock { $0.limit }
        let plain = request
        if case .from(let point) = plan {
            request.rangeStart = point.offset
            request.ifRange = point.usesPlainRange ? nil : point.ifRange
        }
        let engine = tools.engine
        let writer = writer
        writer.resumeTransfer { engine.resume(id) }
        let sink = unsafe TransferSink(
            begin: { head in
                let answer = self.judge(head, plan)
                if answer == .taken { self.considerSegments(head, plain) }
                return answer
            },
            receive: { bytes in unsafe self.receive(bytes) })
        // An order that came before the transfer had its name finds it now.
        if state.withLock({ $0.order }) != nil { engine.cancel(id) }
        let result = await engine.run(request, id: id, into: .sink(sink))
        state.withLock { state in
            state.timings = result.timings
            if case .failed = result.outcome { state.phase = result.phase }
            state.status = result.head?.status
            if result.wasSent, !asked.isRepeatable { state.isUnrepeatable = true }
        }
        return result
    }

    /// Takes room on the disk for the whole file, unless it is small.
    private func reserve(_ length: Int64) {
        guard length > Int64(BodyIntake.blockBytes) else { return }
        Task {
            guard await writer.reserve(bytes: length) else { return }
            state.withLock { $0.reserved = length }
        }
    }

    /// Runs on libcurl's thread, before the first byte.
    private func judge(_ head: ResponseHead, _ plan: ResumePlan) -> TransferSink.Answer {
        let facts = ResponseFacts(head)
        let decision = decide(plan, facts)
        state.withLock { state in
            state.decision = decision
            // A refused answer says nothing about the bytes that are here.
            switch decision {
            case .fromStart:
                state.facts = facts
                state.mirrors?.took(isContinued: false)
            case .append:
                state.facts = facts
                state.mirrors?.took(isContinued: true)
            default: break
            }
        }
        switch decision {
        case .fromStart(let reason):
            state.withLock { $0.segments }?.dissolve()
            let length = facts.contentLength
            let rowNamesBytes = state.withLock { state in
                state.total = length
                return state.rowNamesBytes
            }
            if let reason { noteDiscard(reason.text) } else { writer.intake.start(at: 0) }
            if let length { reserve(length) }
            guard rowNamesBytes else { return .taken }
            // The row must not name bytes of the old source once new ones are written over them.
            Task { await self.forgetKeptBytes() }
            return .pause
        case .append(let offset):
            writer.intake.start(at: offset)
            state.withLock { $0.segments }?.resume(at: offset)
            let total = state.withLock { state in
                state.wasWhole = false
                state.total = head.framing.contentRange?.total ?? state.total
                return state.total
            }
            if let total { reserve(total) }
            return .taken
        case .notContent:
            return .taken
        case .alreadyWhole, .refuseThenWhole, .refuseThenPlainRange, .refuseThenDate, .reject,
            .ambiguous:
            return .abort(reason: "answer refused")
        }
    }
}
