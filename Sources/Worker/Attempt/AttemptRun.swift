// One attempt of one download: performs the actions of `AttemptMachine`.
internal import Base
internal import Content
internal import Downloads
internal import ObjectStores
internal import Platform
internal import Scheduling
internal import Store
internal import Synchronization
internal import Transfers

/// One attempt; created for a claim, run once.
///
/// The task that calls `run()` performs one action of the machine after the other. Heads of answers
/// are judged on libcurl's thread; orders, limits and checkpoints come from any thread.
final class AttemptRun: Sendable {
    struct State {
        var machine: AttemptMachine
        var record: TransferRecord
        /// The URL and the request, once they are prepared.
        var prepared: (url: SourceURL, request: AttemptRequest)?
        /// The current transfer.
        var transfer: TransferID?
        /// The head of the last answer.
        var head: ResponseHead?
        /// The request without its range, if several streams may be used.
        var plain: TransferRequest?
        /// The facts from the head of the current answer.
        var facts: ResponseFacts?
        /// The file, once it is complete.
        var written: WrittenPart?
        /// The client's limit in bytes a second.
        var limit: Int64?
        /// The download's deadline, if a client has moved it since the claim.
        var deadline: Timestamp?
        /// Progress events since the claim.
        var progressEvents: Int64 = 0
        /// Bytes of request bodies that were sent.
        var sent: Int64 = 0
        /// The requests to the store of the file, while it is sent there.
        var storeCall: StoreCall?
        /// The parts that are sent at once now, which share the client's limit.
        var partsAtOnce: Int64 = 1
        /// The facts of the file when its digest was computed.
        var mark: FileMark?
        /// The receiver's last answer.
        var answer: SentAnswer?
        var isEnding = false
    }

    /// The claimed download, in a box that is passed on without a copy.
    let claimed: Shared<ClaimedDownload>
    let tools: AttemptTools
    let path: BodyPath
    let state: Mutex<State>
    /// Bytes of the file that were sent in the present try, and in all tries of the attempt.
    let tryBytes = Atomic<Int64>(0)
    let sentBytes = Atomic<Int64>(0)
    /// Whether it uses small buffers.
    let isSlow: Bool
    /// The scopes of shared rate limits that its transfers belong to.
    let rateScopes: [RateScope]

    /// The worker, which keeps the row and the limits.
    let owner: any AttemptOwner

    init(
        _ claimed: Shared<ClaimedDownload>, tools: AttemptTools, isSlow: Bool = false,
        owner: any AttemptOwner
    ) {
        self.claimed = claimed
        self.tools = tools
        self.owner = owner
        self.isSlow = isSlow
        rateScopes = [
            .session(claimed.value.sessionKey), .origin(claimed.value.originKey),
            .app(claimed.value.app),
            .schedulingClass(claimed.value.download.schedulingClass), .deployment,
        ]
        let id = claimed.value.download.id
        let lane = tools.lanes[Int(id.low % UInt64(tools.lanes.count))]
        path = BodyPath(
            writer: PartWriter(
                name: ContentName(download: id, fence: claimed.value.fence), store: tools.content,
                lane: lane.files, engine: tools.engine, digestLane: lane.digests,
                blocks: isSlow ? tools.smallBlocks : tools.blocks,
                bulk: isSlow ? nil : tools.bulk, minimumFree: tools.settings.minimumFree,
                tasks: tools.tasks),
            lane: lane, engine: tools.engine)
        let terms = AttemptTerms(claimed.value, tools: tools, isSlow: isSlow)
        if let most = terms.mostBytes { path.writer.intake.bound(to: most) }
        var machine = AttemptMachine(terms)
        let limit = claimed.value.download.shared.value.maxBytesPerSecond
        machine.isLimited = limit != nil
        // The query of a receiver's URL may have a signature, and is shown nowhere.
        let address = claimed.value.address
        let shown = claimed.value.isSending ? Relay.withoutQuery(address) : address
        state = Mutex(
            State(machine: machine, record: TransferRecord(url: shown), limit: limit))
    }

    /// The claimed download.
    var claim: ClaimedDownload { claimed.value }

    // MARK: - The run

