// The verdict after an attempt: another attempt, a final failure, or the client's turn.
import Base
import Downloads
import Testing

@Suite struct AttemptVerdictTests {
    private static let now = Timestamp(seconds: 1_795_309_200)
    private static let schedule = RetrySchedule(
        base: .seconds(10), cap: .seconds(100), maximumAttempts: 3)
    private static let lost = DownloadFailure(
        .network, code: .networkConnectionLost, detail: "it broke", isRetryable: true)

    private func decide(
        _ failure: DownloadFailure = lost, progress: Bool = false, attemptsWithoutProgress: Int = 0,
        retryAfter: Duration? = nil, left: Duration = .seconds(1_000_000), face: UInt64 = .max
    ) -> AttemptVerdict {
        var dice = LoadedDice(face: face)
        let end = FailedAttempt(
            failure: failure, madeProgress: progress,
            attemptsWithoutProgress: attemptsWithoutProgress,
            told: retryAfter.map { ToldWait(time: $0) }, now: Self.now, deadline: Self.now + left)
        return AttemptVerdict.decide(end, schedule: Self.schedule, using: &dice)
    }

    /// Every status but 200, 203 and 206, which bring content, has one rule.
    private static func rule(_ status: Int) -> (FailureClass, FailureCode, Bool) {
        switch status {
        case 401, 403, 407: (.attention, .userAuthenticationRequired, true)
        case 202, 429, 503: (.pushback, .httpStatus, true)
        case 408, 421, 423, 425, 449, 500...599: (.network, .httpStatus, true)
        case 404, 410: (.server, .resourceUnavailable, false)
        default: (.server, .httpStatus, false)
        }
    }

    @Test func everyStatusFrom100To999HasARule() {
        for status in 100...999 {
            let name = Comment(rawValue: "\(status)")
            let (failureClass, code, isRetryable) = Self.rule(status)
            let failure = AttemptVerdict.failure(status: status)
            #expect(failure.failureClass == failureClass, name)
            #expect(failure.code == code, name)
            #expect(failure.isRetryable == isRetryable, name)
            #expect(failure.httpStatus == status, name)
            #expect(failure.detail.contains("\(status)"), name)
            switch decide(failure) {
            case .retry(_, _, let attempts, _):
                #expect(isRetryable && failureClass != .attention, name)
                #expect(attempts == (status == 202 ? 0 : 1), name)
            case .attention: #expect(failureClass == .attention, name)
            case .wait: Issue.record("a status comes from an origin that is reached")
            case .fail: #expect(!isRetryable, name)
            }
        }
    }

    @Test func aPostIsRepeatedOnlyAfterARefusal() {
        for status in 100...999 {
            let failure = RepeatRules.judged(
                AttemptVerdict.failure(status: status, method: .post), isRepeatable: false,
                wasSent: true)
            let isRepeated = failure.isRetryable && failure.failureClass != .attention
            #expect(isRepeated == [408, 425, 429, 503].contains(status), "\(status)")
        }
    }

    @Test func attentionIgnoresTheAttemptBudget() {
        let failure = AttemptVerdict.failure(status: 403)
        #expect(decide(failure, attemptsWithoutProgress: 99) == .attention(failure))
        #expect(decide(failure, left: .seconds(-1)) == .attention(failure))
    }

    @Test func theBudgetCountsAttemptsWithoutProgress() {
        func attemptsWithoutProgress(_ before: Int, progress: Bool) -> Int? {
            guard
                case .retry(_, _, let attemptsWithoutProgress, _) = decide(
                    progress: progress, attemptsWithoutProgress: before)
            else {
                return nil
            }
            return attemptsWithoutProgress
        }
        #expect(attemptsWithoutProgress(0, progress: false) == 1)
        #expect(attemptsWithoutProgress(1, progress: false) == 2)
        #expect(attemptsWithoutProgress(2, progress: false) == nil)
        #expect(attemptsWithoutProgress(2, progress: true) == 0)
        #expect(attemptsWithoutProgress(99, progress: true) == 0)
    }

    @Test func finalFailureNamesWhyThereIsNoRetry() {
        guard case .fail(let failure) = decide(attemptsWithoutProgress: 2) else {
            Issue.record("tried again")
            return
        }
        #expect(failure.code == Self.lost.code)
        #expect(failure.detail == "it broke; the limit of 3 attempts without progress is reached")
        #expect(!failure.isRetryable)
    }

    @Test func jitterIsFullAndDoubles() {
        #expect(
            decide() == .retry(at: Self.now + .seconds(10), cool: nil, attemptsWithoutProgress: 1))
        #expect(
            decide(attemptsWithoutProgress: 1)
                == .retry(at: Self.now + .seconds(20), cool: nil, attemptsWithoutProgress: 2))
        #expect(
            decide(attemptsWithoutProgress: 1, face: 1)
                == .retry(at: Self.now, cool: nil, attemptsWithoutProgress: 2))
        #expect(
            decide(progress: true, attemptsWithoutProgress: 2)
                == .retry(at: Self.now + .seconds(10), cool: nil, attemptsWithoutProgress: 0))
    }

    @Test func retryNeverExceedsTheDeadline() {
        let end = Self.now + .seconds(3)
        #expect(decide(left: .seconds(3)) == .retry(at: end, cool: nil, attemptsWithoutProgress: 1))
        #expect(
            decide(retryAfter: .seconds(60), left: .seconds(3), face: 1).instant == end)
        #expect(decide(left: .zero) == .fail(.resourceTimeout))
        #expect(decide(progress: true, left: .seconds(-1)) == .fail(.resourceTimeout))
        // A failure that can never be repaired is told under its own code, also at the end.
        let gone = AttemptVerdict.failure(status: 404)
        #expect(decide(gone, left: .zero) == .fail(gone))
    }
}
