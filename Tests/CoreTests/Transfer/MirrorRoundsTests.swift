// Mirrors with random luck: rounds end, and no mirror is asked that is barred.
import Base
import Downloads
import Testing

@Suite struct MirrorRoundsTests {
    private static let schedule = RetrySchedule(
        base: .seconds(10), cap: .seconds(100), maximumAttempts: 4)
    private static let failures: [DownloadFailure] = [
        DownloadFailure(
            .network, code: .networkConnectionLost, detail: "x", isRetryable: true),
        AttemptVerdict.failure(status: 404), AttemptVerdict.failure(status: 403),
        AttemptVerdict.failure(status: 429), AttemptVerdict.failure(status: 500),
        DownloadFailure(.permanent, code: .digestMismatch, detail: "x", isRetryable: false),
        DownloadFailure(.permanent, code: .digestMismatch, detail: "x", isRetryable: true),
        DownloadFailure(.internal, code: .cannotWriteToFile, detail: "x", isRetryable: true),
    ]

    @Test(arguments: 1...400)
    func roundsAreBounded(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let start = Timestamp(seconds: 1_795_309_200)
        var now = start
        var book = MirrorBook(count: Int.random(in: 1...4, using: &random))
        var (attemptsWithoutProgress, switches) = (0, 0)
        for _ in 0..<500 {
            #expect(!book.states[book.current].isOut, "it is over for that one")
            let before = book
            if random.isOne(in: 2) { book.took(isContinued: random.isOne(in: 2)) }
            let end = FailedAttempt(
                failure: Self.failures.randomElement(using: &random) ?? .noRoom,
                madeProgress: random.isOne(in: 8), attemptsWithoutProgress: attemptsWithoutProgress,
                told: random.isOne(in: 5) ? ToldWait(time: .seconds(Int64(seed))) : nil, now: now,
                deadline: start + .seconds(1_000_000))
            let turn = book.decide(end, schedule: Self.schedule, using: &random)
            let isStored = MirrorBook(stored: book.json)?.json == book.json
            #expect(isStored)
            guard case .retry(let at, _, let count, _) = turn.verdict else { return }
            #expect(at >= now, "not in the past")
            // A turn asks another mirror that was not asked in this round.
            if turn.isSwitch {
                #expect(book.current != before.current && !before.states[book.current].isTried)
                #expect(at == now)
            }
            switches = turn.isSwitch ? switches + 1 : 0
            #expect(switches < book.states.count, "a round asks each of them once")
            (now, attemptsWithoutProgress) = (max(at, now + .milliseconds(1)), count)
        }
    }
}
