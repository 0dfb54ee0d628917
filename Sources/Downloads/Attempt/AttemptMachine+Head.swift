// The head of an answer: decides how its body is used, before the first byte.
package import Base

extension AttemptMachine {
    /// The head of the answer to the question that is under way is complete.
    ///
    /// - Parameters:
    ///   - facts: the head.
    ///   - now: the database's clock.
    /// - Returns: what becomes of the body.
    package mutating func headArrived(_ facts: ResponseFacts, now: Timestamp) -> HeadVerdict {
        if facts.status == 304, plan == .whole, let condition, condition.hasValidators {
            headDecision = .notModified(doubt: condition.doubt(about: facts))
            return .excerpt
        }
        let said = RepresentationClaims(facts, now: now)
        switch decide(facts) {
        case .fromStart(let reason): return takeWhole(facts, said, reason)
        case .append(let offset):
            guard let range = facts.contentRange?.range else { return ambiguous("206") }
            return takePart(facts, said, offset..<range.upperBound)
        case .alreadyWhole:
            claims = plan.point?.claims
            headDecision = .alreadyWhole
        case .notContent:
            headDecision = .error
            return .excerpt
        case .refuseThenWhole(let reason): headDecision = .barred(reason)
        case .refuseThenPlainRange: headDecision = .plainRange
        case .reject(let failure):
            headDecision = .rejected(failure)
            // It may be a page that says why.
            if failure.code.keepsExcerpt { return .excerpt }
        case .ambiguous(let reason): return ambiguous(reason)
        }
        return .refuse
    }

    private mutating func ambiguous(_ reason: String) -> HeadVerdict {
        headDecision = .ambiguous(reason)
        return .refuse
    }

    /// Decides how the body is used, by the protocol and the client's demands.
    private mutating func decide(_ facts: ResponseFacts) -> BodyDecision {
        if let point = plan.point, let failure = mirrors?.otherContent(than: point, facts) {
            return .reject(failure)
        }
        var rules = terms.rules
        // Bytes of another mirror: its validators are no change of the source.
        if let point = plan.point ?? barred?.point, mirrors?.isForeign(point) ?? false {
            rules.onSourceChange = .restart
        }
        let decision = ResumeRules.judge(
            plan, facts, method: terms.method, hasDigest: terms.expectedDigest.provesContent)
        return rules.judge(
            decision, plan, earlier: barred?.point ?? terms.resume, facts,
            hasDigest: terms.expectedDigest != nil, expectedLength: terms.expectedLength)
    }

    private mutating func takeWhole(
        _ facts: ResponseFacts, _ said: RepresentationClaims, _ reason: DiscardReason?
    ) -> HeadVerdict {
        headDecision = .whole
        claims = said
        partDigests = []
        mirrors?.took(isContinued: false)
        total = facts.contentLength
        if let reason = reason?.text ?? barred?.reason { forgetBytes(reason) } else { version += 1 }
        var place = BodyPlace(start: 0, whole: total, digests: wantedDigests)
        // The row must not name bytes of the old source once new ones are written over them.
        place.forgetsRow = rowNamesBytes
        place.keepsExcerpt = terms.rules.minimumBytes != nil && total == nil
        if !place.forgetsRow, facts.acceptsByteRanges, let total {
            place.segments = offer(facts, from: 0, total: total)
        }
        return .take(place)
    }

    private mutating func takePart(
        _ facts: ResponseFacts, _ said: RepresentationClaims, _ range: Range<Int64>
    ) -> HeadVerdict {
        // Bytes that the answer repeats are written again; durable bytes among them stay durable.
        var known = plan.point?.claims ?? RepresentationClaims()
        known.add(said)
        claims = known
        let reachesEnd = range.upperBound == known.length
        headDecision = .part(range, reachesEnd: reachesEnd)
        mirrors?.took(isContinued: true)
        wasWhole = false
        total = known.length ?? total
        var place = BodyPlace(
            start: range.lowerBound, end: range.upperBound, whole: total, digests: wantedDigests)
        // The writer restarts the file at 0; the row must not name bytes that are not synced, nor
        // get them from a checkpoint that is under way.
        if range.lowerBound == 0 { version += 1 }
        place.forgetsRow = rowNamesBytes && range.lowerBound == 0
        if !place.forgetsRow, reachesEnd, let total {
            place.segments = offer(facts, from: range.lowerBound, total: total)
        }
        return .take(place)
    }

    /// Digests that the whole file is compared by.
    package var wantedDigests: Set<DigestAlgorithm> {
        guard let claims else { return [] }
        var wanted = Set(claims.digests.lazy.map(\.algorithm))
        if let own = terms.expectedDigest { wanted.insert(own.algorithm) }
        return wanted
    }

    // MARK: - Several streams

    /// Several streams, if the answer proves what all of them need.
    private mutating func offer(
        _ facts: ResponseFacts, from offset: Int64, total: Int64
    ) -> SegmentOffer? {
        guard terms.streams > 1, terms.method == .get, let etag = facts.strongETag,
            facts.coding == nil, total - offset >= terms.segmentsAtLeast
        else { return nil }
        // Neither a limit on the speed nor earlier content with a wrong digest goes together with
        // several streams.
        guard !isSegmented, order == nil, !isLimited, mismatches == 0 else { return nil }
        isSegmented = true
        return SegmentOffer(etag: etag, total: total, streams: terms.streams)
    }

    /// The head of a further stream is complete: only a part of the same file that begins where it
    /// was asked for is taken (RFC 9110 sections 13.1.5 and 15.3.7).
    ///
    /// - Parameters:
    ///   - facts: the head.
    ///   - start: the first byte that was asked for.
    ///   - offer: what the stream was asked with.
    ///   - now: the database's clock.
    /// - Returns: what becomes of its body.
    package mutating func pieceArrived(
        _ facts: ResponseFacts, from start: Int64, of offer: SegmentOffer, now: Timestamp
    ) -> PieceVerdict {
        guard [200, 203, 206, 416].contains(facts.status) else { return .refused }
        guard facts.status == 206, facts.ambiguity == nil, facts.coding == nil,
            facts.strongETag == offer.etag, let range = facts.contentRange?.range,
            facts.contentRange?.total == offer.total, range.lowerBound == start
        else { return .other }
        let said = RepresentationClaims(facts, now: now)
        guard claims?.contradiction(to: said) == nil else { return .other }
        claims?.add(said)
        return .take(range)
    }

    /// A further stream has ended and its bytes are in the file.
    ///
    /// - Parameters:
    ///   - end: its end.
    ///   - verdict: that of its head; nil if none came.
    /// - Returns: what that means for the others.
    package mutating func pieceEnded(_ end: TransferEnd, _ verdict: PieceVerdict?) -> PieceEnd {
        // It is unknown which of its bytes are the announced ones.
        guard !end.body.isOverEnd else { return .discardBeyondPrefix }
        if case .take(let range) = verdict { noteDigests(of: end, range: range) }
        switch verdict {
        case .other: return .discardBeyondPrefix
        case .refused: return .stop
        case .take, nil:
            // A head that is no HTTP, or that contradicts itself, may be another file's as well.
            switch end.outcome {
            case .oddRange: return .discardBeyondPrefix
            case .failed(let failure) where failure.code == .badServerResponse:
                return .discardBeyondPrefix
            default: return end.body.trouble == nil ? .goOn : .stop
            }
        }
    }
}
