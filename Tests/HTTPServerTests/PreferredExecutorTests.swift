// A task that prefers an executor continues on it after a wait.
import Dispatch
import Platform
import Testing

@Suite struct PreferredExecutorTests {
    /// A wait that another thread ends.
    private static func pause() async {
        await withCheckedContinuation { done in DispatchQueue.global().async { done.resume() } }
    }

    @Test func taskGoesOnWhereItPrefersAfterAContinuation() async {
        let lane = QueueExecutor(label: "test.lane")
        let loop = EventLoop(label: "test.loop")
        await Task(executorPreference: lane) {
            await PreferredExecutorTests.pause()
            lane.checkIsolated()
        }.value
        await Task(executorPreference: loop) {
            await PreferredExecutorTests.pause()
            loop.checkIsolated()
        }.value
    }

    @Test func actorWithoutAnExecutorRunsWhereItsTaskPrefers() async {
        actor Counter {
            func check(_ lane: QueueExecutor) { lane.checkIsolated() }
        }
        let lane = QueueExecutor(label: "test.lane")
        let counter = Counter()
        await Task(executorPreference: lane) { await counter.check(lane) }.value
    }

    @Test func whatBlocksLeavesThePreferredExecutorAndComesBack() async {
        let lane = QueueExecutor(label: "test.lane")
        await Task(executorPreference: lane) {
            let value = await ThreadPool.run {
                dispatchPrecondition(condition: .notOnQueue(lane.queue))
                return 7
            }
            #expect(value == 7)
            lane.checkIsolated()
        }.value
    }

    private static func check(_ loop: EventLoop) async { loop.checkIsolated() }

    @Test func ownedTaskStartsOnTheEventLoopOfItsCaller() async {
        actor Looped {
            let loop = EventLoop(label: "test.loop")
            nonisolated var unownedExecutor: UnownedSerialExecutor {
                unsafe loop.asUnownedSerialExecutor()
            }
            func work(_ tasks: TaskOwner) {
                let loop = loop
                tasks.start(here: self) { await PreferredExecutorTests.check(loop) }
            }
        }
        actor Plain {}
        let (tasks, looped) = (TaskOwner(), Looped())
        await looped.work(tasks)
        await tasks.finish()
        #expect(EventLoop.runs(looped) && !EventLoop.runs(Plain()))
    }

    @Test func ownedTaskOnAnActorGoesOnWhereItPrefers() async {
        actor Counter {
            var count = 0
            func work(_ lane: QueueExecutor) async {
                await PreferredExecutorTests.pause()
                lane.checkIsolated()
                count += 1
            }
        }
        let (tasks, lane, counter) = (TaskOwner(), QueueExecutor(label: "test.lane"), Counter())
        for _ in 0..<8 {
            tasks.start(on: counter, preferring: lane) { await $0.work(lane) }
        }
        await tasks.finish()
        #expect(await counter.count == 8)
    }
}
