// The mirror that is asked next, and the end of a round over all mirrors.
import Base
import Downloads
import Testing

@Suite struct MirrorBookTests {
    private static let now = Timestamp(seconds: 1_795_309_200)
    private static let schedule = RetrySchedule(
        base: .seconds(10), cap: .seconds(100), maximumAttempts: 3)
    private static let lost = DownloadFailure(
        .network, code: .networkConnectionLost, detail: "it broke", isRetryable: true)
    private static let gone = AttemptVerdict.failure(status: 404)
    private static let locked = AttemptVerdict.failure(status: 403)
    private static let busy = AttemptVerdict.failure(status: 429)

    /// A failure because the digest of a whole file differs.
    private static func wrong(isWhole: Bool = true) -> DownloadFailure {
        DownloadFailure(
            .permanent, code: .digestMismatch, detail: "wrong", isRetryable: !isWhole)
    }

    /// The current mirror fails; the dice give the longest wait, 10 s after the first round.
    private func fail(
        _ book: inout MirrorBook, _ failure: DownloadFailure, progress: Bool = false,
        attemptsWithoutProgress: Int = 0, retryAfter: Duration? = nil, now: Timestamp = now,
        left: Duration = .seconds(100_000)
    ) -> MirrorVerdict {
        var dice = LoadedDice(face: .max)
        let end = FailedAttempt(
            failure: failure, madeProgress: progress,
            attemptsWithoutProgress: attemptsWithoutProgress,
            told: retryAfter.map { ToldWait(time: $0) },
            now: now, deadline: Self.now + left)
        return book.decide(end, schedule: Self.schedule, using: &dice)
    }

