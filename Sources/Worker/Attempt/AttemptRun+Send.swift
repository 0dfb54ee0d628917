// Sends a whole file to the receiver of its download, before the end of the attempt is recorded.
internal import Base
internal import Content
internal import Crypto
internal import Downloads
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

/// A try to send a file, with everything that its request needs.
private struct Delivery {
    let url: SourceURL
    let request: AttemptRequest
    let part: CompletedPart
    let sha256: String
    let name: String
    let response: OriginResponse?
}

extension AttemptRun {
    /// The most bytes of a receiver's answer that are read.
    static let answerAtMost = 65_536

    /// The report of an attempt after its file was sent, if it has one to send.
    ///
    /// - Returns: the report; another one where the receiver has not taken the file, which is kept.
    @inline(never) func sent(_ report: AttemptReport) async -> AttemptReport {
        guard claim.isSending else { return report }
        if let destination = storeDestination { return await stored(report, in: destination) }
        guard case .complete(var body) = report else { return unsendable(report) }
        let waiting = wholePoint(of: body)
        if claim.resume?.received?.progress == .accepted {
            body.isSent = true
            return .complete(body)
        }
        guard let prepared = state.withLock({ $0.prepared }) else {
            preconditionFailure("the request of an attempt with a whole file is prepared")
        }
        if claim.download.shared.value.relay?.speaks == .tus {
            guard let engine = tools.sender else {
                return .failed(SendRules.notAllowed, kept: waiting, told: nil)
            }
            return await TusSending(
                run: self, engine: engine, body: body, creation: prepared.url,
                request: prepared.request
            ).perform()
        }
        let isRepeatable = prepared.request.isRepeatable
        if claim.resume?.received?.progress == .begun, !isRepeatable {
            return .failed(SendRules.lostAfterSending, kept: waiting, told: nil)
        }
        if let order = handle({ $0.order }) { return .stopped(order, kept: waiting) }
        if !isRepeatable, !(await markBegun(waiting)) { return .stopped(.abandon, kept: nil) }
        guard
            let result = await deliver(
                Delivery(
                    url: prepared.url, request: prepared.request, part: body.file,
                    sha256: body.sha256, name: fileName(of: body), response: response(of: body)))
        else {
            return .failed(SendRules.notAllowed, kept: waiting, told: nil)
        }
        return judged(result, body, waiting, isRepeatable: isRepeatable)
    }

    /// The report of an attempt that has no file to send, such as one that finds other bytes.
    ///
    /// The file would be fetched and sent again: not without a word of the client, if an earlier
    /// request has had its effect or may have had it.
    func unsendable(_ report: AttemptReport) -> AttemptReport {
        guard case .failed(_, kept: nil, _) = report else { return report }
        if claim.download.id.isUpload {
            return .failed(UploadRules.lostFile, kept: nil, told: nil)
        }
        let isRepeatable = state.withLock { $0.prepared?.request.isRepeatable } ?? true
        return switch claim.resume?.received?.progress {
        case .accepted: .failed(SendRules.lostAfterAcceptance, kept: nil, told: nil)
        case .begun where !isRepeatable:
            .failed(SendRules.lostAfterSending, kept: nil, told: nil)
        case .begun, .waiting, nil: report
        }
    }

    /// The report of an attempt whose file waits to be sent, once its bytes are durable.
    @inline(never) func settled(_ report: AttemptReport) async -> AttemptReport {
        guard case .complete(let body) = report, let part = body.file.part else { return report }
        guard await !path.writer.sync(part) else {
            if storeDestination != nil { state.withLock { $0.mark = part.mark } }
            return report
        }
        return .failed(
            DownloadFailure(.cannotWriteToFile, detail: "the file could not be synced to the disk"),
            kept: nil, told: nil)
    }

    /// The row says that a request may have reached the receiver.
    private func markBegun(_ waiting: ResumePoint) async -> Bool {
        var begun = waiting
        begun.received?.progress = .begun
        return await owner.insistOnResumePoint(begun)
    }

    /// Sends the file.
    ///
    /// - Returns: the end of the transfer; nil where this process sends no files.
    private func deliver(_ delivery: Delivery) async -> TransferResult? {
        guard let engine = tools.sender else { return nil }
        let id = TransferID()
        let source = PartSource(delivery.part, on: path.lane.files) { engine.resume(id) }
        return await exchange(id, by: engine) { request(for: delivery, from: source.source) }
    }

