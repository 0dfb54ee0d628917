// Performs the actions of `TusExchange` for one attempt.
internal import Base
internal import Content
internal import Downloads
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

/// One try to bring the file of an attempt to a receiver that speaks tus.
struct TusSending {
    /// The longest removal of the upload of a canceled download.
    private static let removalTimeout = Duration.seconds(10)

    let run: AttemptRun
    let engine: TransferEngine
    let body: CompleteBody
    let creation: SourceURL
    let request: AttemptRequest

    /// Brings the file to the receiver.
    ///
    /// - Returns: the report of the attempt.
    func perform() async -> AttemptReport {
        let terms = TusExchange.Terms(
            creation: creation, length: body.length, sha256: body.sha256)
        var machine = TusExchange(terms, continuing: run.handle { $0.tus })
        var action = machine.begin()
        var told: ToldWait?
        while true {
            run.handle { [machine] in
                $0.tus = machine.upload
                if machine.hasProgress { $0.hasSentMore = true }
            }
            if case .end(let end) = action {
                return await report(end, told: told)
            }
            if let order = run.handle({ $0.order }) { return await stopped(order) }
            if case .keep = action {
                // Without it a later attempt would begin anew.
                guard await run.owner.insistOnResumePoint(run.wholePoint(of: body)) else {
                    return .stopped(.abandon, kept: nil)
                }
                action = machine.kept()
                continue
            }
            let result = await perform(action)
            told = result.head.flatMap { head in
                ToldFields(head).wait(status: head.status, method: .put, now: run.tools.clock.now)
            }
            action = TusSending.next(&machine, after: action, result)
        }
    }

    private static func next(
        _ machine: inout TusExchange, after action: TusExchange.Action, _ result: TransferResult
    ) -> TusExchange.Action {
        guard case .completed = result.outcome, let head = result.head else {
            return machine.lost(failure(of: result))
        }
        var answer = TusExchange.Answer(head)
        switch action {
        case .create: return machine.created(answer)
        case .ask: return machine.asked(answer)
        case .send:
            answer.isWhole = result.isBodySent
            return machine.sent(answer)
        case .keep, .end: preconditionFailure("these are no requests")
        }
    }

    private static func failure(of result: TransferResult) -> DownloadFailure {
        if case .failed(let reason) = result.outcome {
            return DownloadFailure(reason, isUnreachable: result.isUnreachable)
        }
        return DownloadFailure(
            .networkConnectionLost, detail: "the file was not sent to its end")
    }

    // MARK: - Requests

    private func perform(_ action: TusExchange.Action) async -> TransferResult {
        let id = TransferID()
        let result: TransferResult
        switch action {
        case .create: result = await run.exchange(id, by: engine) { creating() }
        case .ask(let url): result = await run.exchange(id, by: engine) { plain(.head, url) }
        case .send(let url, let offset):
            run.tryBytes.store(offset, ordering: .relaxed)
            let range = offset..<body.length
            let part = PartSource(body.file, range: range, on: run.path.lane.files) {
                engine.resume(id)
            }
            result = await run.exchange(id, by: engine) {
                var next = plain(.patch, url)
                next.source = run.counted(part.source, from: offset)
                next.headers += [
                    ("Content-Type", "application/offset+octet-stream"),
                    ("Upload-Offset", "\(offset)"),
                ]
                return next
            }
        case .keep, .end: preconditionFailure("these are no requests")
        }
        if let head = result.head {
            let answer = run.shown(head, of: result)
            run.state.withLock {
                $0.answer = answer
                if head.status >= 400 { $0.record.excerpt = answer.body }
            }
        }
        return result
    }

    private func plain(_ method: TransferRequest.Method, _ url: SourceURL) -> TransferRequest {
        var plain = run.sending(request, to: url)
        plain.method = method
        // No cookie of one answer is sent with the next request.
        plain.memory = nil
        plain.headers.append(("Tus-Resumable", "1.0.0"))
        return plain
    }

    private func creating() -> TransferRequest {
        var creating = plain(.post, creation)
        let type = run.response(of: body)?.headers.contentType
        creating.headers += [
            ("Upload-Length", "\(body.length)"),
            ("Upload-Metadata", TusSending.metadata(name: run.fileName(of: body), type: type)),
        ]
        return creating
    }

    /// The value of `Upload-Metadata`.
    static func metadata(name: String, type: String?) -> String {
        var pairs = ["filename " + Base64.encode(Array(name.utf8))]
        if let type { pairs.append("filetype " + Base64.encode(Array(type.utf8))) }
        return pairs.joined(separator: ",")
    }

    // MARK: - Ends

    private func report(_ end: TusExchange.End, told: ToldWait?) async -> AttemptReport {
        switch end {
        case .taken:
            run.tryBytes.store(body.length, ordering: .relaxed)
            var body = body
            body.isSent = true
            return .complete(body)
        case .failed(let failure):
            // A request that was stopped here looks like one that was lost.
            if let order = run.handle({ $0.order }) { return await stopped(order) }
            let told = failure.failureClass == .attention ? nil : told
            return .failed(failure, kept: run.wholePoint(of: body), told: told)
        }
    }

    /// The report of a stopped try; the upload of a canceled download is removed where the receiver
    /// can do that at once.
    private func stopped(_ order: RunOrder) async -> AttemptReport {
        guard order == .cancel else {
            return .stopped(order, kept: run.wholePoint(of: body))
        }
        if let known = run.handle({ $0.tus }) {
            do throws(SourceURLError) {
                var removal = plain(.delete, try SourceURL(parsing: known.location))
                removal.totalTimeout = TusSending.removalTimeout
                // A receiver that keeps it lets it expire.
                _ = await engine.run(TransferID()) { [removal] in
                    (removal, .buffer(limit: AttemptRun.answerAtMost))
                }
            } catch {
                // No request can be sent to it.
            }
        }
        return .stopped(.cancel, kept: nil)
    }
}

extension TusExchange.Answer {
    /// The answer of a receiver.
    init(_ head: ResponseHead) {
        self.init(status: head.status)
        let locations = head.fields.filter { $0.name == "location" }.map(\.bytes)
        if locations.allSatisfy({ $0 == locations[0] }) { location = locations.first }
        offset = Self.number("upload-offset", in: head)
        length = Self.number("upload-length", in: head)
    }

    private static func number(_ name: String, in head: ResponseHead) -> Int64? {
        let values = head.fields.filter { $0.name == name }.map(\.value)
        guard let value = values.first, values.allSatisfy({ $0 == value }), !value.isEmpty,
            value.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(value)
    }
}
