// Lanes that rules hold back are read once, and found when the rules open.
import Base
import Testing

@testable import PolicyWorlds
@testable import Scheduling

@Suite struct ClosedLanesTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    /// Lanes of the even origins wait for `p < 5`; all lanes are of one session.
    private func crowd(closed: Int, open: Int, slots: Int = 8) throws -> Crowd {
        let policy = try Policy.parse(
            [
                "conditions": ["p": ["type": "number", "default": 9]],
                "rules": [
                    ["name": "p", "match": ["origin": "*.held.example"], "require": ["p < 5"]]
                ],
            ], defaults: PolicyLimits(perOrigin: 6)
        ) { _ in true }.get()
        var store = CrowdStore(limits: policy.limits)
        store.originName = { $0 < 100_000 ? "https://o\($0).held.example:443" : "https://o:443" }
        store.add(closed, firstOrigin: 1, at: start - .seconds(900))
        store.add(open, firstOrigin: 100_000, at: start - .seconds(800), depth: 1000)
        return Crowd(store, slots: slots, policy: policy)
    }

    private func push(_ value: Double, _ crowd: inout Crowd) {
        var book = crowd.conductor.conditions
        book.take(ConditionPush(value: .number(value), pushedAt: crowd.now), of: "p", at: crowd.now)
        crowd.deliver(.conditionsChanged(book))
    }

    /// A sweep comes every minute; closed lanes are read by the first sweep alone.
    @Test(arguments: [(0, 3000), (5, 3000), (5, 20_000)])
    func aClosedLaneIsReadOnce(_ open: Int, _ closed: Int) throws {
        var crowd = try crowd(closed: closed, open: open, slots: 256)
        crowd.deliver(.ticked)
        let first = crowd.store.lanesRead
        #expect(first >= closed)
        for _ in 0..<5 {
            // Within the minute of the margin no lane is held yet.
            crowd.now += .seconds(61)
            crowd.deliver(.hinted)
        }
        #expect(crowd.store.lanesRead - first <= 6 * 5 * 2 + 8, "\(crowd.store.lanesRead - first)")
        // Lanes that open are asked for at once, without a look for each.
        let looks = crowd.store.looks
        let running = crowd.runs.count
        push(1, &crowd)
        #expect(crowd.runs.count == 256 && crowd.runs.count > running)
        #expect(crowd.store.looks - looks <= 2)
    }

    /// A lane that is due before all known lanes counts as a change like any other.
    @Test func aLaneThatWasDueBeforeOthersIsFound() throws {
        var crowd = try crowd(closed: 3000, open: 0)
        crowd.deliver(.ticked)
        crowd.now += .seconds(61)
        crowd.deliver(.hinted)
        crowd.store.add(1, firstOrigin: 200_000, at: start - .seconds(850))
        // After a look that found nothing no look follows for a while.
        crowd.now += .seconds(2)
        crowd.deliver(.hinted)
        #expect(crowd.runs.map(\.flow.origin) == [200_000])
    }

    /// A lane whose change no event told is found when all lanes are read again.
    @Test func everythingIsReadAgainAfterTenMinutes() throws {
        var crowd = try crowd(closed: 3000, open: 0)
        crowd.deliver(.ticked)
        crowd.now += .seconds(61)
        crowd.deliver(.hinted)
        crowd.store.add(1, firstOrigin: 200_000, at: start - .seconds(850))
        crowd.store.lanes[3000].changed = 0
        crowd.deliver(.hinted)
        #expect(crowd.runs.isEmpty)
        crowd.now += .seconds(660)
        crowd.deliver(.ticked)
        #expect(crowd.runs.map(\.flow.origin) == [200_000])
    }

    /// Whatever opens and closes, every lane has its turn while its rules are open.
    @Test(arguments: 0..<6 as Range<UInt64>)
    func everyLaneHasItsTurn(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var crowd = try crowd(closed: 400, open: 30, slots: 16)
        crowd.store.lanes = crowd.store.lanes.map { lane in
            var lane = lane
            lane.depth = 1
            return lane
        }
        crowd.deliver(.ticked)
        for step in 0..<900 {
            if random.isOne(in: 20) { push(random.isOne(in: 2) ? 9 : 1, &crowd) }
            if step == 400 { push(1, &crowd) }
            if !crowd.runs.isEmpty {
                crowd.end(Int.random(in: crowd.runs.indices, using: &random))
            } else {
                crowd.now += .seconds(5)
                crowd.deliver(.ticked)
            }
        }
        push(1, &crowd)
        for _ in 0..<600 where !crowd.runs.isEmpty { crowd.end(0) }
        let left = crowd.store.lanes.filter { $0.depth > 0 }
        #expect(left.isEmpty, "seed \(seed): \(left.count) are left")
    }
}
