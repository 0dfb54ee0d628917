// Several streams for one large file: when, and what becomes of the attempt's own.
internal import Core
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

extension Attempt {
    /// Begins further streams if the answer that was taken allows it; libcurl's thread.
    ///
    /// - Parameters:
    ///   - head: the answer to the attempt's own request.
    ///   - request: that request without its range.
    func considerSegments(_ head: ResponseHead, _ request: TransferRequest) {
        let facts = ResponseFacts(head)
        let spec = claim.download.spec
        // Under a rate, or in a crowd, more connections bring nothing.
        guard spec.segments > 1, !isSlow, spec.request.method == .get, let etag = facts.strongETag,
            facts.coding == nil
        else { return }
        let (offset, total): (Int64, Int64?)
        let (decision, known, taken) = state.withLock { ($0.decision, $0.total, $0.taken) }
        switch decision {
        case .fromStart:
            let units = head.acceptRanges?.lowercased().split(separator: ",") ?? []
            guard units.contains(where: { $0.filter { $0 != " " } == "bytes" }) else { return }
            (offset, total) = (0, facts.contentLength)
        case .append(let place) where taken.reachesEnd: (offset, total) = (place, known)
        default: return
        }
        guard let total, total - offset >= tools.segmentsAtLeast else { return }
        let segments = Segments(
            etag: etag, total: total, request: request, stealsAbove: tools.stealsAbove,
            engine: tools.engine)
        state.withLock { state in
            // Whoever limits one download does not want it to have many connections, and content
            // that was not what it should be comes whole the next time.
            guard state.segments == nil, state.order == nil, state.limit == nil,
                state.mismatches == 0
            else { return }
            state.segments = segments
            state.segmentsTask = Task { await self.fetch(segments, of: Int(spec.segments)) }
        }
    }

    private func fetch(_ segments: Segments, of streams: Int) async {
        let extra = await widen(streams - 1)
        guard extra > 0,
            segments.cut(
                into: extra + 1, intake: writer.intake, atLeast: tools.segmentsAtLeast / 2)
        else { return }
        await withDiscardingTaskGroup { group in
            for number in 1...extra { group.addTask { await self.fetch(segments, by: number) } }
        }
    }

    /// Asks for pieces until there is none left for this stream.
    private func fetch(_ segments: Segments, by number: Int) async {
        let (engine, writer, lane) = (tools.engine, writer, lane)
        while let stream = segments.next(number) {
            var request = segments.request
            request.rangeStart = stream.range.lowerBound
            request.rangeEnd = stream.range.upperBound - 1
            request.ifRange = segments.etag
            request.totalTimeout = max(.seconds(1), claim.deadline - tools.clock.now)
            let sink = unsafe TransferSink(
                begin: { head in
                    stream.judge(
                        ResponseFacts(head), etag: segments.etag, total: segments.total,
                        agrees: self.agrees)
                        ? .taken : .abort(reason: "answer refused")
                },
                receive: { bytes in
                    let (answer, drains) = unsafe segments.receive(
                        bytes, of: number, asked: stream.range.upperBound, into: stream.intake)
                    lane.drain(drains, on: engine) {
                        writer.assumeIsolated { $0.drain(stream, on: engine) }
                    }
                    return answer
                })
            let result = await engine.run(request, id: stream.id, into: .sink(sink))
            await writer.drain(stream, on: engine, flush: true)
            segments.ended(stream)
            if let part = stream.part { noteDigests(result, range: part) }
            switch stream.answer {
            case .other:
                segments.collapse()
                await writer.forgetIslands()
            case .refused:
                segments.stop()
            case .none, .piece:
                // A head that libcurl's check refused is no word of the same file either.
                if case .failed(let failure) = result.outcome, failure.code == .badServerResponse {
                    segments.collapse()
                    await writer.forgetIslands()
                } else if await writer.writeFailure != nil {
                    segments.stop()
                }
            }
        }
    }

    /// The attempt's own transfer is over: waits for the others, and helps them.
    ///
    /// - Returns: from where it has to be asked again; nil when that would not help.
    func gather(_ result: TransferResult) async -> ResumePoint? {
        let (segments, task) = state.withLock { ($0.segments, $0.segmentsTask) }
        guard let segments, let task else { return nil }
        state.withLock { $0.segmentsTask = nil }
        segments.firstEnded()
        // Whoever is still silent is not waited for.
        if segments.isComplete { segments.stop() }
        guard segments.isCut else {
            segments.stop()
            await task.value
            return nil
        }
        if await writer.writeFailure != nil { segments.stop() }
        await fetch(segments, by: SegmentPlan.first)
        await task.value
        let order = state.withLock { state in
            state.wasWhole = false
            return state.order
        }
        guard order == nil, await writer.writeFailure == nil else { return nil }
        await writer.finish()
        guard !segments.isComplete, let prefix = await writer.restart(),
            let point = resumePoint(durable: prefix)
        else { return nil }
        state.withLock { state in
            // A checkpoint may have named what came so far.
            state.rowNamesBytes = true
            state.bytesHere = prefix
        }
        return point
    }
}

extension DownloadFailure {
    /// Every stream ended and bytes are missing.
    static let streamsEnded = DownloadFailure(
        .network, code: .networkConnectionLost,
        detail: "the streams ended before the file was complete", isRetryable: true)
}
