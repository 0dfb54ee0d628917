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
    let instance: String
    let clock: DatabaseClock
}

/// One attempt; created for a claim, run once.
final class Attempt: Sendable {
    private struct State {
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
        var timings = TransferTimings()
        var status: Int?
    }

    let claim: ClaimedDownload
    private let tools: AttemptTools
    private let writer: PartWriter
    private let state = Mutex(State())

    init(_ claim: ClaimedDownload, tools: AttemptTools) {
        self.claim = claim
        self.tools = tools
        let id = claim.download.id
        writer = PartWriter(
            name: ContentName(id: id.hexadecimal, fence: claim.fence), store: tools.content,
            lane: tools.lanes[Int(id.low % UInt64(tools.lanes.count))])
    }

    /// Tells the attempt to stop; the first order counts, but the client's word comes before ours.
    func stop(_ order: RunOrder) {
        let transfer = state.withLock { state -> TransferID? in
            if state.order == nil || order == .cancel { state.order = order }
            return state.transfer
        }
        if let transfer { tools.engine.cancel(transfer) }
    }

    /// Bytes of the file that are here, and the whole length where it is known.
    var progress: (received: Int64, total: Int64?) {
        let position = writer.intake.position
        return (position.start + position.taken, state.withLock { $0.total })
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

    /// Removes the attempt's file.
    func discard() async { await writer.discard() }

    /// What the attempt's record says beside its times.
    var detail: JSONObject {
        state.withLock { state in
            var object: JSONObject = [
                "resumed_from": .integer(state.resumedFrom),
                "bytes_discarded": .integer(state.discarded),
            ]
            object["discard_reason"] = state.discardReason.map { .string($0) }
            object["http_status"] = state.status.map { .integer(Int64($0)) }
            object["lookup_us"] = .integer(state.timings.lookup)
            object["connect_us"] = .integer(state.timings.connect)
            object["tls_us"] = .integer(state.timings.tls)
            object["first_byte_us"] = .integer(state.timings.firstByte)
            object["total_us"] = .integer(state.timings.total)
            return object
        }
    }

    /// The resource's `resume` member: nil when nothing was kept before this attempt.
    var resumeSummary: JSON? {
        state.withLock { state in
            guard claim.resume != nil || state.discarded > 0 else { return nil }
            return [
                "outcome": .string(state.discarded > 0 ? "restarted" : "continued"),
                "reason": state.discardReason.map { .string($0) } ?? .null,
                "bytes_discarded": .integer(state.discarded),
            ]
        }
    }

    /// Performs the attempt.
    func run() async -> AttemptReport {
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: claim.download.url)
        } catch {
            let failure = DownloadFailure(
                .permanent, code: "unsupported_url", detail: "\(error)", isRetryable: false)
            return .failed(failure, kept: nil, retryAfter: nil)
        }
        var plan = await prepare()
        // The first question, one without If-Range, one for everything: no answer leads further.
        for _ in 0..<3 {
            if let order = state.withLock({ $0.order }) { return await stopped(order) }
            let result = await ask(url, plan)
            switch state.withLock({ $0.decision }) {
            case .refuseThenWhole(let reason):
                noteDiscard(reason)
                plan = .whole
            case .refuseThenPlainRange:
                guard case .from(var point) = plan else { return await conclude(result, plan) }
                point.usesPlainRange = true
                plan = .from(point)
            default:
                return await conclude(result, plan)
            }
        }
        let failure = DownloadFailure(
            .network, code: "bad_server_response", detail: "the origin's ranges make no sense",
            isRetryable: true)
        return .failed(failure, kept: nil, retryAfter: nil)
    }

    private func prepare() async -> ResumePlan {
        let plan = ResumePlan(
            claim.resume, instance: tools.instance,
            hasDigest: claim.download.spec.expectedDigest != nil)
        guard case .from(let point) = plan else {
            if let point = claim.resume, point.offset > 0 {
                let isHere = point.instance == tools.instance
                noteDiscard(
                    isHere
                        ? "the origin gave no validator" : "the bytes are on another replica",
                    bytes: point.offset)
            }
            return .whole
        }
        state.withLock { $0.restarts = point.restarts }
        guard await writer.adopt(fence: point.fence, length: point.offset) else {
            noteDiscard("the part file is gone", bytes: point.offset)
            return .whole
        }
        state.withLock { state in
            state.resumedFrom = point.offset
            state.total = point.total
        }
        writer.intake.start(at: point.offset)
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

    private func ask(_ url: SourceURL, _ plan: ResumePlan) async -> TransferResult {
        let id = TransferID()
        state.withLock { state in
            state.transfer = id
            state.decision = nil
        }
        var request = TransferRequest(url: url)
        request.idleTimeout = .seconds(claim.download.spec.requestTimeout)
        request.totalTimeout = max(.seconds(1), claim.deadline - tools.clock.now)
        let expected = claim.download.bytesExpectedByClient ?? .max
        request.bufferBytes = expected <= 262_144 ? 16_384 : 131_072
        if case .from(let point) = plan {
            request.rangeStart = point.offset
            request.ifRange = point.usesPlainRange ? nil : point.ifRange
        }
        let engine = tools.engine
        let writer = writer
        await writer.resumeTransfer { engine.resume(id) }
        let sink = TransferSink(
            begin: { head in self.judge(head, plan) },
            receive: { bytes in
                let (answer, drains) = unsafe writer.intake.take(bytes)
                if drains { Task { await writer.drain() } }
                return answer
            })
        // An order that came before the transfer had its name finds it now.
        if state.withLock({ $0.order }) != nil { engine.cancel(id) }
        let result = await engine.run(request, id: id, into: .sink(sink))
        state.withLock { state in
            state.timings = result.timings
            state.status = result.head?.status
        }
        return result
    }

    /// Runs on libcurl's thread, before the first byte.
    private func judge(_ head: ResponseHead, _ plan: ResumePlan) -> TransferSink.Answer {
        let facts = ResponseFacts(head)
        let decision = ResumeRules.judge(plan, facts)
        state.withLock { state in
            state.decision = decision
            state.facts = facts
        }
        switch decision {
        case .fromStart(let reason):
            if let reason { noteDiscard(reason) } else { writer.intake.start(at: 0) }
            let length = facts.contentLength
            state.withLock { $0.total = length }
            if let length { Task { await writer.reserve(bytes: length) } }
            return .taken
        case .append(let offset):
            writer.intake.start(at: offset)
            state.withLock { state in
                state.wasWhole = false
                state.total = head.framing.contentRange?.total ?? state.total
            }
            return .taken
        case .notContent:
            return .abort(reason: "no content")
        case .alreadyWhole, .refuseThenWhole, .refuseThenPlainRange, .ambiguous:
            return .abort(reason: "answer refused")
        }
    }
}

