// Long polls: woken, timed out or cut short, and never forgotten.
import Base
import Store
import Synchronization
import Testing

/// A counter that tasks share.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

@Suite struct ChangeHubTests {
    private static let id = StoreLab.identifier()
    private static let forever = Duration.seconds(86_400)

    private let hub = ChangeHub(longestWait: forever)

    /// Reports a change of a download until the waiter has returned; after ten minutes the wake
    /// counts as lost, as other tests may keep every thread of the pool for a while.
    private func wake(_ waiter: Task<Void, Never>, on id: Identifier) async {
        let returned = Counter()
        let watch = Task {
            await waiter.value
            returned.add()
        }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(600)
        while returned.value == 0 {
            hub.changed([id])
            await Task.yield()
            guard clock.now < end else {
                Issue.record("a waiter was not woken")
                return
            }
        }
        await watch.value
    }

    @Test func changeWakesItsWaiters() async {
        let hub = hub
        let waiters = (0..<5).map { _ in
            Task { await hub.wait(for: ChangeHubTests.id, upTo: ChangeHubTests.forever) }
        }
        for waiter in waiters { await wake(waiter, on: ChangeHubTests.id) }
    }

    @Test func changeWakesOnlyWaitersOfItsDownload() async {
        let hub = hub
        let returned = Counter()
        let waiter = Task {
            await hub.wait(for: ChangeHubTests.id, upTo: ChangeHubTests.forever)
            returned.add()
        }
        for _ in 0..<2000 {
            hub.changed([StoreLab.identifier()])
            await Task.yield()
        }
        #expect(returned.value == 0)
        await wake(waiter, on: ChangeHubTests.id)
        #expect(returned.value == 1)
    }

    @Test func waitReturnsAtItsTimeout() async {
        await hub.wait(for: ChangeHubTests.id, upTo: .milliseconds(5))
        await ChangeHub(longestWait: .milliseconds(5))
            .wait(for: ChangeHubTests.id, upTo: ChangeHubTests.forever)
    }

    @Test func cancelledWaitReturns() async {
        let hub = hub
        for delay in 0..<50 {
            let waiter = Task {
                await hub.wait(for: ChangeHubTests.id, upTo: ChangeHubTests.forever)
            }
            for _ in 0..<delay { await Task.yield() }
            waiter.cancel()
            await waiter.value
        }
    }

    @Test func fullHubReturnsWaitsAtOnce() async {
        let hub = ChangeHub(waitersAtMost: 2, longestWait: .milliseconds(20))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    await hub.wait(for: ChangeHubTests.id, upTo: ChangeHubTests.forever)
                }
            }
        }
    }

    /// Each wait races with its wake, its cancel or the end of its time.
    @Test func noInterleavingLosesAWakeUp() async {
        let hub = hub
        var random = SeededGenerator(seed: 7)
        let returned = Counter()
        let rounds = 10_000
        for _ in 0..<(rounds / 50) {
            let plans = (0..<50).map { _ in random.next() }
            await withTaskGroup(of: Void.self) { group in
                for plan in plans {
                    group.addTask {
                        let id = Identifier(high: plan >> 62, low: plan >> 60 & 1)
                        let limit: Duration =
                            plan & 3 == 0
                            ? .microseconds(Int64(plan >> 8 & 255)) : ChangeHubTests.forever
                        let waiter = Task { await hub.wait(for: id, upTo: limit) }
                        for _ in 0..<(plan >> 16 & 7) { await Task.yield() }
                        if plan & 3 == 1 {
                            waiter.cancel()
                            await waiter.value
                        } else {
                            await wake(waiter, on: id)
                        }
                        returned.add()
                    }
                }
            }
        }
        #expect(returned.value == rounds)
    }
}
