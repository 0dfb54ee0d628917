// What follows from the end of an attempt: again, never, or the client's turn.
import Core
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
            attemptsWithoutProgress: attemptsWithoutProgress, retryAfter: retryAfter,
            now: Self.now, deadline: Self.now + left)
        return AttemptVerdict.decide(end, schedule: Self.schedule, using: &dice)
    }

    private static let statuses: [(Int, FailureClass, FailureCode, Bool)] = [
        (401, .attention, .userAuthenticationRequired, true),
        (403, .attention, .userAuthenticationRequired, true),
        (407, .attention, .userAuthenticationRequired, true),
        (429, .pushback, .httpStatus, true), (503, .pushback, .httpStatus, true),
        (408, .network, .httpStatus, true), (425, .network, .httpStatus, true),
        (500, .network, .httpStatus, true), (502, .network, .httpStatus, true),
        (504, .network, .httpStatus, true),
        (404, .server, .resourceUnavailable, false),
        (410, .server, .resourceUnavailable, false),
        (400, .server, .httpStatus, false), (402, .server, .httpStatus, false),
        (405, .server, .httpStatus, false), (416, .server, .httpStatus, false),
        (451, .server, .httpStatus, false), (501, .server, .httpStatus, false),
        (505, .server, .httpStatus, false), (201, .server, .httpStatus, false),
        (304, .server, .httpStatus, false), (999, .server, .httpStatus, false),
    ]

    @Test(arguments: statuses)
    func everyStatusMapsToAFailureClass(
        _ status: Int, _ failureClass: FailureClass, _ code: FailureCode, _ isRetryable: Bool
    ) {
        let failure = AttemptVerdict.failure(status: status)
        #expect(failure.failureClass == failureClass)
        #expect(failure.code == code)
        #expect(failure.isRetryable == isRetryable)
        #expect(failure.httpStatus == status)
        #expect(failure.detail.contains("\(status)"))
        switch decide(failure) {
        case .retry: #expect(isRetryable && failureClass != .attention)
        case .attention: #expect(failureClass == .attention)
        case .wait: Issue.record("a status comes from an origin that is reached")
        case .fail: #expect(!isRetryable)
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
                case .retry(_, _, let attemptsWithoutProgress) = decide(
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
        #expect(failure.detail == "it broke; 3 attempts without progress are the limit")
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

    @Test(arguments: [
        (Duration.zero, Duration.seconds(1)), (.milliseconds(10), .seconds(1)),
        (.seconds(5), .seconds(5)), (.seconds(86_400), .seconds(86_400)),
        (.seconds(729_373_563), .seconds(86_400)),
    ])
    func retryAfterIsBoundedAndCoolsTheOrigin(_ asked: Duration, _ obeyed: Duration) {
        let until = Self.now + obeyed
        #expect(
            decide(retryAfter: asked, face: 1)
                == .retry(at: until, cool: until, attemptsWithoutProgress: 1))
    }

    @Test func retryWaitsForTheLongerOfBackoffAndRetryAfter() {
        #expect(
            decide(retryAfter: .seconds(4))
                == .retry(
                    at: Self.now + .seconds(10), cool: Self.now + .seconds(4),
                    attemptsWithoutProgress: 1))
    }

    @Test func retryNeverExceedsTheDeadline() {
        let end = Self.now + .seconds(3)
        #expect(decide(left: .seconds(3)) == .retry(at: end, cool: nil, attemptsWithoutProgress: 1))
        #expect(
            decide(retryAfter: .seconds(60), left: .seconds(3), face: 1)
                == .retry(at: end, cool: end, attemptsWithoutProgress: 1))
        #expect(decide(left: .zero) == .fail(.resourceTimeout))
        #expect(decide(progress: true, left: .seconds(-1)) == .fail(.resourceTimeout))
        // What can never work is told as what it is, also at the end.
        let gone = AttemptVerdict.failure(status: 404)
        #expect(decide(gone, left: .zero) == .fail(gone))
    }
}