extension Attempt {
    /// Where a later attempt may go on.
    private func resumePoint(durable: Int64) -> ResumePoint? {
        guard durable > 0 else { return nil }
        let (facts, total, restarts) = state.withLock { ($0.facts, $0.total, $0.restarts) }
        if let facts, facts.status == 200 || facts.status == 206 {
            return ResumePoint(
                offset: durable, fence: claim.fence, instance: tools.instance, facts: facts,
                total: total, restarts: restarts, now: tools.clock.now)
        }
        // Nothing came that says otherwise: what was known of the earlier bytes still holds.
        guard var point = claim.resume, point.offset == durable else { return nil }
        point.fence = claim.fence
        return point
    }

    private func stopped(_ order: RunOrder) async -> AttemptReport {
        switch order {
        case .cancel, .abandon:
            await writer.discard()
            return .stopped(order, kept: nil)
        case .suspend, .release:
            return .stopped(order, kept: await checkpoint())
        }
    }

    private func conclude(_ result: TransferResult, _ plan: ResumePlan) async -> AttemptReport {
        let (order, decision) = state.withLock { ($0.order, $0.decision) }
        switch (result.outcome, decision) {
        case (.completed(let isVerified), .fromStart), (.completed(let isVerified), .append):
            return await verify(result, isLengthVerified: isVerified)
        case (_, .alreadyWhole):
            return await verify(result, isLengthVerified: true)
        case (_, .notContent):
            let status = result.head?.status ?? 0
            return .failed(
                AttemptVerdict.failure(status: status), kept: await checkpoint(),
                retryAfter: result.head?.retryAfter.flatMap {
                    RetryAfter.parse($0, now: tools.clock.now)
                })
        case (_, .ambiguous(let reason)):
            let failure = DownloadFailure(
                .network, code: "bad_server_response",
                detail: "the origin's answer contradicts itself: \(reason)", isRetryable: true)
            return .failed(failure, kept: await checkpoint(), retryAfter: nil)
        case (.failed(let failure), _):
            if let order { return await stopped(order) }
            if let write = await writer.writeFailure { return await notWritten(write) }
            return .failed(
                DownloadFailure(failure), kept: await checkpoint(), retryAfter: nil)
        case (.completed, _):
            preconditionFailure("a completed transfer was judged before its first byte")
        }
    }

    private func verify(
        _ result: TransferResult, isLengthVerified: Bool
    ) async -> AttemptReport {
        let body: (part: PartFile, length: Int64, sha256: String)
        do throws(ContentError) {
            body = try await writer.complete()
        } catch {
            return await notWritten(error)
        }
        let (total, wasWhole) = state.withLock { ($0.total, $0.wasWhole) }
        if let total, total != body.length {
            await writer.discard()
            let failure = DownloadFailure(
                .network, code: "size_mismatch",
                detail: "\(body.length) bytes came, \(total) were announced", isRetryable: true)
            return .failed(failure, kept: nil, retryAfter: nil)
        }
        if let expected = claim.download.spec.expectedDigest, expected.hexadecimal != body.sha256 {
            await writer.discard()
            // Bytes of two attempts may belong to two versions: once from the start decides.
            let failure = DownloadFailure(
                .permanent, code: "digest_mismatch",
                detail: "the file's digest is sha256:\(body.sha256)", isRetryable: !wasWhole)
            return .failed(failure, kept: nil, retryAfter: nil)
        }
        return .complete(
            CompleteBody(
                part: body.part, length: body.length, sha256: body.sha256,
                isLengthVerified: isLengthVerified, head: result.head))
    }

    private func notWritten(_ error: ContentError) async -> AttemptReport {
        await writer.discard()
        let isFull = error.code == .noSpace
        let failure = DownloadFailure(
            .internal, code: isFull ? "insufficient_storage" : "cannot_write_to_file",
            detail: isFull ? "the disk is full" : "the file could not be written",
            isRetryable: true)
        return .failed(failure, kept: nil, retryAfter: nil)
    }
}
