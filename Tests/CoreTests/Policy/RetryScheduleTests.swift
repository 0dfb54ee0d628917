// The time until the next attempt, by random choice or by the origin's word.
import Base
import Downloads
import Testing

@Suite struct RetryScheduleTests {
    @Test(arguments: [
        (1, 30), (2, 60), (3, 120), (4, 240), (8, 3840), (10, 15_360), (11, 18_000), (12, 18_000),
        (1000, 18_000),
    ])
    func theCeilingDoublesToTheCap(_ attemptsWithoutProgress: Int, _ seconds: Int) {
        var lowest = LoadedDice(face: 1)
        var highest = LoadedDice(face: .max)
        let schedule = RetrySchedule.standard
        #expect(
            schedule.delay(afterAttemptsWithoutProgress: attemptsWithoutProgress, using: &lowest)
                == .zero)
        #expect(
            schedule.delay(afterAttemptsWithoutProgress: attemptsWithoutProgress, using: &highest)
                == .seconds(seconds))
    }

    @Test func jitterIsSpreadOverTheWholeRange() {
        var random = SeededRandom(seed: 7)
        let ceiling = Duration.seconds(120)
        var quarters = [0, 0, 0, 0]
        for _ in 0..<4000 {
            let delay = RetrySchedule.standard.delay(
                afterAttemptsWithoutProgress: 3, using: &random)
            #expect(delay >= .zero && delay <= ceiling)
            quarters[min(3, Int(delay / ceiling * 4))] += 1
        }
        for count in quarters { #expect((850...1150).contains(count), "\(quarters)") }
    }

    @Test func countsBelowOneAreOne() {
        var dice = LoadedDice(face: .max)
        #expect(
            RetrySchedule.standard.delay(afterAttemptsWithoutProgress: 0, using: &dice)
                == .seconds(30))
    }

    @Test func defaultScheduleMatchesTheDocumentation() {
        #expect(RetrySchedule.standard.maximumAttempts == 8)
        #expect(ToldWait.bounds == .seconds(1) ... .seconds(86_400))
    }

    private static let now = Timestamp(seconds: 1_795_309_200)

    /// RFC 9110 section 10.2.3.
    @Test(arguments: [
        ("0", Duration.zero), ("1", .seconds(1)), ("007", .seconds(7)), ("3600", .seconds(3600)),
        ("Sun, 22 Nov 2026 01:00:30 GMT", .seconds(30)),
        ("Sun, 22 Nov 2026 00:59:30 GMT", .zero),
        ("2.5", .milliseconds(2500)), ("0.000001", .microseconds(1)),
        ("Sun, 22 Nov 2026 01:00:30 UTC", .seconds(30)),
        ("Sun, 22 Nov 2026 01:00:30 +0000", .seconds(30)),
        ("Sunday, 22-Nov-26 01:00:30 UTC", .seconds(30)),
    ])
    func retryAfterIsSecondsOrADate(_ text: String, _ wait: Duration) {
        #expect(RetryAfter.parse(text, now: Self.now) == wait)
    }

    @Test(arguments: ["9999999999", "99999999999", "99999999999999999999999999"])
    func hugeRetryAfterIsKeptWithoutOverflow(_ text: String) throws {
        let wait = try #require(RetryAfter.parse(text, now: Self.now))
        #expect(wait >= .seconds(9_999_999_999))
        #expect(Self.now + wait > Self.now)
    }

    @Test(arguments: [
        "", " ", "-1", "+5", "1.5.2", ".5", "5.", "1s", "0x10", "soon", "١", "5 ", "Sun, 22 Nov",
    ])
    func invalidRetryAfterIsIgnored(_ text: String) {
        #expect(RetryAfter.parse(text, now: Self.now) == nil)
    }
}
