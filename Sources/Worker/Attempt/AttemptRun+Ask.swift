// Sends a question of an attempt through the engine.
//
// A download spends most of its time in `ask`, and everything that the callers hold stays in memory
// meanwhile: large values are boxed, or handled by functions that have returned by then.
internal import Base
internal import Downloads
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

extension AttemptRun {
    /// Sends the question, and takes the answer.
    @inline(never) func ask(_ question: AttemptQuestion) async -> AttemptAction {
        guard let id = begin() else { return handle { $0.cannotAsk() } }
        // An order that came before the transfer had its identifier can find it from here on.
        if handle({ $0.order }) != nil { tools.engine.cancel(id) }
        let result = await tools.engine.run(id) { transfer(for: question) }
        path.segments?.firstEnded()
        return ended(result, await path.trouble)
    }

    /// The identifier of the next transfer; nil if there is no prepared request.
    private func begin() -> TransferID? {
        let id = TransferID()
        let isPrepared = state.withLock { state in
            state.transfer = id
            state.facts = nil
            return state.prepared != nil
        }
        path.begin(id)
        return isPrepared ? id : nil
    }

    @inline(never) private func ended(
        _ result: TransferResult, _ trouble: WriteTrouble?
    ) -> AttemptAction {
        var end = TransferEnd(result, facts: state.withLock { $0.facts })
        end.body = path.end(trouble)
        if let url = result.head?.url,
            state.withLock({ $0.prepared?.request.secrets })?.withholds(from: url) == true
        {
            end.facts?.lacksCredentials = true
        }
        end.facts?.saysExpired = SignedURL.saysExpired(path.excerpt.bytes)
        let excerpt = path.isExcerptContent ? nil : excerpt()
        let now = tools.clock.now
        return state.withLock { state in
            state.record.note(result, excerpt)
            if result.wasSent { state.sent += Int64(state.prepared?.request.body?.count ?? 0) }
            state.head = result.head
            return state.machine.ended(end, now: now)
        }
    }

    /// The beginning of the last answer, with secrets removed.
    func excerpt() -> AttemptDetail.Excerpt? {
        path.excerpt.detail(
            hiding: state.withLock { $0.prepared?.request.mask } ?? SecretMask(headers: []))
    }

    private func transfer(for question: AttemptQuestion) -> (TransferRequest, ByteDestination) {
        let (prepared, limit) = state.withLock { ($0.prepared, $0.limit) }
        guard let prepared else { preconditionFailure("asked with nothing") }
        var request = TransferRequest(url: prepared.url)
        prepared.request.apply(to: &request)
        if tools.settings.tracesOrigins, let trace = claim.download.shared.value.traceparent {
            request.addTrace(trace)
        }
        request.idleTimeout = .seconds(claim.download.shared.value.requestTimeout)
        request.lowSpeed = tools.settings.lowSpeed?.over(atLeast: request.idleTimeout)
        request.totalTimeout = max(.seconds(1), deadline - tools.clock.now)
        let expected = claim.download.bytesExpectedByClient ?? .max
        request.bufferBytes = isSlow || expected <= 262_144 ? 16_384 : 131_072
        request.rateScopes = rateScopes
        let clock = tools.clock
        request.redirectWait = { head in
            ToldFields(head).wait(status: head.status, method: .get, now: clock.now)?.bounded
        }
        request.rank = Int(claim.download.schedulingClass.rawValue)
        request.maximumBytesPerSecond = limit
        if claim.download.shared.value.segments > 1 {
            let plain = request
            state.withLock { $0.plain = plain }
        }
        request.rangeStart = question.start
        request.ifRange = question.ifRange
        request.addCondition(of: question)
        let sink = unsafe TransferSink(
            begin: { head in self.judge(head) },
            receive: { bytes in unsafe self.path.receive(bytes) })
        return (request, .sink(sink))
    }

    /// Runs on libcurl's thread, before the first byte.
    ///
    /// - Parameter head: the answer's.
    /// - Returns: whether libcurl continues, pauses, or ends the transfer.
    private func judge(_ head: ResponseHead) -> TransferSink.Answer {
        // Other downloads wait for this news, and a body may take long.
        if claim.announcesReach { owner.reached() }
        let facts = ResponseFacts(head)
        let now = tools.clock.now
        let verdict = state.withLock { state in
            state.facts = facts
            let verdict = state.machine.headArrived(facts, now: now)
            // In one step with the decision, so that a checkpoint sees both or neither.
            if case .take(let place) = verdict { path.set(place) }
            return verdict
        }
        switch verdict {
        case .refuse: return .abort(reason: "answer refused")
        case .excerpt:
            path.takeExcerpt()
            return .taken
        case .take(let place):
            path.take(place)
            if let offer = place.segments, let plain = state.withLock({ $0.plain }) {
                begin(offer, plain)
            }
            guard place.forgetsRow else { return .taken }
            tools.tasks.start { await self.forgetRow() }
            return .pause
        }
    }

    /// Pauses the body until the row has forgotten the bytes that it would replace.
    private func forgetRow() async {
        let held = state.withLock { $0.transfer }
        while true {
            let (isHeld, memory) = state.withLock { state in
                (
                    state.machine.order == nil && !state.isEnding && state.transfer == held,
                    state.machine.memory
                )
            }
            guard isHeld else { break }
            if await owner.saveResumePoint(memory) {
                handle { $0.rowForgotten() }
                break
            }
            await Alarm().wait(upTo: .milliseconds(200))
        }
        if let held { tools.engine.resume(held) }
    }
}

extension TransferEnd {
    /// The facts of a result for the machine.
    ///
    /// - Parameters:
    ///   - result: how a transfer ended.
    ///   - facts: what was read in the head already, trailers left out; nil for nothing.
    init(_ result: TransferResult, facts: ResponseFacts? = nil) {
        let outcome: Outcome =
            switch result.outcome {
            case .completed(let isVerified): .completed(isLengthVerified: isVerified)
            case .cancelled: .cancelled
            case .refused: .refused
            case .failed(let failure):
                result.hasOddRange
                    ? .oddRange(DownloadFailure(failure))
                    : .failed(DownloadFailure(failure, isUnreachable: result.isUnreachable))
            }
        let known = result.trailers.isEmpty ? facts : nil
        self.init(
            outcome,
            facts: result.head.map { known ?? ResponseFacts($0, trailers: result.trailers) },
            bytes: result.bodyBytes)
        redirects = (result.head?.chain.count ?? 1) - 1
        wasSent = result.wasSent
        if let head = result.head { told = ToldFields(head) }
    }
}

extension TransferResult {
    /// Whether the engine refused the head because of its Content-Range, after which other
    /// questions are possible.
    fileprivate var hasOddRange: Bool {
        guard case .failed(let failure) = outcome, failure.code == .badServerResponse else {
            return false
        }
        return switch head?.framing.ambiguity {
        case .oddContentRange, .repeatedContentRange: true
        default: false
        }
    }
}
