// A lane whose downloads all miss a closing is not asked each second until then.
import Base
import Testing

@testable import Scheduling

@Suite struct ClosingLaneTests {
    private static func at(_ time: String) -> Timestamp {
        Policies.instant("2026-11-\(time):00Z")
    }

    /// A conductor and one lane that is due, where every claim comes back empty.
    private struct World {
        var conductor: Conductor
        var now: Timestamp
        var head: LaneHead
        var wakeAt = Timestamp.epoch
        /// The instants at which the lane was asked.
        var asked: [Timestamp] = []

        init(at start: Timestamp) throws {
            let policy = try Policies.read(
                """
                {"windows": {"night": ["22:00-06:00"]},
                 "rules": [{"name": "nights", "require": ["window night"]}]}
                """)
            now = start
            conductor = Conductor(policy: policy, zone: .utc, slots: 4, pollInterval: .seconds(60))
            head = ConductorTests.head(1, at: start - .seconds(600))
            head.originKey = 2
            var facts = LearnedFacts()
            for quarter in 0...3 {
                for _ in 1...10 {
                    let keys = LearnedKey.rates(origin: 2, quarter: quarter)
                    facts.add(1e6, .rate, to: keys, at: start)
                }
            }
            deliver(.learned(facts))
        }

        mutating func deliver(_ event: ConductorEvent) {
            var events = [event]
            while let event = events.popLast() {
                for action in conductor.handle(event, at: now) {
                    switch action {
                    case .look: events.append(.lanesLoaded(heads: [head]))
                    case .claim(let order):
                        asked.append(now)
                        #expect(order.quotas.allSatisfy { $0.room != nil })
                        events.append(.claimed([], due: [1: head.runAt]))
                    case .wake(let instant): wakeAt = instant
                    case .start, .stop: break
                    }
                }
            }
        }

        /// The number of times that the lane is asked until an instant.
        mutating func asks(until end: Timestamp) -> Int {
            let before = asked.count
            while wakeAt <= end {
                now = max(now, wakeAt)
                deliver(.ticked)
            }
            now = max(now, end)
            return asked.count - before
        }
    }

    @Test func itIsAskedOnceAMinuteAndAgainInTheNextOpening() throws {
        var world = try World(at: Self.at("24T05:00"))
        let first = world.asks(until: Self.at("24T05:59"))
        #expect((1...61).contains(first), "\(first)")
        let closed = world.asks(until: Self.at("24T06:00")) + world.asks(until: Self.at("24T21:59"))
        #expect(closed <= 2, "\(closed)")
        let again = world.asks(until: Self.at("24T22:01"))
        #expect(again >= 1)
    }

    /// The lane is asked soon after a download came in that may fit; a change of its gate or its
    /// sizes makes it worth another claim.
    @Test func itIsAskedSoonWhereSomethingMayFit() throws {
        var world = try World(at: Self.at("24T05:00"))
        _ = world.asks(until: Self.at("24T05:00"))
        for second in 1...5 {
            world.now = Self.at("24T05:00") + .seconds(second)
            world.deliver(.hinted)
        }
        #expect(world.asked.count == 1)
        let hinted = world.asks(until: Self.at("24T05:00") + .seconds(12))
        #expect(hinted == 1)
        world.head.origin.running = 1
        world.now = Self.at("24T05:00") + .seconds(14)
        world.deliver(.hinted)
        #expect(world.asked.count == 3)
    }
}