    /// Performs the attempt.
    ///
    /// A download spends most of its time in this function. Work on large values is not inlined, so
    /// that they are on the stack and not in the memory of the task.
    func run() async -> AttemptReport {
        var action = handle { $0.begin() }
        while true {
            switch action {
            case .report(let outcome): return await sent(report(outcome))
            // A file that is not there is fetched again, in the lane of its origin.
            case .ask where claim.isSending:
                state.withLock { $0.isEnding = true }
                return unsendable(.failed(SendRules.lostFile, kept: nil, told: nil))
            case .ask(let question): action = await ask(question)
            case .prepare where !hasSecrets && !sharesKnown: action = preparePlain()
            case .complete, .compare, .retreat, .discard: action = await performOnFile(action)
            default: action = await perform(action)
            }
        }
    }

    /// Passes an event to the machine.
    func handle<Answer>(_ event: (inout AttemptMachine) -> sending Answer) -> sending Answer {
        state.withLock { event(&$0.machine) }
    }

    @inline(never) private func perform(_ action: AttemptAction) async -> AttemptAction {
        switch action {
        case .prepare:
            await settleKnown()
            let start = prepare(hasSecrets ? await tools.request(claim) : nil)
            return handle { $0.prepared(start) }
        case .adopt(let fence, let length):
            let isThere = await adopt(fence: fence, length: length)
            return handle { $0.adopted(isThere) }
        case .move(var point):
            if point.received != nil { point.received?.mark = await markAdopted() }
            // Without it a later attempt would not find the file that this one sends.
            _ =
                claim.isSending
                ? await owner.insistOnResumePoint(point) : await owner.saveResumePoint(point)
            return handle { $0.moved() }
        case .markSent:
            let isMarked = await owner.markSent()
            return handle { $0.marked(isMarked) }
        case .gather:
            let body = await gather()
            return handle { $0.gathered(body, now: tools.clock.now) }
        case .restart:
            let place = await path.restart()
            return handle { $0.restarted(at: place, now: tools.clock.now) }
        case .keep:
            let durable = await keep()
            return handle { $0.kept(durable: durable) }
        case .ask, .complete, .compare, .retreat, .discard, .report: return action
        }
    }

    @inline(never) private func performOnFile(_ action: AttemptAction) async -> AttemptAction {
        switch action {
        case .complete(let digests):
            let result = await path.complete(digests, mayStayInMemory: mayStayInMemory)
            if case .success(let part) = result, sharesKnown, isKnown(part) { await settleKnown() }
            return completed(result)
        case .compare(let parts):
            let result = await path.compare(parts)
            return handle { $0.compared(result) }
        case .retreat:
            let durable = await path.writer.retreat()
            return handle { $0.retreated(durable: durable) }
        case .discard:
            await path.writer.discard()
            return handle { $0.discarded() }
        case .prepare, .adopt, .move, .markSent, .ask, .gather, .restart, .keep, .report:
            return action
        }
    }

    @inline(never) private func completed(
        _ result: Result<WrittenPart, WriteTrouble>
    ) -> AttemptAction {
        state.withLock { state in
            switch result {
            case .success(let part):
                state.written = part
                let file = WholeFile(length: part.length, sha256: part.sha256, others: part.others)
                return state.machine.completed(.success(file))
            case .failure(let trouble): return state.machine.completed(.failure(trouble))
            }
        }
    }

    /// Takes over bytes of an earlier attempt, or copies those of the download that this one was
    /// made from.
    ///
    /// The row of that download must name the bytes before and after the copy, because it may begin
    /// anew in its file.
    private func adopt(fence: Int64, length: Int64) async -> Bool {
        guard let point = claim.resume, let source = point.source else {
            let found =
                claim.isSending
                ? await path.writer.fence(ofFileRecordedWith: fence) : fence
            return await path.adopt(
                fence: found, length: length, digested: digested(claim.resume))
        }
        guard await owner.holds(point, source),
            await path.adopt(fence: fence, length: length, of: source)
        else { return false }
        // A file that begins anew is truncated by the first write.
        return await owner.holds(point, source)
    }

    /// The facts of the adopted file; nil where they are not needed.
    private func markAdopted() async -> FileMark? {
        guard isStoring else { return nil }
        let mark = await path.writer.mark
        state.withLock { $0.mark = mark }
        return mark
    }

    /// Whether the attempt brings its file into a store.
    var isStoring: Bool { claim.isSending && storeDestination != nil }

