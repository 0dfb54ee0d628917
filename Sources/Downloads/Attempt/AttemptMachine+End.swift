// The end of a transfer: another question, the proof that the file is whole, or a failure.
package import Base

extension AttemptMachine {
    /// The most digests of parts that are compared; each costs a look at a piece of the file.
    private static let partDigestsAtMost = 1024
    /// The number of times that content with another digest than announced is fetched again.
    private static let mismatchesAtMost: Int64 = 2

    /// Handles the end of the transfer that answers the current question.
    ///
    /// - Parameters:
    ///   - end: how.
    ///   - now: the database's clock.
    /// - Returns: what follows.
    package mutating func ended(_ end: TransferEnd, now: Timestamp) -> AttemptAction {
        guard case .asking = phase else { return unexpected() }
        if end.wasSent, !isRepeatable { wasSent = true }
        switch headDecision {
        case .whole: noteDigests(of: end, range: nil)
        case .part(let range, _): noteDigests(of: end, range: range)
        default: break
        }
        guard end.body.hasStreams else { return decide(end, now) }
        phase = .gathering(end)
        return .gather
    }

    /// All other streams are over.
    package mutating func gathered(_ body: BodyEnd, now: Timestamp) -> AttemptAction {
        guard case .gathering(var end) = phase else { return unexpected() }
        let was = end.body
        end.body = body
        (end.body.isOverEnd, end.body.isOverBound) = (was.isOverEnd, was.isOverBound)
        guard body.isCut else { return decide(end, now) }
        wasWhole = false
        guard order == nil, body.trouble == nil, !body.isComplete else { return decide(end, now) }
        phase = .restarting(end, isPart: false)
        return .restart
    }

    /// The next answer may go behind what is here.
    ///
    /// - Parameters:
    ///   - place: the first byte that is missing; nil if nothing is here or can be written.
    ///   - now: the database's clock.
    /// - Returns: the question for the rest, where the bytes can be continued.
    package mutating func restarted(at place: Int64?, now: Timestamp) -> AttemptAction {
        guard case .restarting(let end, let isPart) = phase else { return unexpected() }
        guard let place, let point = resumePoint(durable: place) else {
            return isPart ? conclude(end, now) : decide(end, now)
        }
        // A checkpoint may have named the bytes that came so far.
        rowNamesBytes = true
        bytesHere = place
        return isPart ? askOn(from: point) : askAgain(.from(point))
    }

    /// The next question, if the answer leads to one; without one, the outcome of the attempt.
    private mutating func decide(_ end: TransferEnd, _ now: Timestamp) -> AttemptAction {
        if case .oddRange = end.outcome, plan != .whole {
            bar(.unusable("206 without a usable Content-Range"))
            return askAgain(.whole)
        }
        switch headDecision {
        case .barred(let reason):
            // A told time and a retry rule are obeyed first; the Range is not the cause of these
            // answers.
            if let facts = end.facts, let told = told(end, now) {
                return keep(.status(facts, told: told, now: now))
            }
            bar(reason)
            return askAgain(.whole)
        case .plainRange:
            guard case .from(var point) = plan else { break }
            point.usesPlainRange = true
            return askAgain(.from(point))
        case .part where end.body.isOverEnd:
            // It is unknown which of its bytes are the announced ones.
            forgetBytes("the origin sent more bytes than its Content-Range says")
            // A checkpoint may have named some of these bytes.
            rowNamesBytes = true
            return askAgain(.whole)
        case .part(let range, reachesEnd: false):
            guard case .completed = end.outcome, end.bytes == Int64(range.count),
                !end.body.isComplete
            else { break }
            phase = .restarting(end, isPart: true)
            return .restart
        case .notModified(doubt: .some):
            guard case .completed = end.outcome else { break }
            condition?.dropValidators()
            asksLeft += 1
            return askAgain(plan)
        case .error where isMovedAway(end) && told(end, now) == nil:
            askedAgain = true
            return askAgain(plan)
        default: break
        }
        return conclude(end, now)
    }

    /// The way on from the bytes that are here is barred; they stay until the whole comes.
    private mutating func bar(_ reason: DiscardReason) {
        guard let point = plan.point else { return }
        barred = (point, reason.text)
    }

    /// Whether a redirect led to an address that refuses, such as an expired signed URL: the
    /// original URL may lead to a fresh one.
    private func isMovedAway(_ end: TransferEnd) -> Bool {
        guard let facts = end.facts,
            [401, 403, 404, 410].contains(facts.status) || facts.isExpired400
        else { return false }
        return end.redirects > 0 && isRepeatable && !askedAgain
    }

