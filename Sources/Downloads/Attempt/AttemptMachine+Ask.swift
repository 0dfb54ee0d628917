// The questions of an attempt: its preparations, and the next question after each answer.

extension AttemptMachine {
    /// The attempt begins.
    package mutating func begin() -> AttemptAction {
        guard !terms.mayHaveBeenSent else {
            return report(.failed(RepeatRules.outcomeUnknown, kept: nil, told: nil))
        }
        phase = .preparing
        return .prepare
    }

    /// The request was read.
    package mutating func prepared(_ start: AttemptStart) -> AttemptAction {
        switch start {
        case .badAddress(let failure):
            return report(.failed(failure, kept: nil, told: nil))
        case .unreadable(let failure):
            return report(.failed(failure, kept: terms.resume, told: nil))
        case .ready(let isRepeatable):
            self.isRepeatable = isRepeatable
        }
        noteLoss()
        plan = ResumePlan(
            terms.resume, instance: terms.instance, hasDigest: terms.expectedDigest.provesContent)
        guard let point = plan.point ?? terms.resume, point.offset > 0 || point.whole != nil else {
            return next()
        }
        guard point.instance == terms.instance else {
            let reason =
                point.source == nil
                ? "another replica has the bytes" : ResumePoint.bytesElsewhere
            forgetBytes(point.void ?? reason, bytes: point.offset)
            return next()
        }
        // A file that is not continued becomes this attempt's as well, so that it has an owner.
        let isUsed = plan != .whole
        guard isUsed || point.source == nil else {
            forgetBytes(point.void ?? ResumePoint.bytesElsewhere, bytes: point.offset)
            return next()
        }
        phase = .adopting(point, isUsed: isUsed)
        return .adopt(fence: point.fence, length: isUsed ? point.offset : 0)
    }

    /// Counts bytes of an earlier attempt that were received after its last checkpoint and lost.
    private mutating func noteLoss() {
        let lost = terms.received - (terms.resume?.offset ?? 0)
        guard lost > 0 else { return }
        tally.discarded = lost
        tally.reason = AttemptMachine.lostWithAttempt
    }

    /// An earlier attempt's file was taken over, or it was not there.
    package mutating func adopted(_ isThere: Bool) -> AttemptAction {
        guard case .adopting(let point, let isUsed) = phase else { return unexpected() }
        guard isUsed, isThere else {
            plan = .whole
            forgetBytes(
                !isUsed
                    ? point.void ?? "the origin sent no validator"
                    : point.source == nil ? "the part file is gone" : ResumePoint.bytesElsewhere,
                bytes: point.offset)
            return next()
        }
        tally.resumedFrom = point.offset
        bytesHere = point.offset
        total = point.total
        // The file has another name now; a crash before this is written only costs the bytes.
        var moved = point
        (moved.fence, moved.source) = (terms.fence, nil)
        phase = .moving
        return .move(moved)
    }

    /// The row names the file by its new name, or could not be written; a whole file needs only
    /// its digests.
    package mutating func moved() -> AttemptAction {
        guard order == nil, let isVerified = plan.point?.whole else { return next() }
        return complete(isLengthVerified: isVerified, isDescribed: false)
    }

    /// The row was marked, or the attempt has lost it.
    package mutating func marked(_ isMarked: Bool) -> AttemptAction {
        isMarked ? ask() : report(.stopped(.abandon, kept: nil))
    }

    /// The next question, unless an order or the number of questions ends the attempt.
    mutating func next() -> AttemptAction {
        if let order { return stop(order) }
        guard asksLeft > 0, partsLeft > 0 else {
            return keep(.failure(AttemptMachine.senselessRanges))
        }
        guard isRepeatable else {
            phase = .marking
            return .markSent
        }
        return ask()
    }

    /// The shell has nothing to ask with, although it reported that it does.
    package mutating func cannotAsk() -> AttemptAction { unexpected() }

    private mutating func ask() -> AttemptAction {
        headDecision = .nothing
        phase = .asking
        return .ask(AttemptQuestion(plan, condition))
    }

    /// An answer led to another question.
    mutating func askAgain(_ plan: ResumePlan) -> AttemptAction {
        self.plan = plan
        asksLeft -= 1
        partsLeft -= 1
        return next()
    }

    /// A part was taken, and the bytes behind it are asked for.
    mutating func askOn(from point: ResumePoint) -> AttemptAction {
        plan = .from(point)
        asksLeft = AttemptMachine.asksAtMost
        partsLeft -= 1
        return next()
    }

    /// Ends by an order.
    mutating func stop(_ order: RunOrder) -> AttemptAction {
        switch order {
        case .cancel where terms.isShared: return keep(.order(order))
        case .cancel: return discard(then: .stopped(order, kept: nil))
        // The row may name these bytes; if not, the sweep takes them.
        case .abandon: return report(.stopped(order, kept: nil))
        case .suspend, .release, .yield: return keep(.order(order))
        }
    }

    mutating func keep(_ keeping: DeferredReport) -> AttemptAction {
        phase = .keeping(keeping)
        return .keep
    }

    mutating func discard(then outcome: AttemptOutcome<VerifiedBody>) -> AttemptAction {
        phase = .discarding(outcome)
        version += 1
        return .discard
    }

    /// The shell reported what it was not asked for: a fault of this program ends the attempt only.
    mutating func unexpected() -> AttemptAction {
        discard(
            then: .failed(
                DownloadFailure(
                    .resourceUnavailable,
                    detail: "an internal error: events of the attempt came in the wrong order"),
                kept: nil, told: nil))
    }

    /// Asked in every way, the origin answers with parts that were not asked for.
    private static let senselessRanges = DownloadFailure(
        .network, code: .badServerResponse,
        detail: "the origin repeatedly answered with unusable ranges",
        isRetryable: true)
}