    /// The digest of a file that waits for its store, with the facts that the file had then.
    private func digested(_ point: ResumePoint?) -> (mark: FileMark, sha256: String)? {
        guard isStoring, let mark = point?.received?.mark, let sha256 = point?.sha256 else {
            return nil
        }
        return (mark, sha256)
    }

    /// Whether a small body needs no file: another program or the receiver needs one.
    private var mayStayInMemory: Bool {
        let spec = claim.download.shared.value
        return spec.destination == nil && !spec.isSentOn
    }

    /// Whether the request has secrets, which have to be read from the store.
    private var hasSecrets: Bool {
        let shape = claim.download.shared.value.request
        return !isStoring && (shape.hasSecrets || shape.usesSession || claim.isSending)
    }

    /// Notes the request of a download without secrets.
    @inline(never) private func preparePlain() -> AttemptAction {
        let start = prepare(nil)
        return handle { $0.prepared(start) }
    }

    /// Notes the address and the request.
    ///
    /// - Parameter opened: the request with its secrets; nil for one without.
    /// - Returns: whether it can be sent.
    private func prepare(_ opened: Result<AttemptRequest, DownloadFailure>?) -> AttemptStart {
        let url: SourceURL
        switch claim.source {
        case .success(let source): url = source
        case .failure(let error):
            return .badAddress(
                DownloadFailure(
                    .permanent, code: .unsupportedURL, detail: "\(error)", isRetryable: false))
        }
        let request =
            opened
            ?? (isStoring
                ? .success(AttemptRequest.toStore)
                : AttemptRequest.plain(claim.download.shared.value.request))
        switch request {
        case .failure(let failure): return .unreadable(failure)
        case .success(let request):
            state.withLock { $0.prepared = (url, request) }
            return .ready(isRepeatable: request.isRepeatable)
        }
    }

    /// Syncs the bytes at the end, and gives back unused room on the disk.
    private func keep() async -> Int64? {
        let version = handle { $0.version }
        guard let durable = await path.keep() else { return nil }
        if handle({ $0.checkpointed(durable: durable, version: version) }) != nil {
            await path.writer.trim()
        }
        return durable
    }

    @inline(never) private func report(_ outcome: AttemptOutcome<VerifiedBody>) -> AttemptReport {
        var shown: AttemptDetail.Excerpt?
        if case .failed(let failure, _, _) = outcome, failure.code.keepsExcerpt {
            shown = excerpt()
        }
        return state.withLock { state in
            if let shown { state.record.excerpt = shown }
            state.isEnding = !claim.isSending
            return outcome.map { body in
                state.written.map { part in
                    CompleteBody(
                        file: part.file, sha256: part.sha256,
                        isLengthVerified: body.isLengthVerified,
                        head: body.isDescribed ? state.head : nil)
                }
            }
        }
    }

    // MARK: - From outside

    /// Takes another limit in bytes a second; nil for none.
    func limit(to limit: Int64?) {
        let (isNew, transfer) = state.withLock { state in
            defer {
                state.limit = limit
                state.machine.isLimited = limit != nil
            }
            return (state.limit != limit, state.transfer)
        }
        guard isNew else { return }
        if limit != nil { path.segments?.stop() }
        if let transfer { engine?.limit(transfer, to: limit) }
        let (call, parts) = state.withLock { ($0.storeCall, $0.partsAtOnce) }
        call?.limit(to: limit.map { max(1, $0 / parts) })
    }

    /// Stops the attempt; the first order counts, but a cancel by the client overrides an order of
    /// the worker.
    func stop(_ order: RunOrder) {
        let (transfer, call) = state.withLock { state in
            state.machine.ordered(order)
            return (state.transfer, state.storeCall)
        }
        path.segments?.stop()
        call?.cancel()
        if let transfer { engine?.cancel(transfer) }
    }

    /// Syncs the bytes so far.
    ///
    /// - Returns: where a later attempt may go on; nil if that would not be worth it.
    func checkpoint() async -> Checkpoint? {
        let version = handle { $0.version }
        guard let durable = await path.checkpoint() else { return nil }
        let point = handle { $0.checkpointed(durable: durable, version: version) }
        return point.map { Checkpoint(point: $0, version: version) }
    }

    /// Whether the bytes of a checkpoint are still valid.
    func isCurrent(_ checkpoint: Checkpoint) -> Bool {
        handle { $0.version } == checkpoint.version
    }

    /// Passes on until when origins must not be asked.
    func notePushbacks(_ cooling: [String: Timestamp]) {
        handle { $0.notePushbacks(cooling, now: tools.clock.now) }
    }

