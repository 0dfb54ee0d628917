// The time since which the network of a machine is not reached, as attempts found it.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct NetworkWatchTests {
    private static let start = Timestamp(seconds: 1_800_000_000)

    private static func at(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }

    /// Misses as (origin, second), whether there is a route, and whether that is an outage.
    @Test(
        arguments: [
            ([(1, 0), (2, 1)], true, false),
            ([(1, 0), (2, 1), (3, 2)], true, true),
            ([(1, 0), (2, 1), (1, 2), (2, 3)], true, false),
            ([(1, 0), (2, 10), (3, 30)], true, true),
            ([(1, 0), (2, 10), (3, 31)], true, false),
            ([(1, 0), (2, 10), (3, 31), (4, 32)], true, true),
            ([(1, 0)], false, true),
            ([(1, 9), (2, 0), (3, 0)], true, false),
        ] as [([(Int64, Int64)], Bool, Bool)])
    func threeOriginsWithinHalfAMinuteAreAnOutage(
        _ misses: [(Int64, Int64)], _ hasRoute: Bool, _ isOutage: Bool
    ) {
        var watch = NetworkWatch()
        for (origin, second) in misses {
            #expect(watch.outage == nil)
            watch.miss(origin, hasRoute: hasRoute, at: Self.at(second))
        }
        let last = Self.at(misses[misses.count - 1].1)
        let outage = Outage(since: last, probeAt: last + .seconds(5))
        #expect(watch.outage == (isOutage ? outage : nil))
        #expect(watch.isDoubtful)
        watch.reach()
        #expect(watch == NetworkWatch() && !watch.isDoubtful)
    }

    @Test func anOriginThatIsReachedBetweenMissesPreventsAnOutage() {
        var watch = NetworkWatch()
        watch.miss(1, hasRoute: true, at: Self.start)
        watch.miss(2, hasRoute: true, at: Self.start)
        watch.reach()
        watch.miss(3, hasRoute: true, at: Self.start)
        #expect(watch.outage == nil)
    }

    @Test func pausesDoubleFromFiveSecondsToFiveMinutes() {
        let pauses = [-1, 0, 1, 2, 3, 4, 5, 6, 7, .max].map { Outage.pause(afterProbes: $0) }
        #expect(pauses == [5, 5, 10, 20, 40, 80, 160, 300, 300, 300].map { .seconds($0) })
        var watch = NetworkWatch()
        watch.miss(1, hasRoute: false, at: Self.start)
        var now = Self.start
        for pause in [5, 10, 20, 40, 80, 160, 300, 300] as [Int64] {
            #expect(watch.outage?.probeAt == now + .seconds(pause))
            now = now + .seconds(pause)
            watch.probe(at: now)
            #expect(watch.outage?.probeAt == now + .seconds(300))
            // The judgement takes fifteen seconds of misses.
            now = now + .seconds(15)
            watch.miss(1, hasRoute: true, at: now)
        }
        #expect(watch.outage?.since == Self.start)
    }

    @Test func onlyAProbeMovesTheNextOne() {
        var watch = NetworkWatch()
        watch.miss(1, hasRoute: false, at: Self.start)
        watch.miss(2, hasRoute: true, at: Self.at(4))
        #expect(watch.outage?.probeAt == Self.at(5))
        watch.probe(at: Self.at(5))
        watch.miss(1, hasRoute: true, at: Self.at(6))
        #expect(watch.outage?.probeAt == Self.at(16))
        watch.miss(3, hasRoute: true, at: Self.at(8))
        #expect(watch.outage?.probeAt == Self.at(16), "it began before")
        watch.release(at: Self.at(9))
        #expect(watch.outage?.probeAt == Self.at(16), "none is under way")
        watch.probe(at: Self.at(16))
        watch.release(at: Self.at(17))
        #expect(watch.outage?.probeAt == Self.at(17), "another one may try at once")
        watch.probe(at: Self.at(17))
        watch.adjust(to: Self.at(-1000))
        #expect(watch.outage?.probeAt == Self.at(-700), "the clock was set back")
    }
}