    /// The time of the next try that the answer tells; nil for none.
    private func told(_ end: TransferEnd, _ now: Timestamp) -> ToldWait? {
        guard let facts = end.facts else { return nil }
        return end.told.wait(status: facts.status, method: terms.method, now: now)
    }

    private mutating func conclude(_ end: TransferEnd, _ now: Timestamp) -> AttemptAction {
        if let order, end.outcome == .cancelled { return stop(order) }
        if end.body.isComplete { return complete(isLengthVerified: true) }
        switch headDecision {
        case .alreadyWhole: return complete(isLengthVerified: true, isDescribed: false)
        case .error:
            guard let facts = end.facts else { break }
            return keep(.status(facts, told: told(end, now), now: now))
        case .rejected(let failure): return keep(.failure(failure))
        case .ambiguous(let reason):
            return keep(
                .failure(
                    DownloadFailure(
                        .network, code: .badServerResponse,
                        detail: "the origin's answer contradicts itself: \(reason)",
                        isRetryable: true)))
        case .whole:
            guard case .completed(let isVerified) = end.outcome else { break }
            return complete(isLengthVerified: isVerified)
        case .part(let range, let reachesEnd):
            guard case .completed = end.outcome else { break }
            guard reachesEnd, end.bytes == Int64(range.count) else {
                return lengthDiffers(end.bytes)
            }
            return complete(isLengthVerified: true)
        case .notModified(doubt: nil):
            guard case .completed = end.outcome else { break }
            return discard(then: .unchanged(.notModified))
        case .nothing, .barred, .plainRange, .notModified: break
        }
        return broken(end)
    }

    /// The transfer did not bring an answer to its end.
    private mutating func broken(_ end: TransferEnd) -> AttemptAction {
        if let order { return stop(order) }
        if let trouble = end.body.trouble { return notWritten(trouble) }
        if end.body.isOverBound, let failure = terms.overBound { return keep(.failure(failure)) }
        switch end.outcome {
        case .failed(let failure), .oddRange(let failure): return keep(.failure(failure))
        case .refused: return keep(.failure(AttemptMachine.streamsEnded))
        case .cancelled, .completed:
            return keep(
                .failure(
                    DownloadFailure(
                        .resourceUnavailable, detail: "The service could not process the answer.")))
        }
    }

    // MARK: - The file

    mutating func complete(
        isLengthVerified: Bool, isDescribed: Bool = true
    ) -> AttemptAction {
        phase = .completing(isLengthVerified: isLengthVerified, isDescribed: isDescribed)
        return .complete(wantedDigests)
    }

    /// The file has its end and its digests, or could not be written.
    package mutating func completed(_ result: Result<WholeFile, WriteTrouble>) -> AttemptAction {
        guard case .completing(let isLengthVerified, let isDescribed) = phase else {
            return unexpected()
        }
        let file: WholeFile
        switch result {
        case .success(let whole): file = whole
        case .failure(let trouble): return notWritten(trouble)
        }
        if let known = plan.point?.sha256, known != file.sha256 {
            return discard(then: .failed(AttemptMachine.damagedFile, kept: nil, told: nil))
        }
        if let total, total != file.length { return lengthDiffers(file.length) }
        let isNamed = !(claims?.digests ?? []).isEmpty
        if let failure = terms.rules.refusal(ofLength: file.length, terms.expectedLength)
            ?? mismatch(file)
        {
            return discard(then: .failed(failure, kept: nil, told: nil))
        }
        if let condition, condition.digest == file.sha256 {
            return discard(then: .unchanged(.sameDigest))
        }
        let body = VerifiedBody(
            length: file.length,
            isLengthVerified: isLengthVerified || total != nil || isNamed
                || terms.expectedDigest != nil,
            isDescribed: isDescribed)
        let parts = partDigests.filter { !$0.range.isEmpty && $0.range.upperBound <= file.length }
        guard !parts.isEmpty else { return report(.complete(body)) }
        phase = .comparing(body)
        return .compare(parts)
    }

    /// Parts of the file were read back and digested; the result is the first part whose digest
    /// differs from the announced one, nil if all agree.
    package mutating func compared(_ result: Result<PartDigest?, WriteTrouble>) -> AttemptAction {
        guard case .comparing(let body) = phase else { return unexpected() }
        switch result {
        case .failure(let trouble): return notWritten(trouble)
        case .success(nil): return report(.complete(body))
        case .success(let part?):
            let failure = originMismatch(
                "the origin announced the digest \(part.digest.text) of bytes "
                    + "\(part.range.lowerBound) to \(part.range.upperBound - 1), but the file has "
                    + "other bytes there")
            return discard(then: .failed(failure, kept: nil, told: nil))
        }
    }