    /// Changes the download's deadline.
    func move(deadline: Timestamp) { state.withLock { $0.deadline = deadline } }

    /// Counts a progress event if one is sent.
    func nextSequence(emitsEvent: Bool) -> Int64 {
        if emitsEvent { state.withLock { $0.progressEvents += 1 } }
        return sequence
    }

    /// Removes the attempt's file.
    func discard() async { await path.writer.discard() }
}

extension AttemptRun {
    /// The engine of its transfers.
    private var engine: TransferEngine? { claim.isSending ? tools.sender : tools.engine }

    /// The writer of the file.
    var writer: PartWriter { path.writer }

    /// Bytes in the file, and the length of the whole if it is known.
    var progress: (received: Int64, total: Int64?) { (path.received, handle { $0.total }) }

    /// Missing bytes for which no room is reserved on the disk; 0 if unknown.
    var need: Int64 {
        let (isEnding, total) = state.withLock { ($0.isEnding, $0.machine.total) }
        guard !isEnding else { return 0 }
        let whole = total ?? claim.total ?? claim.download.bytesExpectedByClient ?? 0
        return max(0, whole - max(path.reserved, path.received))
    }

    /// Bytes received and bytes sent since the claim, for budgets.
    var arrived: (received: Int64, sent: Int64) {
        (path.arrived, state.withLock { $0.sent } + sentBytes.load(ordering: .relaxed))
    }

    /// Bytes of the file that were sent so far, while it is sent.
    var bytesSent: Int64 { tryBytes.load(ordering: .relaxed) }

    /// Bytes that the attempt has moved, by which its speed is measured.
    var moved: Int64 { claim.isSending ? bytesSent : path.received }

    /// The expected number of received bytes of the attempt; 0 if unknown.
    var expectedBytes: Int64 {
        let total = handle { $0.total } ?? claim.total ?? claim.download.bytesExpectedByClient ?? 0
        return max(0, total - (claim.resume?.offset ?? 0))
    }

    /// Bytes written since the last checkpoint.
    var unsynced: Int64 { writer.unsynced }

    /// Whether another attempt could continue if this one is stopped.
    var canContinue: Bool {
        // A try to send begins anew.
        guard !claim.isSending else { return false }
        let received = path.received
        return state.withLock { $0.machine.canContinue(after: received) }
    }

    /// True once the attempt has ended and waits to be recorded.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// The number of the download's last event, this attempt's progress events included.
    var sequence: Int64 { claim.download.sequence + state.withLock { $0.progressEvents } }

    /// The download's deadline; none while the database's clock is not steady.
    var deadline: Timestamp {
        guard tools.clock.steadyNow != nil else { return tools.clock.now + .seconds(86_400) }
        return state.withLock { $0.deadline } ?? claim.deadline
    }

    /// The origins of all mirrors in their order, nil for an address that is no URL; empty with one
    /// URL.
    var origins: [String?] { handle { $0.terms.origins } }

    /// The resume point without bytes, for the next attempt.
    var memory: ResumePoint? { handle { $0.memory } }
}

extension AttemptTerms {
    /// The terms of a claimed download.
    init(_ claim: ClaimedDownload, tools: AttemptTools, isSlow: Bool) {
        let spec = claim.download.shared.value
        self.init(
            address: claim.address, fence: claim.fence, instance: tools.content.instanceText)
        resume = claim.resume
        received = claim.download.bytesReceived
        method = spec.request.method
        isProxied = spec.request.proxyURL != nil
        mayHaveBeenSent = claim.wasSent
        rules = spec.rules
        isShared = spec.duplicates == .join
        expectedDigest = spec.expectedDigest
        expectedLength = claim.download.bytesExpectedByClient
        // Under a rate limit, or with many downloads, more connections bring nothing.
        streams = isSlow ? 1 : Int(spec.segments)
        segmentsAtLeast = tools.settings.segmentsAtLeast
        attemptsWithoutProgress = claim.attemptsWithoutProgress
        waitsForConnectivity = spec.waitsForConnectivity
        sharesProbe = spec.sharesProbe
        retryRule = spec.retryRule
        condition = AttemptTerms.condition(of: claim)
        guard let book = claim.mirrors else { return }
        mirrors = book
        origins = claim.mirrorOrigins
    }
}
