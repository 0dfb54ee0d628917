// Orders, failures, another policy and shutdown: no run goes on that has to stop.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct ConductorOrderTests {
    private typealias Table = ConductorTests
    private let start = ConductorTests.start

    @Test func orderReachesTheRunExactlyOnce() {
        var conductor = Table.running([1, 2])
        let stop = ConductorAction.stop(Table.id(1), fence: 10, .suspend)
        #expect(conductor.handle(.ordered(Table.id(1), .suspend), at: start).first == stop)
        // The heartbeat repeats the order until the run has ended.
        #expect(!conductor.handle(.ordered(Table.id(1), .suspend), at: start).contains(stop))
        let cancel = ConductorAction.stop(Table.id(1), fence: 10, .cancel)
        #expect(conductor.handle(.ordered(Table.id(1), .cancel), at: start).first == cancel)
        let other = conductor.handle(.ordered(Table.id(9), .cancel), at: start)
        #expect(other == [.wake(at: start + Table.poll)])
    }

    @Test(arguments: [RunOrder.cancel, .suspend])
    func pendingOrderIsDeliveredWithTheClaim(_ order: RunOrder) {
        var conductor = Table.conductor(slots: 1)
        _ = conductor.handle(.ticked, at: start)
        _ = conductor.handle(.lanesLoaded(heads: [Table.head(1)]), at: start)
        let actions = conductor.handle(.claimed([Table.run(1, order: order)]), at: start)
        #expect(
            actions.prefix(2) == [
                .start(Table.id(1), fence: 10), .stop(Table.id(1), fence: 10, order),
            ])
    }

    /// The claim is committed but not yet here when the client cancels.
    @Test(arguments: [
        (RunOrder.cancel, nil as RunOrder?, RunOrder.cancel), (.suspend, nil, .suspend),
        (.cancel, .suspend, .cancel), (.suspend, .cancel, .cancel),
    ])
    func orderThatArrivesBeforeTheClaimIsKept(
        _ early: RunOrder, _ stored: RunOrder?, _ told: RunOrder
    ) {
        var conductor = Table.conductor(slots: 2)
        _ = conductor.handle(.ticked, at: start)
        _ = conductor.handle(.lanesLoaded(heads: [Table.head(1)]), at: start)
        _ = conductor.handle(.ordered(Table.id(1), early), at: start)
        let claimed = [Table.run(1, order: stored), Table.run(2)]
        let actions = conductor.handle(.claimed(claimed), at: start)
        #expect(
            actions.prefix(3) == [
                .start(Table.id(1), fence: 10), .stop(Table.id(1), fence: 10, told),
                .start(Table.id(2), fence: 20),
            ])
        // The order was for that claim, not for a later one.
        _ = conductor.handle(.ended(Table.id(1), fence: 10), at: start)
        let again = conductor.handle(
            .claimed([ClaimedRun(id: Table.id(1), fence: 11)]), at: start)
        #expect(again.contains(.start(Table.id(1), fence: 11)))
        #expect(!again.contains(.stop(Table.id(1), fence: 11, told)))
    }

    @Test func storeFailureDelaysTheNextCallByASecond() {
        var conductor = Table.conductor()
        _ = conductor.handle(.ticked, at: start)
        let rest = ConductorAction.wake(at: start + Conductor.rest)
        #expect(conductor.handle(.storeFailed, at: start) == [rest])
        #expect(conductor.handle(.hinted, at: start + .milliseconds(10)) == [rest])
        #expect(conductor.handle(.ticked, at: start + Conductor.rest) == [.look(.start)])
    }

    @Test func clockSetBackDoesNotDelayTheNextLook() {
        var conductor = Table.conductor()
        _ = conductor.handle(.ticked, at: start)
        _ = conductor.handle(.lanesLoaded(heads: []), at: start)
        let earlier = start - .seconds(7200)
        let soon = earlier + Table.poll
        #expect(conductor.handle(.ticked, at: earlier) == [.wake(at: soon)])
        _ = conductor.handle(.storeFailed, at: start)
        #expect(conductor.handle(.ticked, at: earlier) == [.wake(at: earlier + Conductor.rest)])
    }

    @Test func lostLeaseAbandonsEachRunOnce() {
        var conductor = Table.running([2, 1])
        let actions = conductor.handle(.leaseLost, at: start)
        #expect(
            actions.prefix(2) == [
                .stop(Table.id(1), fence: 10, .abandon), .stop(Table.id(2), fence: 20, .abandon),
            ])
        let again = conductor.handle(.leaseLost, at: start)
        #expect(again == [.wake(at: start + Table.poll)])
    }

    @Test func claimUnderALostLeaseIsAbandoned() {
        var conductor = Table.conductor(slots: 1)
        _ = conductor.handle(.ticked, at: start)
        _ = conductor.handle(.lanesLoaded(heads: [Table.head(1)]), at: start)
        _ = conductor.handle(.leaseLost, at: start)
        let actions = conductor.handle(.claimed([Table.run(1)]), at: start)
        #expect(
            actions.prefix(2) == [
                .start(Table.id(1), fence: 10), .stop(Table.id(1), fence: 10, .abandon),
            ])
        #expect(conductor.runningCount == 1)
    }

    @Test func reclaimedDownloadRunsBesideItsEndingRun() {
        var conductor = Table.running([1], slots: 2)
        _ = conductor.handle(.leaseLost, at: start)
        _ = conductor.handle(.hinted, at: start)
        _ = conductor.handle(.lanesLoaded(heads: [Table.head(1)]), at: start)
        _ = conductor.handle(.claimed([ClaimedRun(id: Table.id(1), fence: 12)]), at: start)
        // Both runs hold a slot until they end, and an order is for the run of this replica.
        #expect(conductor.runningCount == 2)
        #expect(conductor.freeSlots == 0)
        let actions = conductor.handle(.ordered(Table.id(1), .cancel), at: start)
        #expect(actions.first == .stop(Table.id(1), fence: 12, .cancel))
        _ = conductor.handle(.ended(Table.id(1), fence: 10), at: start)
        #expect(conductor.runningCount == 1)
    }

    @Test func drainReleasesAndClaimsNothingMore() {
        var conductor = Table.running([1])
        let wake = ConductorAction.wake(at: start + Table.poll)
        let release = ConductorAction.stop(Table.id(1), fence: 10, .release)
        #expect(conductor.handle(.drained, at: start) == [release, wake])
        for event in [
            ConductorEvent.hinted, .ticked, .drained, .lanesLoaded(heads: [Table.head(1)]),
            .ended(Table.id(1), fence: 10), .storeFailed,
            .policyChanged(Policy(limits: Table.limits), .utc),
        ] {
            #expect(conductor.handle(event, at: start) == [wake])
        }
    }

    @Test func claimAnsweredAfterDrainIsReleased() {
        var conductor = Table.conductor()
        _ = conductor.handle(.ticked, at: start)
        _ = conductor.handle(.lanesLoaded(heads: [Table.head(1)]), at: start)
        _ = conductor.handle(.drained, at: start)
        let actions = conductor.handle(
            .claimed([Table.run(1), Table.run(2, order: .cancel)]), at: start)
        #expect(
            actions == [
                .start(Table.id(1), fence: 10), .stop(Table.id(1), fence: 10, .release),
                .start(Table.id(2), fence: 20), .stop(Table.id(2), fence: 20, .cancel),
                .wake(at: start + Table.poll),
            ])
    }

    @Test func policyChangeAppliesAtOnce() {
        var conductor = Table.running([1, 2])
        var policy = Policy(limits: Table.limits)
        policy.limits.running = 1
        // No run is stopped, and none begins until a slot is free.
        #expect(
            conductor.handle(.policyChanged(policy, .utc), at: start)
                == [.wake(at: start + Table.poll)])
        #expect(conductor.freeSlots == 0)
        #expect(
            conductor.handle(.ended(Table.id(1), fence: 10), at: start)
                == [.wake(at: start + Table.poll)])
        #expect(conductor.handle(.ended(Table.id(2), fence: 20), at: start) == [.look(.start)])
    }

    @Test func policyChangeDuringALookAppliesToItsHeads() throws {
        var conductor = Table.conductor()
        _ = conductor.handle(.ticked, at: start)
        // 2027-01-15 08:00 UTC, a Friday; the window opens at 22:00.
        let policy = try Policies.nightly()
        _ = conductor.handle(.policyChanged(policy, .utc), at: start)
        let head = Table.head(1, class: .discretionary)
        // The look that the change asked for comes first; then the alarm is the window's opening.
        #expect(conductor.handle(.lanesLoaded(heads: [head]), at: start) == [.look(.start)])
        let later = start + .seconds(14 * 3600 - 2)
        let opening = start + .seconds(14 * 3600)
        #expect(conductor.handle(.lanesLoaded(heads: [head]), at: later) == [.wake(at: opening)])
        #expect(Table.lanes(conductor.handle(.ticked, at: opening)) == [1])
    }
}
