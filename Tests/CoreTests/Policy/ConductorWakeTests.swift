// The number of times that a replica wakes by itself while it can do nothing: counted, not timed.
import Base
import Scheduling
import Testing

@Suite struct ConductorWakeTests {
    private typealias Table = ConductorTests
    private let start = ConductorTests.start

    /// Counts the wakes of a replica up to an instant, and answers looks with the lanes that wait.
    private func wakes(
        of conductor: inout Conductor, from first: [ConductorAction], until end: Timestamp,
        waiting: [LaneHead]
    ) -> Int {
        var (count, actions, now) = (0, first, start)
        while count < 1000 {
            if actions.contains(where: { if case .look = $0 { true } else { false } }) {
                actions = conductor.handle(.lanesLoaded(heads: waiting), at: now)
                continue
            }
            guard case .wake(let instant) = actions.last, instant <= end else { break }
            now = max(now, instant)
            count += 1
            actions = conductor.handle(.ticked, at: now)
        }
        return count
    }

    /// A lane that becomes due has its alarm; no slot is free for it, so that the alarm stays.
    @Test func aFullReplicaSleepsThoughALaneBecomesDue() {
        var conductor = Table.conductor(slots: 1)
        _ = conductor.handle(.ticked, at: start)
        var later = Table.head(2)
        later.runAt = start + .seconds(1)
        _ = conductor.handle(.lanesLoaded(heads: [Table.head(1), later]), at: start)
        let actions = conductor.handle(.claimed([Table.run(1)]), at: start)
        #expect(conductor.freeSlots == 0)
        // The replica wakes when the lane is due, and at the poll.
        let count = wakes(
            of: &conductor, from: actions, until: start + Table.poll, waiting: [later])
        #expect(count <= 3, "\(count) wakes")
        // The lane's turn comes when the slot is free.
        let end = start + Table.poll
        let free = conductor.handle(.ended(Table.id(1), fence: 10), at: end)
        let claim = free + conductor.handle(.ticked, at: end + Conductor.gathering)
        #expect(Table.lanes(claim) == [2])
    }

    /// Only a look tells of room that a run of another replica has left: one that comes too soon
    /// after the last reading of full gates is followed by a look that reads them, not by the poll.
    @Test func fullGatesAreReadAfterEveryHint() {
        var conductor = Table.conductor()
        func look(_ full: [LaneHead], at now: Timestamp) -> [ConductorAction] {
            var page = LanePage(heads: full)
            page.changePosition = LaneChangePosition(seen: "1")
            return conductor.handle(.lanesLoaded(page), at: now)
        }
        let full = Table.head(7, origin: GateReading(running: 1, limit: 1))
        _ = conductor.handle(.ticked, at: start)
        _ = look([full], at: start)
        // The first hint's look reads the gate, the one of the second hint comes too soon.
        let first = conductor.handle(.hinted, at: start + .milliseconds(10))
        #expect(Self.again(first) == [7])
        _ = look([full], at: start + .milliseconds(10))
        let second = conductor.handle(.hinted, at: start + .milliseconds(110))
        #expect(Self.again(second) == [])
        let wake = look([], at: start + .milliseconds(110))
        #expect(wake == [.wake(at: start + .milliseconds(210))])
        let owed = conductor.handle(.ticked, at: start + .milliseconds(210))
        #expect(Self.again(owed) == [7])
        var open = full
        open.origin.running = 0
        #expect(Table.lanes(look([open], at: start + .milliseconds(210))) == [7])
    }

    private static func again(_ actions: [ConductorAction]) -> [Int64]? {
        for case .look(let cursor) in actions { return cursor.again }
        return nil
    }
}
