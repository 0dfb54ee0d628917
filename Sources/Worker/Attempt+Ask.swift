// What an attempt asks and what it does with the head of the answer.
//
// A download waits for most of its time in `ask`, and with it waits what all functions on the way
// there hold: what is large is boxed, or done by functions that are over by then.
internal import Content
internal import Core
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

/// What an attempt asks for: the same each time, but for the bytes that it need not send.
final class Question: Sendable {
    let url: SourceURL
    let request: AttemptRequest
    private let state = Mutex(ResumePlan.whole)

    init(_ url: SourceURL, _ request: AttemptRequest) {
        self.url = url
        self.request = request
    }

    /// From where.
    var plan: ResumePlan { state.withLock { $0 } }

    /// Asks for something else the next time.
    func turn(to plan: ResumePlan) { state.withLock { $0 = plan } }
}

extension Attempt {
    /// What comes of the preparations.
    indirect enum Start {
        case asks(Question)
        case ends(AttemptReport)
    }

    /// What to ask for.
    func question() async -> Start {
        if let end = refusal { return .ends(end) }
        return start(with: await tools.request(claim))
    }

    private var refusal: AttemptReport? {
        claim.wasSent ? .failed(RepeatRules.outcomeUnknown, kept: nil, retryAfter: nil) : nil
    }

    @inline(never) private func start(
        with request: Result<AttemptRequest, DownloadFailure>
    ) -> Start {
        let url: SourceURL
        do throws(SourceURLError) {
            url = try SourceURL(parsing: claim.address)
        } catch {
            let failure = DownloadFailure(
                .permanent, code: .unsupportedURL, detail: "\(error)", isRetryable: false)
            return .ends(.failed(failure, kept: nil, retryAfter: nil))
        }
        switch request {
        case .success(let value): return .asks(Question(url, value))
        // The bytes that are here stay as they are, under their old name.
        case .failure(let failure):
            return .ends(.failed(failure, kept: claim.resume, retryAfter: nil))
        }
    }

    /// What an answer leads to; nil if the question is to be asked anew.
    @inline(never) func conclude(
        _ result: TransferResult, of question: Question
    ) async -> AttemptReport? {
        let plan = question.plan
        let (decision, taken) = state.withLock { ($0.decision, $0.taken) }
        switch decision {
        case .fromStart, .append: noteDigests(result, range: taken.range)
        default: break
        }
        if let point = await gather(result) {
            question.turn(to: .from(point))
            return nil
        }
        if let reason = unreadableRange(result, plan) {
            bar(plan, reason)
            question.turn(to: .whole)
            return nil
        }
        switch (decision, plan) {
        case (.refuseThenWhole(let reason), _):
            bar(plan, reason)
            question.turn(to: .whole)
        case (.refuseThenPlainRange, .from(var point)):
            point.usesPlainRange = true
            question.turn(to: .from(point))
        case (.append, _) where writer.intake.isOverEnd:
            // Which of its bytes are the announced ones is anybody's guess.
            noteDiscard("the origin sent more bytes than its Content-Range says")
            question.turn(to: .whole)
        case (.append, _) where !taken.reachesEnd:
            return await goOn(after: taken, result, question)
        case (.notContent, _) where isMovedAway(result, question):
            state.withLock { $0.askedAgain = true }
        default:
            return await conclude(result, plan)
        }
        return nil
    }

    /// The way on from the bytes that are here is barred; they stay until the whole comes.
    private func bar(_ plan: ResumePlan, _ reason: DiscardReason) {
        guard let point = plan.point else { return }
        state.withLock { $0.barred = (point, reason.text) }
    }

    /// A part came that ends before the whole does: its bytes are kept, and the next are asked for.
    private func goOn(
        after taken: TakenAnswer, _ result: TransferResult, _ question: Question
    ) async -> AttemptReport? {
        guard case .completed = result.outcome, result.bodyBytes == taken.range.map(\.length) else {
            return await conclude(result, question.plan)
        }
        let segments = state.withLock { $0.segments }
        segments?.firstEnded()
        guard !(segments?.isComplete ?? false) else {
            return await conclude(result, question.plan)
        }
        guard let place = await writer.restart(), let point = resumePoint(durable: place) else {
            return await conclude(result, question.plan)
        }
        state.withLock { state in
            // A checkpoint may have named what came so far.
            state.rowNamesBytes = true
            state.bytesHere = place
            state.hasPart = true
        }
        question.turn(to: .from(point))
        return nil
    }