    /// The bytes of the file were synced up to a place; nil if the sync failed.
    package mutating func kept(durable: Int64?) -> AttemptAction {
        guard case .keeping(let keeping) = phase else { return unexpected() }
        var point = durable.flatMap { resumePoint(durable: $0) }
        switch keeping {
        case .order(let order): return report(.stopped(order, kept: point))
        case .failure(let failure):
            if failure.code == .sourceChanged { point?.void = failure.detail }
            return report(.failed(failure, kept: point, told: nil))
        case .status(let facts, let told, let now):
            let expiry = SignedURL.expiry(of: facts.url) ?? SignedURL.expiry(of: terms.address)
            let isOver = expiry.map { $0 <= now } ?? false
            let failure = AttemptVerdict.failure(
                status: facts.status, method: terms.method, hasBytes: point != nil,
                isExpired: facts.saysExpired || isOver && facts.status != 400,
                isProxied: terms.isProxied, lacksCredentials: facts.lacksCredentials)
            return report(.failed(failure, kept: point, told: told))
        }
    }

    /// The file is removed.
    package mutating func discarded() -> AttemptAction {
        guard case .discarding(let outcome) = phase else { return unexpected() }
        return report(outcome)
    }

    /// The bytes of this attempt are given up: halves of many files would fill the disk, and none
    /// of them could be finished.
    package mutating func retreated(durable: Int64) -> AttemptAction {
        report(.outOfRoom(kept: resumePoint(durable: durable)))
    }

    private mutating func notWritten(_ trouble: WriteTrouble) -> AttemptAction {
        switch trouble {
        case .noRoom:
            phase = .retreating
            return .retreat
        case .failed:
            let failure = DownloadFailure(
                .cannotWriteToFile, detail: "the file could not be written")
            return discard(then: .failed(failure, kept: nil, told: nil))
        }
    }

    private mutating func lengthDiffers(_ count: Int64) -> AttemptAction {
        let failure = DownloadFailure(
            .network, code: .sizeMismatch,
            detail: "the origin announced \(total.map { "\($0)" } ?? "more") bytes and sent "
                + "\(count)",
            isRetryable: true)
        return discard(then: .failed(failure, kept: nil, told: nil))
    }

    // MARK: - Digests

    /// Adds the claims of a complete answer about its own bytes, trailers included.
    ///
    /// - Parameters:
    ///   - end: the end of its transfer.
    ///   - range: the bytes that it brought; nil for the whole.
    mutating func noteDigests(of end: TransferEnd, range: Range<Int64>?) {
        guard case .completed = end.outcome, let facts = end.facts else { return }
        claims?.add(digests: facts.wholeDigests)
        guard let range, partDigests.count < AttemptMachine.partDigestsAtMost else { return }
        partDigests += facts.messageDigests.map { PartDigest(range, $0) }
    }

    /// The failure of a whole file whose digest is another than was named, or nil; the client's
    /// digest is looked at first.
    private mutating func mismatch(_ file: WholeFile) -> DownloadFailure? {
        if let expected = terms.expectedDigest,
            file.digest(expected.algorithm) != expected.hexadecimal
        {
            // Bytes of two attempts may belong to two versions: once from the start decides, and in
            // one stream.
            if isSegmented { mismatches += 1 }
            let found = file.digest(expected.algorithm) ?? "unknown"
            return DownloadFailure(
                .permanent, code: .digestMismatch,
                detail: "the file has the digest \(expected.algorithm.rawValue):\(found), not the "
                    + "expected_digest",
                isRetryable: !wasWhole)
        }
        guard
            let other = claims?.digests.first(where: { file.digest($0.algorithm) != $0.hexadecimal }
            )
        else { return nil }
        return originMismatch(
            "the origin announced the digest \(other.text), but the file has "
                + (file.digest(other.algorithm) ?? "another"))
    }

    /// Content with another digest than announced: fetched again, a bounded number of times.
    private mutating func originMismatch(_ detail: String) -> DownloadFailure {
        mismatches += 1
        let isOver = mismatches > AttemptMachine.mismatchesAtMost
        return DownloadFailure(
            isOver ? .permanent : .network, code: .digestMismatch, detail: detail,
            isRetryable: !isOver)
    }

    /// A complete file that an earlier attempt left has other bytes than it had.
    private static let damagedFile = DownloadFailure(
        .internal, code: .digestMismatch,
        detail: "the file of an earlier attempt has other bytes than were received, so it is "
            + "fetched again", isRetryable: true)

    /// Every stream ended and bytes are missing.
    static let streamsEnded = DownloadFailure(
        .networkConnectionLost, detail: "the streams ended before the file was complete")
}