    /// Sends one request to the receiver, and notes its end.
    func exchange(
        _ id: TransferID, by engine: TransferEngine, _ request: () -> TransferRequest
    ) async -> TransferResult {
        state.withLock { $0.transfer = id }
        // An order that came before the transfer had its identifier can find it from here on.
        if handle({ $0.order }) != nil { engine.cancel(id) }
        let result = await engine.run(id) { (request(), .buffer(limit: AttemptRun.answerAtMost)) }
        state.withLock { $0.record.note(result, nil) }
        if claim.announcesReach, result.head != nil { owner.reached() }
        return result
    }

    private func request(for delivery: Delivery, from source: TransferSource) -> TransferRequest {
        var request = sending(delivery.request, to: delivery.url)
        request.source = counted(source)
        request.headers += SentFields.fields(
            sha256: Hex.decode(delivery.sha256) ?? [], name: delivery.name,
            response: delivery.response)
        return request
    }

    /// A request to the receiver, without fields and body of the file.
    func sending(_ attempt: AttemptRequest, to url: SourceURL) -> TransferRequest {
        var request = TransferRequest(url: url)
        attempt.apply(to: &request)
        request.followsRedirects = 0
        request.idleTimeout = .seconds(claim.download.shared.value.requestTimeout)
        request.lowSpeed = tools.settings.lowSpeed?.over(atLeast: request.idleTimeout)
        request.totalTimeout = max(.seconds(1), deadline - tools.clock.now)
        request.rateScopes = rateScopes
        request.rank = Int(claim.download.schedulingClass.rawValue)
        request.maximumBytesPerSecond = state.withLock { $0.limit }
        if tools.settings.tracesOrigins, let trace = claim.download.shared.value.traceparent {
            request.addTrace(trace)
        }
        return request
    }

    /// A source whose bytes are counted while they are sent; it begins at an offset of the file.
    func counted(_ source: TransferSource, from offset: Int64 = 0) -> TransferSource {
        unsafe TransferSource(
            length: source.length,
            read: { room in
                let answer = unsafe source.read(room)
                if case .bytes(let count) = answer {
                    self.tryBytes.add(Int64(count), ordering: .relaxed)
                    self.sentBytes.add(Int64(count), ordering: .relaxed)
                }
                return answer
            },
            rewind: {
                self.tryBytes.store(offset, ordering: .relaxed)
                return source.rewind()
            })
    }

    /// The report about the end of a try.
    private func judged(
        _ result: TransferResult, _ body: CompleteBody, _ waiting: ResumePoint, isRepeatable: Bool
    ) -> AttemptReport {
        let answer = result.head.map { shown($0, of: result) }
        if let answer { state.withLock { $0.answer = answer } }
        if let answer, case .completed = result.outcome {
            let failure = SendRules.failure(
                status: answer.status, isWhole: result.isBodySent, isRepeatable: isRepeatable)
            guard let failure else {
                var body = body
                body.isSent = true
                return .complete(body)
            }
            state.withLock { $0.record.excerpt = answer.body }
            var told: ToldWait?
            if failure.failureClass != .attention, let head = result.head {
                told = ToldFields(head).wait(
                    status: answer.status, method: .put, now: tools.clock.now)
            }
            return .failed(failure, kept: waiting, told: told)
        }
        let order = handle { $0.order }
        let failure: DownloadFailure
        switch result.outcome {
        case .failed(let reason):
            failure = DownloadFailure(reason, isUnreachable: result.isUnreachable)
        case .cancelled, .completed, .refused:
            failure = DownloadFailure(
                .networkConnectionLost, detail: "the file was not sent to its end")
        }
        let judged = SendRules.judged(
            failure, isRepeatable: isRepeatable, wasSent: result.wasSent)
        // A request that may have had its effect is not forgotten because of an order.
        if let order, judged.code != .destinationOutcomeUnknown || order == .abandon {
            return .stopped(order, kept: order == .cancel ? nil : waiting)
        }
        return .failed(judged, kept: waiting, told: nil)
    }

    /// The answer as the download shows it.
    func shown(_ head: ResponseHead, of result: TransferResult) -> SentAnswer {
        let mask = state.withLock { $0.prepared?.request.mask } ?? SecretMask(headers: [])
        var answer = SentAnswer(status: head.status)
        for name in SentAnswer.fields {
            guard let value = head.fields.first(where: { $0.name == name }) else { continue }
            let bytes = Array(value.bytes.text.utf8)
            answer.headers[name] = mask.masked(bytes, upTo: 1024).map {
                .string(String(decoding: $0, as: UTF8.self))
            }
        }
        var excerpt = BodyExcerpt()
        unsafe result.buffer.withUnsafeBytes { unsafe excerpt.append($0) }
        answer.body = excerpt.detail(hiding: mask)
        return answer
    }

    /// The head of the answer that brought the file.
    func response(of body: CompleteBody) -> OriginResponse? {
        body.response ?? claim.resume?.received?.response
    }
}
