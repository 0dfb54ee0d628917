// The parts of a wait: pauses of origins, lack of room on the volume, and the time before a start.
import Base
import Downloads
import Testing

@testable import Scheduling

@Suite struct FactsHistoryTests {
    private static let start = Policies.instant("2026-11-23T00:00:00Z")

    private static func at(_ minutes: Int) -> Timestamp { start + .seconds(60 * minutes) }

    private static func candidate(
        need: Int64 = 0, origin: Int64 = 7, runAt: Timestamp = start
    ) -> AdmissionCandidate {
        Policies.candidate(at: runAt) {
            $0.need = need
            $0.originKey = origin
            $0.appKey = 1
            $0.priority = 0.5
        }
    }

    /// App 1's downloads of an origin.
    private static func pushed(_ origin: Int64) -> FactsHistory.Pushed {
        FactsHistory.Pushed(origin: origin, app: 1)
    }

    private static func minutes(
        _ candidate: AdmissionCandidate, to end: Int, _ history: FactsHistory
    ) -> [String: Int64] {
        let time = BlockedTime(of: candidate, from: candidate.runAt, to: at(end), in: history)
        return Dictionary(
            uniqueKeysWithValues: time.parts.map { ($0.key.rawValue, $0.value / 60_000) })
    }

    private static let none = Policy(limits: Policies.limits)

    @Test func thePauseOfAnOriginHasItsOwnTime() {
        var history = FactsHistory(Self.none, .utc, at: Self.start)
        history.note(pushback: Self.at(20), of: Self.pushed(7), at: Self.at(10))
        // The pause is seen twice, then made longer, and another one follows later.
        history.note(pushback: Self.at(20), of: Self.pushed(7), at: Self.at(15))
        history.note(pushback: Self.at(30), of: Self.pushed(7), at: Self.at(18))
        history.note(pushback: Self.at(50), of: Self.pushed(7), at: Self.at(45))
        #expect(
            Self.minutes(Self.candidate(), to: 60, history)
                == ["slots": 35, "origin_pushback": 25])
        #expect(Self.minutes(Self.candidate(origin: 8), to: 60, history) == ["slots": 60])
        #expect(
            Self.minutes(Self.candidate(), to: 12, history) == ["slots": 10, "origin_pushback": 2])
    }

    @Test func theOriginsPauseForAnAppHoldsNoOther() {
        var history = FactsHistory(Self.none, .utc, at: Self.start)
        let other = FactsHistory.Pushed(origin: 7, app: 2)
        history.note(pushback: Self.at(20), of: other, at: Self.at(0))
        #expect(Self.minutes(Self.candidate(), to: 30, history) == ["slots": 30])
        #expect(history.isHeldBack(other, at: Self.at(5)))
        #expect(!history.isHeldBack(Self.pushed(7), at: Self.at(5)))
    }

    @Test func roomOnTheVolumeHasItsOwnTimeByNeed() {
        var history = FactsHistory(Self.none, .utc, at: Self.start)
        for (minute, room) in [(5, 1000), (20, 50), (21, 52), (40, 2 << 40)] as [(Int, Int64)] {
            history.note(DiskReading(free: room, total: 4 << 40, reserve: 0), at: Self.at(minute))
        }
        #expect(
            Self.minutes(Self.candidate(need: 100), to: 60, history)
                == ["slots": 40, "disk_reserve": 20])
        #expect(
            Self.minutes(Self.candidate(need: 5000), to: 60, history)
                == ["slots": 25, "disk_reserve": 35])
        #expect(Self.minutes(Self.candidate(need: 10), to: 60, history) == ["slots": 60])
        // Where both hold, a pause counts before a lack of room.
        history.note(pushback: Self.at(30), of: Self.pushed(7), at: Self.at(25))
        #expect(
            Self.minutes(Self.candidate(need: 100), to: 60, history)
                == ["slots": 40, "disk_reserve": 15, "origin_pushback": 5])
    }

    @Test func historiesAreBounded() {
        var history = FactsHistory(Self.none, .utc, at: Self.start)
        for step in 0..<6000 {
            let room = step % 2 == 0 ? 100 : 1000
            history.note(
                DiskReading(free: Int64(room), total: 1 << 40, reserve: 0), at: Self.at(step))
            history.note(
                pushback: Self.at(step) + .seconds(9), of: Self.pushed(Int64(step)),
                at: Self.at(step))
        }
        var same = history
        same.note(pushback: Self.at(9000), of: Self.pushed(-1), at: Self.at(6001))
        #expect(same == history)
        // Old pauses make room for new ones.
        same.note(pushback: Self.at(40_001), of: Self.pushed(-1), at: Self.at(40_000))
        #expect(same.pushbacks.end(of: Self.pushed(-1), at: Self.at(40_000)) == Self.at(40_001))
        let later = Self.candidate(need: 500, runAt: Self.at(5900))
        #expect(Self.minutes(later, to: 6000, history)["disk_reserve"] == 50)
    }

    /// The history of a process that ran all the time equals one made from the store.
    @Test func theTimeBeforeAStartIsThatOfAProcessThatWasThere() throws {
        let open = try Policies.read(#"{"conditions": {"go": {"type": "boolean"}}}"#)
        let closed = try Policies.read(
            """
            {"conditions": {"go": {"type": "boolean", "default": true}},
             "rules": [{"name": "go", "require": ["go = true"]},
                       {"name": "calm", "match": {"session": "t"},
                        "require": ["load_per_core < 0.7"]}],
             "bandwidth": "00:00,off 03:00,0 03:30,off"}
            """)
        var live = FactsHistory(open, .utc, at: Self.start)
        var book = ConditionBook(open, at: Self.start)
        var changes: [(at: Timestamp, change: FactsHistory.Change)] = [
            (Self.start, .policy(open, .utc))
        ]
        book.take(closed, at: Self.at(60))
        live.take(closed, .utc, at: Self.at(60))
        live.note(book, at: Self.at(60), isPast: true)
        changes.append((Self.at(60), .policy(closed, .utc)))
        for (minute, value) in [(90, false), (150, true), (240, false), (260, nil)]
            as [(Int, Bool?)]
        {
            let push = value.map { ConditionPush(value: .flag($0), pushedAt: Self.at(minute)) }
            book.take(push, of: "go", at: Self.at(minute))
            live.note(book, at: Self.at(minute), isPast: true)
            changes.append((Self.at(minute), .push("go", push)))
        }
        let restored = FactsHistory(changes, closed, .utc, at: Self.at(600))
        let candidate = Self.candidate()
        let expected: [String: Int64] = ["condition": 80, "bandwidth_zero": 30, "slots": 190]
        #expect(Self.minutes(candidate, to: 300, live) == expected)
        #expect(Self.minutes(candidate, to: 300, restored) == expected)
        // Measured conditions are not known for that time, and held nothing back.
        var calm = candidate
        calm.session = "t"
        #expect(Self.minutes(calm, to: 300, restored) == expected)
        // Without stored policies the policy in force is taken for the whole time.
        let bare = FactsHistory([], closed, .utc, at: Self.at(600))
        #expect(Self.minutes(candidate, to: 300, bare) == ["bandwidth_zero": 30, "slots": 270])
    }
}
