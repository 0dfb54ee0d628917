// How often a replica wakes by itself while it can do nothing: counted, not timed.
import Core
import Testing

@Suite struct ConductorWakeTests {
    private typealias Table = ConductorTests
    private let start = ConductorTests.start

    /// Follows the wakes of a replica up to an instant, and answers looks with what waits.
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
        // When the lane is due, and at the poll.
        let count = wakes(
            of: &conductor, from: actions, until: start + Table.poll, waiting: [later])
        #expect(count <= 3, "\(count) wakes")
        // Its turn comes when the slot is free.
        let end = start + Table.poll
        let free = conductor.handle(.ended(Table.id(1), fence: 10), at: end)
        let claim = free + conductor.handle(.ticked, at: end + Conductor.gathering)
        #expect(Table.lanes(claim) == [2])
    }
}
