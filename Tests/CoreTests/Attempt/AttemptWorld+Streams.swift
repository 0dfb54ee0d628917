// Several streams for one file, as the shell runs them beside the first one.
import Downloads

/// The plan of one attempt and the streams that fetch its pieces.
struct ModelStreams {
    /// One further stream and the answer to it.
    struct Piece {
        /// The bytes that were asked for.
        let range: Range<Int64>
        var reply: ModelReply?
        var verdict: PieceVerdict?
        var sent: Int64 = 0
        var isCancelled = false
        /// Whether bytes that this stream brings from here on are dropped.
        var isVoid = false
        var isRefused = false
        var isOverEnd = false
    }

    let offer: SegmentOffer
    var plan: SegmentPlan?
    var pieces: [Int: Piece] = [:]
    var isStopped = false
    /// Whether the machine has heard of the stream's end.
    var isGathered = false

    init(_ offer: SegmentOffer) { self.offer = offer }

    mutating func firstEnded() {
        if plan == nil { isStopped = true }
        plan?.ended(SegmentPlan.first)
    }

    mutating func stop() {
        isStopped = true
        plan?.close()
        for number in pieces.keys { pieces[number]?.isCancelled = true }
    }

    mutating func discardBeyondPrefix() {
        isStopped = true
        plan?.discardBeyondPrefix()
        for number in pieces.keys {
            pieces[number]?.isCancelled = true
            pieces[number]?.isVoid = true
        }
    }

    mutating func forgetPlan() {
        discardBeyondPrefix()
        plan = nil
    }
}

extension AttemptWorld {
    /// Moves a further stream on by one step, or begins it.
    ///
    /// - Parameters:
    ///   - number: the stream's number, from 1 on; a number that the offer does not allow does
    ///     nothing.
    ///   - most: the most bytes that come in the step.
    func streamStep(_ number: Int, most: Int64 = .max) {
        guard var run = running, case .ask = run.action, var streams = run.streams,
            !streams.isGathered, number < streams.offer.streams
        else { return }
        if streams.plan == nil { cut(&streams, run) }
        if streams.plan != nil { move(number, &streams, &run, most) }
        run.streams = streams
        running = run
        check()
    }

    private func cut(_ streams: inout ModelStreams, _ run: Running) {
        guard let transfer = run.transfer, let place = transfer.place, !streams.isStopped else {
            return
        }
        let offset = place.start + transfer.sent
        guard streams.offer.total - offset >= max(run.machine.terms.segmentsAtLeast / 2, 1) else {
            return
        }
        streams.plan = SegmentPlan(
            from: offset, total: streams.offer.total, streams: streams.offer.streams,
            stealsAbove: stealsAbove)
    }

    /// - Returns: false if there was nothing to do for it.
    @discardableResult private func move(
        _ number: Int, _ streams: inout ModelStreams, _ run: inout Running, _ most: Int64
    ) -> Bool {
        guard var piece = streams.pieces[number] else {
            guard !streams.isStopped, let range = streams.plan?.take(number) else { return false }
            streams.pieces[number] = ModelStreams.Piece(range: range)
            return true
        }
        guard !piece.isCancelled, !piece.isRefused, let reply = piece.reply else {
            if piece.isCancelled || piece.isRefused {
                end(number, piece, &streams, &run)
            } else {
                piece.reply = pieceOrigin(piece.range, streams.offer.etag)
                streams.pieces[number] = piece
            }
            return true
        }
        guard let facts = reply.facts, piece.sent < reply.cut ?? Int64(reply.body.count) else {
            end(number, piece, &streams, &run)
            return true
        }
        guard let verdict = piece.verdict else {
            let verdict = run.machine.pieceArrived(
                facts, from: piece.range.lowerBound, of: streams.offer, now: now)
            piece.verdict = verdict
            if case .take = verdict {} else { piece.isRefused = true }
            streams.pieces[number] = piece
            return true
        }
        if case .take(let range) = verdict {
            receive(number, reply, range, &piece, &streams, &run, most)
        }
        streams.pieces[number] = piece
        return true
    }

    private func receive(
        _ number: Int, _ reply: ModelReply, _ announced: Range<Int64>,
        _ piece: inout ModelStreams.Piece, _ streams: inout ModelStreams, _ run: inout Running,
        _ most: Int64
    ) {
        let count = min(most, (reply.cut ?? Int64(reply.body.count)) - piece.sent)
        let start = piece.range.lowerBound + piece.sent
        guard !piece.isVoid, count <= announced.upperBound - start else {
            (piece.isOverEnd, piece.isRefused) = (!piece.isVoid, true)
            return
        }
        let room = streams.plan?.room(of: number) ?? 0
        let taken = min(count, room)
        begin(&run)
        write(start..<(start + taken), of: reply, after: piece.sent)
        streams.plan?.advance(number, by: taken)
        piece.sent += taken
        if taken < count { piece.isRefused = true }
    }

    private func end(
        _ number: Int, _ piece: ModelStreams.Piece, _ streams: inout ModelStreams,
        _ run: inout Running
    ) {
        let lost = DownloadFailure(
            .networkConnectionLost, detail: FailureCode.networkConnectionLost.sentence)
        let reply = piece.reply
        let isCut = reply?.cut.map { $0 < Int64(reply?.body.count ?? 0) } ?? false
        let outcome: TransferEnd.Outcome =
            if piece.isCancelled {
                .cancelled
            } else if piece.isRefused {
                .refused
            } else if let code = reply?.failure {
                reply?.isOddRange ?? false
                    ? .oddRange(DownloadFailure(code, detail: code.sentence))
                    : .failed(DownloadFailure(code, detail: code.sentence))
            } else if reply?.facts == nil || isCut {
                .failed(lost)
            } else {
                .completed(isLengthVerified: true)
            }
        var end = TransferEnd(outcome, facts: reply?.facts, bytes: piece.sent)
        end.body.isOverEnd = piece.isOverEnd
        streams.pieces[number] = nil
        if !piece.isVoid { streams.plan?.ended(number) }
        switch run.machine.pieceEnded(end, piece.verdict) {
        case .goOn: break
        case .stop: streams.stop()
        case .discardBeyondPrefix:
            streams.discardBeyondPrefix()
            file?.ahead = []
            voided += 1
        }
    }

    /// The first stream has ended: it helps the others, and waits for them.
    func gather(_ run: inout Running) -> AttemptAction {
        guard var streams = run.streams else { return run.machine.gathered(BodyEnd(), now: now) }
        if streams.plan?.isComplete ?? true || run.machine.order != nil { streams.stop() }
        // All streams have to come to their end, in any order.
        var isMoved = true
        while isMoved {
            isMoved = false
            for number in 0..<streams.offer.streams
            where streams.plan != nil && move(number, &streams, &run, .max) { isMoved = true }
        }
        streams.isGathered = true
        var body = BodyEnd()
        body.isCut = streams.plan != nil
        body.isComplete = streams.plan?.isComplete ?? false
        if body.isComplete { gathered += 1 }
        run.streams = streams
        return run.machine.gathered(body, now: now)
    }
}