    /// Whether a redirect led to a place that refuses, as a signed URL does that is over: `url`
    /// may lead to a fresh one.
    private func isMovedAway(_ result: TransferResult, _ question: Question) -> Bool {
        guard let head = result.head, [401, 403, 404, 410].contains(head.status),
            head.chain.count > 1, question.request.isRepeatable
        else { return false }
        return !state.withLock { $0.askedAgain }
    }

    /// Asks, and takes the answer.
    func ask(_ question: Question) async -> TransferResult {
        let id = TransferID()
        state.withLock { state in
            state.transfer = id
            state.decision = nil
            state.excerpt = []
            state.isExcerptCut = false
        }
        writer.resumeTransfer { [engine = tools.engine] in engine.resume(id) }
        let (request, sink) = transfer(for: question)
        // An order that came before the transfer had its name finds it now.
        if state.withLock({ $0.order }) != nil { tools.engine.cancel(id) }
        let result = await tools.engine.run(request, id: id, into: .sink(sink))
        note(result, of: question)
        return result
    }

    @inline(never) private func transfer(
        for question: Question
    ) -> (TransferRequest, TransferSink) {
        let plan = question.plan
        var request = TransferRequest(url: question.url)
        question.request.apply(to: &request)
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
        let plain = claim.download.spec.segments > 1 ? request : nil
        if case .from(let point) = plan {
            request.rangeStart = point.offset
            request.ifRange = point.usesPlainRange ? nil : point.ifRange
        }
        let sink = unsafe TransferSink(
            begin: { head in
                let answer = self.judge(head, question.plan)
                if answer == .taken, let plain { self.considerSegments(head, plain) }
                return answer
            },
            receive: { bytes in unsafe self.receive(bytes) })
        return (request, sink)
    }

    @inline(never) private func note(_ result: TransferResult, of question: Question) {
        state.withLock { state in
            state.timings = result.timings
            state.words = nil
            switch result.outcome {
            case .completed: break
            case .failed(let failure):
                state.phase = result.phase
                state.words = failure.words
            case .cancelled, .refused: state.phase = result.phase
            }
            state.status = result.head?.status
            if result.wasSent, !question.request.isRepeatable { state.isUnrepeatable = true }
        }
    }

    /// Takes room on the disk for the whole file, unless it is small.
    private func reserve(_ length: Int64) {
        guard length > Int64(BodyIntake.blockBytes) else { return }
        // In line with the drains, so that no byte is written before.
        lane.drain(.soon, on: tools.engine) { [self] in
            guard writer.assumeIsolated({ $0.reserve(bytes: length) }) else { return }
            state.withLock { $0.reserved = length }
        }
    }

    /// Runs on libcurl's thread, before the first byte.
    private func judge(_ head: ResponseHead, _ plan: ResumePlan) -> TransferSink.Answer {
        let facts = ResponseFacts(head)
        let decision = decide(plan, facts)
        state.withLock { $0.decision = decision }
        take(facts, decision, plan)
        switch decision {
        case .fromStart(let reason):
            state.withLock { $0.segments }?.dissolve()
            let length = facts.contentLength
            let (rowNamesBytes, barred) = state.withLock { state in
                state.total = length
                return (state.rowNamesBytes, state.barred?.reason)
            }
            if let reason = reason?.text ?? barred {
                noteDiscard(reason)
            } else {
                writer.intake.start(at: 0)
            }
            if let length { reserve(length) }
            guard rowNamesBytes else { return .taken }
            // The row must not name bytes of the old source once new ones are written over them.
            Task { await self.forgetKeptBytes() }
            return .pause
        case .append(let offset):
            let (total, end) = state.withLock { state in
                state.wasWhole = false
                state.total = state.claims?.length ?? state.total
                return (state.total, state.taken.range?.upperBound)
            }
            writer.intake.start(at: offset, end: end ?? .max)
            state.withLock { $0.segments }?.resume(at: offset)
            if let total { reserve(total) }
            return .taken
        case .notContent:
            return .taken
        case .alreadyWhole, .refuseThenWhole, .refuseThenPlainRange, .reject, .ambiguous:
            return .abort(reason: "answer refused")
        }
    }
}

extension DownloadFailure {
    /// Asked in every way, the origin answers with parts that were not asked for.
    static let senselessRanges = DownloadFailure(
        .network, code: .badServerResponse, detail: "the origin's ranges make no sense",
        isRetryable: true)
}

extension Range<Int64> {
    fileprivate var length: Int64 { upperBound - lowerBound }
}