    @Test func eachMirrorIsTriedOncePerRound() {
        var book = MirrorBook(count: 3)
        for (failure, next) in [(Self.gone, 1), (Self.locked, 2)] {
            let turn = fail(&book, failure, attemptsWithoutProgress: 1)
            #expect(turn.verdict == .retry(at: Self.now, cool: nil, attemptsWithoutProgress: 1))
            #expect(turn.isSwitch && turn.failure == failure && book.current == next)
        }
        let last = fail(&book, Self.lost, attemptsWithoutProgress: 1)
        #expect(
            last.verdict
                == .retry(at: Self.now + .seconds(20), cool: nil, attemptsWithoutProgress: 2))
        #expect(!last.isSwitch && last.failure.code == Self.lost.code)
        #expect(book.current == 2, "the next round begins where there is hope")
        #expect(last.failure.detail.contains("none of 3 urls worked"))
        #expect(book.states.allSatisfy { !$0.isTried && $0.failure == nil })
    }

    /// Rounds that brought nothing are counted, turns are not.
    @Test func attemptBudgetCountsRounds() {
        var book = MirrorBook(count: 2)
        _ = fail(&book, Self.lost, attemptsWithoutProgress: 2)
        guard case .fail(let failure) = fail(&book, Self.lost, attemptsWithoutProgress: 2).verdict
        else {
            Issue.record("another round")
            return
        }
        #expect(failure.detail.contains("3 rounds over all urls without progress"))
        book = MirrorBook(count: 2)
        let first = fail(&book, Self.lost, progress: true, attemptsWithoutProgress: 2)
        #expect(first.verdict == .retry(at: Self.now, cool: nil, attemptsWithoutProgress: 0))
        let second = fail(&book, Self.gone)
        #expect(
            second.verdict
                == .retry(at: Self.now + .seconds(10), cool: nil, attemptsWithoutProgress: 0))
        #expect(!book.hasProgress, "the next round counts anew")
    }

    @Test func mostRecoverableFailureIsReported() {
        var book = MirrorBook(count: 3)
        for failure in [Self.gone, Self.locked] { _ = fail(&book, failure) }
        guard case .attention(let attention) = fail(&book, Self.gone).verdict else {
            Issue.record("a client can mend a 403")
            return
        }
        #expect(attention.code == Self.locked.code && book.current == 1)
        book = MirrorBook(count: 2)
        _ = fail(&book, Self.wrong())
        guard case .fail(let end) = fail(&book, Self.gone).verdict else {
            Issue.record("nothing is left")
            return
        }
        #expect(end.code == Self.gone.code && end.detail.contains("digest_mismatch"))
    }

    @Test func mirrorWithRetryAfterIsSkipped() {
        var book = MirrorBook(count: 2)
        let first = fail(&book, Self.busy, retryAfter: .seconds(600))
        #expect(
            first.verdict
                == .retry(at: Self.now, cool: Self.now + .seconds(600), attemptsWithoutProgress: 0))
        let round = fail(&book, Self.lost)
        #expect(
            round.verdict
                == .retry(at: Self.now + .seconds(10), cool: nil, attemptsWithoutProgress: 1))
        #expect(book.current == 1, "the first one is not to be asked yet")
        // The mirror's answer of the last round still counts.
        let second = fail(&book, Self.gone, now: Self.now + .seconds(20))
        #expect(second.failure.code == Self.busy.code && !second.isSwitch)
        // The wait is the time that is left and a tenth more, and counts as no attempt.
        #expect(second.verdict.instant == Self.now + .seconds(600 + 58))
        #expect(second.verdict.attempts == 0 && second.verdict.uncountedWaits?.toldWaits == 1)
        #expect(book.current == 0, "it is the only one that may do better, when its time comes")
    }

    /// Two mirrors are at the origin that asks for time, and one is at another origin.
    @Test func retryAfterAppliesToAllMirrorsOfAnOrigin() {
        var book = MirrorBook(count: 4)
        book.notePushbacks([nil, nil, Self.now + .seconds(60), nil], now: Self.now)
        var dice = LoadedDice(face: .max)
        let end = FailedAttempt(
            failure: Self.busy, madeProgress: false, attemptsWithoutProgress: 0,
            told: ToldWait(time: .seconds(600)),
            now: Self.now, deadline: Self.now + .seconds(100_000))
        let turn = book.decide(end, neighbors: [1], schedule: Self.schedule, using: &dice)
        #expect(turn.isSwitch && book.current == 3)
        let round = fail(&book, Self.gone)
        #expect(round.verdict.instant == Self.now + .seconds(66) && round.verdict.attempts == 0)
        #expect(book.current == 2 && round.failure.failureClass == .pushback)
    }

    @Test func localFailureConsumesNoMirrorTurn() {
        let full = DownloadFailure(
            .internal, code: .cannotWriteToFile, detail: "x", isRetryable: true)
        for failure in [full, DownloadFailure.tooLong(9, most: 8)] {
            var book = MirrorBook(count: 2)
            #expect(!fail(&book, failure).isSwitch)
            #expect(book == MirrorBook(count: 2))
        }
        var late = MirrorBook(count: 2)
        let turn = fail(&late, Self.lost, left: .zero)
        #expect(turn.verdict == .fail(.resourceTimeout))
    }

    @Test func mirrorWithAnotherRepresentationIsExcluded() {
        var book = MirrorBook(count: 2)
        book.took(isContinued: false)
        #expect(fail(&book, Self.wrong()).isSwitch)
        #expect(book.states[0].isOut && book.current == 1 && book.sources.isEmpty)
        // The other mirror may be asked without a bound.
        for _ in 0..<3 {
            guard case .retry = fail(&book, Self.lost).verdict else {
                Issue.record("it is not over")
                return
            }
            #expect(book.current == 1)
        }
        book.took(isContinued: false)
        guard case .fail(let failure) = fail(&book, Self.wrong()).verdict else {
            Issue.record("all are out")
            return
        }
        #expect(failure.code == .digestMismatch && failure.failureClass == .permanent)
    }

    @Test func digestMismatchAcrossMirrorsRestartsFromOne() {
        var book = MirrorBook(count: 2)
        book.took(isContinued: false)
        _ = fail(&book, Self.lost, progress: true)
        book.took(isContinued: true)
        #expect(book.sources == [0, 1])
        let again = fail(&book, Self.wrong(isWhole: false), attemptsWithoutProgress: 1)
        #expect(again.verdict == .retry(at: Self.now, cool: nil, attemptsWithoutProgress: 1))
        #expect(!again.isSwitch && again.failure.isRetryable)
        #expect(book.isAlone && book.current == 1 && book.sources.isEmpty)
        #expect(book.states.allSatisfy { $0.misses == 0 }, "nobody is to blame yet")
        // A mirror that brings bytes is kept.
        book.took(isContinued: false)
        let cut = fail(&book, Self.lost, progress: true)
        #expect(
            cut.verdict
                == .retry(at: Self.now + .seconds(10), cool: nil, attemptsWithoutProgress: 0))
        #expect(book.current == 1 && book.sources == [1])
        // Several answers of one mirror: it gets one more chance.
        book.took(isContinued: true)
        _ = fail(&book, Self.wrong(isWhole: false))
        #expect(!book.states[1].isOut && book.states[1].misses == 1)
    }

    /// All bytes came from mirror 0, and mirror 1 only said that there are no more.
    @Test func mirrorWithoutBytesIsNotBlamedForADigestMismatch() {
        var book = MirrorBook(count: 2)
        book.took(isContinued: false)
        _ = fail(&book, Self.lost, progress: true)
        let turn = fail(&book, Self.wrong())
        #expect(turn.verdict == .retry(at: Self.now, cool: nil, attemptsWithoutProgress: 0))
        #expect(book.current == 1 && book.states[0].misses == 1 && book.states[1].misses == 0)
        #expect(!book.states[0].isOut && !book.states[1].isTried)
    }

    @Test func storedFormKeepsAllMirrorState() {
        var book = MirrorBook(count: 3)
        #expect(MirrorBook(stored: book.json) == book)
        book.took(isContinued: false)
        _ = fail(&book, Self.busy, progress: true, retryAfter: .seconds(600))
        book.states[0].validators.isKnown = true
        book.states[0].validators.entityTag = "\"a\""
        book.states[0].validators.lastModified = "Fri, 01 Nov 2019 10:00:00 GMT"
        book.states[0].validators.isDateStrong = true
        _ = fail(&book, Self.wrong())
        book.took(isContinued: true)
        #expect(MirrorBook(stored: book.json) == book)
        let bad: [JSON?] = [
            nil, "x", ["current": 1, "pages": [[:]]], ["current": 0, "pages": []],
        ]
        for value in bad { #expect(MirrorBook(stored: value) == nil) }
    }

    @Test func validatorsAreKeptForEachMirror() throws {
        var facts = ResponseFacts(status: 200, url: "https://a.example/")
        facts.etag = "\"a\""
        var point = ResumePoint(
            offset: 5, fence: 2, instance: "here", facts: facts, total: 9, restarts: 0,
            now: Self.now)
        point.void = "the source changed"
        var book = MirrorBook(count: 2)
        book.took(isContinued: false)
        _ = fail(&book, Self.lost, progress: true)
        let other = try #require(point.turned(to: &book, from: 0, attention: nil))
        #expect(other.ifRange == nil && other.offset == 5 && other.void == nil)
        #expect(other.mirrors?.states[0].validators.strongETag == "\"a\"")
        // The turn back to the first mirror.
        _ = fail(&book, Self.lost)
        let back = try #require(other.turned(to: &book, from: 1, attention: nil))
        #expect(back.ifRange == "\"a\"" && back.mirrors == book)
        #expect(ResumePoint(stored: back.json) == back)
        #expect(other.withoutMirrors?.etag == "\"a\"" && other.withoutMirrors?.mirrors == nil)
        #expect(point.withoutMirrors == nil)
    }

    @Test(arguments: [(200, "100", nil), (206, "1", "bytes 9000000-9000000/9000001")])
    func largePartIsKeptOnTheFirstContradiction(_ status: Int, _ length: String, _ range: String?) {
        var facts = ResponseFacts(status: status, url: "https://b.example/")
        facts.contentLength = Int64(length)
        facts.contentRange = range.flatMap { ContentRange($0) }
        var point = ResumePoint(mismatches: 0, fence: 1, instance: "here")
        point.offset = 9_000_000
        point.total = 9_500_000
        var book = MirrorBook(count: 2)
        book.took(isContinued: false)
        #expect(book.otherContent(than: point, facts) == nil, "its own source changed")
        _ = fail(&book, Self.lost, progress: true)
        point.offset = 4000
        #expect(book.otherContent(than: point, facts) == nil, "a few bytes are soon here again")
        point.offset = 9_000_000
        #expect(book.otherContent(than: point, facts)?.code == .sizeMismatch)
        #expect(MirrorBook(stored: book.json) == book)
        #expect(book.otherContent(than: point, facts) == nil, "it was right, perhaps")
        var known = book
        known.states[1].isOtherContent = false
        point.claims.validators.entityTag = "\"b\""
        #expect(known.otherContent(than: point, facts) == nil)
        point.claims.validators.entityTag = nil
        point.total = status == 200 ? 100 : 9_000_001
        #expect(known.otherContent(than: point, facts) == nil)
    }

    @Test func bytesOfAnotherMirrorAreDroppedAfterAMismatch() {
        var point = ResumePoint(mismatches: 0, fence: 1, instance: "here")
        point.offset = 5
        var book = MirrorBook(count: 2)
        book.took(isContinued: false)
        _ = fail(&book, Self.lost, progress: true)
        book.took(isContinued: true)
        _ = fail(&book, Self.wrong(isWhole: false))
        book.took(isContinued: false)
        #expect(book.isAlone && book.current == 1)
        #expect(point.turned(to: &book, from: 1, attention: nil)?.offset == 5)
        _ = fail(&book, Self.gone)
        #expect(book.current == 0)
        #expect(point.turned(to: &book, from: 1, attention: nil) == nil)
        #expect(book.sources.isEmpty)
    }
}
