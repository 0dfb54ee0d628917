// The order in which lanes are served.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct LaneHeadTests {
    @Test(arguments: [
        (1.0, 0 as Int16), (0.76, 0), (0.75, 1), (0.51, 1), (0.5, 2), (0.26, 2), (0.25, 3),
        (0.01, 3), (0.0, 3),
    ])
    func prioritiesFallIntoFourSteps(_ priority: Double, _ rank: Int16) {
        #expect(LaneHead.rank(priority: priority) == rank)
    }

    @Test(arguments: [
        (0, 0, 0), (1, 59, 1), (1, 60, 0), (2, 239, 2), (2, 240, 1), (2, 300, 0), (3, 1499, 3),
        (3, 1500, 2), (3, 1740, 1), (3, 1800, 0), (9, 1800, 0),
    ])
    func lowerPriorityIsOvertakenOnlyWithinItsOffset(_ rank: Int, _ seconds: Int, _ aged: Int) {
        let start = ConductorTests.start
        let head = ConductorTests.head(1, rank: rank)
        #expect(head.agedRank(at: start + .seconds(seconds)) == aged)
    }

    @Test func lanesOfASessionAreServedByClassAgedPriorityThenOrigin() {
        let start = ConductorTests.start
        let heads = [
            ConductorTests.head(1, at: start - .seconds(9000), class: .discretionary, rank: 0),
            ConductorTests.head(2, rank: 3), ConductorTests.head(3, rank: 2),
            ConductorTests.head(4, at: start - .seconds(1501), rank: 3),
            ConductorTests.head(6, rank: 0), ConductorTests.head(5, rank: 0),
        ]
        var conductor = ConductorTests.conductor(slots: 12)
        _ = conductor.handle(.ticked, at: start)
        let actions = conductor.handle(.lanesLoaded(LanePage(heads: heads)), at: start)
        guard case .claim(let order) = actions.first else {
            Issue.record("no claim")
            return
        }
        // The discretionary lane gets the last slot of twelve; the urgent lanes share the others by
        // origin, and the other lanes are asked in case that these hold less.
        #expect(order.quotas.map(\.head.lane) == [5, 6, 1, 4, 3, 2])
        #expect(order.quotas.map(\.count) == [6, 5, 1, 1, 1, 1])
        #expect(order.total == 12)
    }

    @Test func lanesWithoutFreeSlotsAreSkipped() throws {
        let start = ConductorTests.start
        let later = start + .seconds(1)
        var busy = ConductorTests.head(2, session: GateReading(running: 16))
        busy.sessionKey = 2
        let heads = [
            ConductorTests.head(1, origin: GateReading(running: 6)), busy,
            ConductorTests.head(3, origin: GateReading(running: 0, limit: 0)),
            ConductorTests.head(4, origin: GateReading(running: 6, limit: 7)),
            ConductorTests.head(5, origin: GateReading(notBefore: later)),
            ConductorTests.head(6, at: later),
            ConductorTests.head(7, class: .discretionary),
            ConductorTests.head(8, at: start),
        ]
        var conductor = ConductorTests.conductor(slots: 1, policy: try Policies.nightly())
        _ = conductor.handle(.ticked, at: start)
        let actions = conductor.handle(.lanesLoaded(LanePage(heads: heads)), at: start)
        #expect(ConductorTests.lanes(actions) == [4, 8])
        guard case .claim(let order) = actions.first else {
            Issue.record("no claim")
            return
        }
        // The claim is for the one slot, and one more to spare.
        #expect(order.quotas.map(\.count) == [1, 1])
        #expect(order.total == 1)
    }

    /// Lanes of one origin and one aged rank go by deadline; a lane without one goes by its age
    /// plus two days.
    @Test func lanesOfAnOriginAreServedByWhatIsDueFirst() throws {
        let start = ConductorTests.start
        func head(
            _ lane: Int64, age hours: Int64, due: Int64? = nil, begin: Int64? = nil
        )
            -> LaneHead
        {
            var head = ConductorTests.head(lane, at: start - .seconds(3600 * hours), rank: 0)
            head.originKey = 1
            head.dueBucket = due.map { start + .seconds(3600 * $0) }
            head.beginBucket = begin.map { start + .seconds(3600 * $0) }
            return head
        }
        let heads = [
            head(1, age: 2), head(2, age: 30), head(3, age: 1, due: 17), head(4, age: 9, due: 19),
            head(5, age: 1, due: 60), head(6, age: 1, due: 90, begin: 16), head(7, age: 47),
        ]
        for _ in 0..<3 {
            var conductor = ConductorTests.conductor(slots: 1)
            _ = conductor.handle(.ticked, at: start)
            let page = LanePage(heads: heads.shuffled())
            let actions = conductor.handle(.lanesLoaded(page), at: start)
            // The claim is for the one slot, and one more to spare.
            #expect(ConductorTests.lanes(actions) == [7, 6])
        }
        #expect(heads.sorted { $0.due < $1.due }.map(\.lane) == [7, 6, 3, 2, 4, 1, 5])
    }
}
