// Further streams for one large file, beside the attempt's own.
internal import Base
internal import Downloads
internal import Platform
internal import Store
internal import Synchronization
internal import Transfers

extension AttemptRun {
    /// Begins further streams; on libcurl's thread.
    ///
    /// - Parameters:
    ///   - offer: what the machine allows.
    ///   - request: the attempt's own without its range.
    func begin(_ offer: SegmentOffer, _ request: TransferRequest) {
        let segments = Segments(
            offer, request: request, stealsAbove: tools.settings.stealsAbove, engine: tools.engine)
        path.begin(segments) { await self.fetch(segments) }
        // An order or a limit that came since the offer can find the streams from here on.
        if handle({ $0.order != nil || $0.isLimited }) { segments.stop() }
    }

    private func fetch(_ segments: Segments) async {
        let extra = await owner.widen(by: segments.offer.streams - 1)
        guard extra > 0,
            segments.cut(
                into: extra + 1, intake: writer.intake, atLeast: tools.settings.segmentsAtLeast / 2)
        else { return }
        await withDiscardingTaskGroup { group in
            for number in 1...extra { group.addTask { await self.fetch(segments, by: number) } }
        }
    }

    /// Requests pieces until there is none left for this stream.
    private func fetch(_ segments: Segments, by number: Int) async {
        while let stream = segments.next(number) {
            var request = segments.request
            request.rangeStart = stream.range.lowerBound
            request.rangeEnd = stream.range.upperBound - 1
            request.ifRange = segments.offer.etag
            request.totalTimeout = max(.seconds(1), deadline - tools.clock.now)
            let sink = unsafe TransferSink(
                begin: { head in self.judge(head, of: stream, segments.offer) },
                receive: { bytes in unsafe self.path.receive(bytes, of: stream, segments) })
            let result = await tools.engine.run(request, id: stream.id, into: .sink(sink))
            await writer.drain(stream, on: tools.engine, flush: true)
            var end = TransferEnd(result)
            end.body.isOverEnd = stream.intake.isOverEnd
            end.body.trouble = await writer.writeFailure.map { WriteTrouble($0) }
            // There is no suspension up to the decision, in which another stream could take the
            // piece.
            segments.ended(stream)
            let (next, digests) = handle { machine in
                (machine.pieceEnded(end, stream.verdict), machine.wantedDigests)
            }
            path.want(digests)
            switch next {
            case .goOn: break
            case .stop: segments.stop()
            case .discardBeyondPrefix:
                segments.discardBeyondPrefix()
                await writer.forgetWrittenRanges()
            }
        }
    }

    private func judge(
        _ head: ResponseHead, of stream: SegmentStream, _ offer: SegmentOffer
    ) -> TransferSink.Answer {
        let facts = ResponseFacts(head)
        let now = tools.clock.now
        let verdict = handle {
            $0.pieceArrived(facts, from: stream.range.lowerBound, of: offer, now: now)
        }
        stream.judged(verdict)
        if case .take = verdict { return .taken }
        return .abort(reason: "answer refused")
    }

    /// Waits for the other streams after the attempt's own transfer has ended, and helps them.
    func gather() async -> BodyEnd {
        guard let (segments, tasks) = path.takeStreams() else {
            return path.end(await path.trouble)
        }
        // Streams that have not received a byte are not waited for.
        if segments.isComplete || handle({ $0.order }) != nil { segments.stop() }
        if segments.isCut {
            if await writer.writeFailure != nil { segments.stop() }
            await fetch(segments, by: SegmentPlan.first)
        } else {
            segments.stop()
        }
        await tasks.finish()
        return path.end(await path.trouble)
    }
}
