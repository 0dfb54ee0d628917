// The time in which limits had no place left, and the notes that a conductor makes of it.
import Base
import Downloads
import Seeds
import Testing

@testable import Scheduling

@Suite struct GateHistoryTests {
    private static let start = Timestamp(seconds: 1_772_409_600)
    private static let subjects: [(subject: GateChange.Subject, code: BlockerCode)] = [
        (.app("a"), .appLimit), (.session(2), .sessionLimit), (.origin(3), .originLimit),
        (.connections(session: 2, origin: 3), .connectionLimit),
    ]

    private static func at(_ minutes: Int) -> Timestamp { start + .seconds(60 * minutes) }

    private static func history() -> FactsHistory {
        FactsHistory(Policy(limits: PolicyLimits(perOrigin: 6)), .utc, at: start)
    }

    private static func candidate(_ minute: Int) -> AdmissionCandidate {
        var candidate = AdmissionCandidate(
            isDiscretionary: false, session: "s", createdAt: at(minute), waitingSince: at(minute),
            runAt: at(minute), attempt: 0, origin: GateReading(), sessionGate: GateReading())
        (candidate.app, candidate.sessionKey, candidate.originKey) = ("a", 2, 3)
        return candidate
    }

    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func everyMinuteCountsForTheFirstLimitWithoutAPlace(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var history = Self.history()
        var full: Set<Int> = []
        var expected: [BlockerCode: Int64] = [:]
        let since = Int.random(in: 0..<60, using: &random)
        for minute in 0..<300 {
            for (place, limited) in Self.subjects.enumerated()
            where Int.random(in: 0..<20, using: &random) == 0 {
                // A repeated note changes nothing.
                let isFull = Bool.random(using: &random)
                if isFull { full.insert(place) } else { full.remove(place) }
                history.note(
                    [GateChange(subject: limited.subject, isFull: isFull)], at: Self.at(minute))
            }
            guard minute >= since else { continue }
            let code = full.min().map { Self.subjects[$0].code } ?? .slots
            expected[code, default: 0] += 60_000
        }
        let time = BlockedTime(
            of: Self.candidate(since), from: Self.at(since), to: Self.at(300), in: history)
        #expect(time.parts == expected)
    }

    @Test func limitsOfOthersDoNotCount() {
        var history = Self.history()
        for subject: GateChange.Subject in [
            .app("b"), .session(3), .origin(2), .connections(session: 3, origin: 2),
            .connections(session: 2, origin: 2),
        ] {
            history.note([GateChange(subject: subject, isFull: true)], at: Self.at(0))
        }
        let time = BlockedTime(
            of: Self.candidate(1), from: Self.at(1), to: Self.at(2), in: history)
        #expect(time.parts == [.slots: 60_000])
    }

    @Test func aRuleCountsBeforeALimit() throws {
        let policy = try #require(
            Policy.read(
                try JSON.parse(Array(#"{"bandwidth": "00:00,0 00:10,off"}"#.utf8)),
                defaults: PolicyLimits(perOrigin: 6), isZone: { _ in true }
            ).policy)
        var history = FactsHistory(policy, .utc, at: Self.start)
        history.note([GateChange(subject: .session(2), isFull: true)], at: Self.at(5))
        let time = BlockedTime(
            of: Self.candidate(0), from: Self.at(0), to: Self.at(30), in: history)
        #expect(time.parts == [.bandwidthZero: 600_000, .sessionLimit: 1_200_000])
    }

    @Test func aPlaceThatIsTakenAgainAtOnceWasNeverFree() {
        var history = Self.history()
        let subject = GateChange.Subject.origin(3)
        for second in 0..<600 {
            let now = Self.start + .seconds(second)
            history.note([GateChange(subject: subject, isFull: false)], at: now)
            history.note([GateChange(subject: subject, isFull: true)], at: now + .milliseconds(300))
        }
        let time = BlockedTime(
            of: Self.candidate(1), from: Self.at(1), to: Self.at(10), in: history)
        #expect(time.parts == [.originLimit: 540_000])
    }

    @Test func itIsBounded() {
        var history = GateHistory()
        for number in 0..<5000 {
            let now = Self.at(number)
            history.note(GateChange(subject: .origin(Int64(number)), isFull: true), at: now)
            history.note(GateChange(subject: .origin(0), isFull: number % 2 == 0), at: now)
        }
        #expect(history.size.subjects <= 1024)
        #expect(history.size.spans <= 1024 + 256)
        // Entries older than eight days give up their place.
        for number in 0..<1024 {
            history.note(
                GateChange(subject: .origin(Int64(number)), isFull: false), at: Self.at(5000))
        }
        history.note(GateChange(subject: .session(1), isFull: true), at: Self.at(5000 + 9 * 1440))
        #expect(history.size.subjects == 1)
    }

    // MARK: notes of a conductor

    private static func head(_ lane: Int64, session running: Int, of limit: Int) -> LaneHead {
        ConductorTests.head(lane, session: GateReading(running: running, limit: limit))
    }

    @Test func theLastPlaceIsTakenByAClaimAndFreedByAnEnd() {
        var conductor = ConductorTests.conductor(slots: 4)
        let now = ConductorTests.start
        _ = conductor.handle(.ticked, at: now)
        let head = Self.head(1, session: 1, of: 2)
        _ = conductor.handle(.lanesLoaded(heads: [head]), at: now)
        #expect(conductor.takeGateChanges().isEmpty)
        var run = ConductorTests.run(1)
        run.lane = 1
        _ = conductor.handle(.claimed([run]), at: now)
        let full = GateChange(subject: .session(1), isFull: true)
        #expect(conductor.takeGateChanges() == [full])
        #expect(conductor.takeGateChanges().isEmpty)
        _ = conductor.handle(.ended(run.id, fence: run.fence), at: now)
        #expect(conductor.takeGateChanges() == [GateChange(subject: .session(1), isFull: false)])
    }

    @Test func aLookShowsWhatOthersTookAndFreed() {
        var conductor = ConductorTests.conductor(slots: 4)
        _ = conductor.handle(.ticked, at: ConductorTests.start)
        let changes = [(2, [true]), (2, []), (1, [false])].map { running, expected in
            _ = conductor.handle(
                .lanesLoaded(heads: [Self.head(1, session: running, of: 2)]),
                at: ConductorTests.start)
            return conductor.takeGateChanges().map(\.isFull) == expected
        }
        #expect(changes == [true, true, true])
    }

    @Test func aSuspendedSessionHasNoLimit() {
        var conductor = ConductorTests.conductor(slots: 4)
        _ = conductor.handle(.ticked, at: ConductorTests.start)
        _ = conductor.handle(
            .lanesLoaded(heads: [Self.head(1, session: 0, of: 0)]), at: ConductorTests.start)
        #expect(conductor.takeGateChanges().isEmpty)
    }
}
