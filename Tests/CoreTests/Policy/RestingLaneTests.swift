// Lanes that gave no download are asked again after a pause, and never keep others from a turn.
import Base
import Downloads
import Testing

@testable import Scheduling

@Suite struct RestingLaneTests {
    /// The first poll after the start of the conductor.
    private static let start = ConductorTests.start + ConductorTests.poll
    /// The time that each look and each claim takes.
    private static let answer = Duration.milliseconds(20)

    /// A conductor, and lanes of which only the last has a download that a claim gives.
    private struct World {
        var conductor: Conductor
        var now = RestingLaneTests.start
        let heads: [Int64: LaneHead]
        let fitting: Int64
        var wakeAt = RestingLaneTests.start
        var claims = 0
        /// How often each lane was asked.
        var asked: [Int64: Int] = [:]
        var hasBegun = false

        /// - Parameters:
        ///   - unfit: how many lanes give nothing.
        ///   - sharesOrigin: whether their downloads are of the origin of which one runs here.
        init(unfit: Int64, sharesOrigin: Bool) {
            conductor = ConductorTests.running([1])
            fitting = unfit + 2
            var heads: [Int64: LaneHead] = [:]
            for lane in 2..<fitting {
                heads[lane] = ConductorTests.head(lane)
                if sharesOrigin { heads[lane]?.originKey = 1 }
                heads[lane]?.sessionKey = lane
            }
            heads[fitting] = ConductorTests.head(fitting, class: .discretionary)
            self.heads = heads
        }

        mutating func deliver(_ event: ConductorEvent) {
            var events = [event]
            while let event = events.popLast() {
                for action in conductor.handle(event, at: now) {
                    switch action {
                    case .look(let cursor):
                        now += RestingLaneTests.answer
                        var page = LanePage(heads: [])
                        page.changePosition = LaneChangePosition(seen: "1")
                        let isSweep = !cursor.readsChangesOnly
                        let lanes = isSweep ? Array(heads.keys) : cursor.again
                        page.heads = lanes.compactMap { heads[$0] }
                        events.append(.lanesLoaded(page))
                    case .claim(let order):
                        now += RestingLaneTests.answer
                        claims += 1
                        for quota in order.quotas { asked[quota.head.lane, default: 0] += 1 }
                        let lanes = order.quotas.map(\.head.lane)
                        var runs: [ClaimedRun] = []
                        if lanes.contains(fitting), !hasBegun {
                            hasBegun = true
                            var run = ConductorTests.run(2)
                            run.lane = fitting
                            runs.append(run)
                        }
                        let due = Dictionary(
                            uniqueKeysWithValues: lanes.map { ($0, RestingLaneTests.start) })
                        events.append(.claimed(runs, due: due))
                    case .wake(let instant): wakeAt = instant
                    case .start, .stop: break
                    }
                }
            }
        }

        mutating func go(until end: Timestamp, while goesOn: (World) -> Bool = { _ in true }) {
            while wakeAt <= end, now <= end, goesOn(self) {
                now = max(now, wakeAt)
                deliver(.ticked)
            }
        }
    }

    @Test(arguments: [1, 7, 40, 1100, 3000] as [Int64], [true, false])
    func aDownloadThatFitsBeginsBehindAnyNumberThatDoNot(_ unfit: Int64, _ sharesOrigin: Bool) {
        var world = World(unfit: unfit, sharesOrigin: sharesOrigin)
        world.deliver(.ticked)
        world.go(until: Self.start + .seconds(60)) { !$0.hasBegun }
        #expect(world.hasBegun, "\(world.claims) claims")
        // Each lane in front of it is asked, and few are asked again meanwhile.
        #expect(world.asked.values.reduce(0, +) <= 2 * Int(unfit) + 16)
    }

    @Test func lanesInVainAreAskedAsRarelyAsTheirNumberDemands() {
        for unfit in [1, 40, 1000] as [Int64] {
            var world = World(unfit: unfit, sharesOrigin: true)
            world.deliver(.ticked)
            world.go(until: Self.start + .seconds(30))
            let before = world.asked.values.reduce(0, +)
            world.go(until: Self.start + .seconds(90))
            let count = world.asked.values.reduce(0, +) - before
            #expect(count <= 60 * min(Int(unfit) + 1, 55), "\(unfit) lanes: \(count)")
            #expect(count >= 20, "\(unfit) lanes: \(count)")
        }
    }

    @Test func moreRoomEndsPauses() {
        var world = World(unfit: 3, sharesOrigin: false)
        let reading = DiskReading(free: 1000, total: 10_000, reserve: 10)
        world.deliver(.diskRead(reading))
        world.deliver(.ticked)
        world.go(until: Self.start + .seconds(1)) { $0.asked.count < 4 }
        let before = world.asked
        var more = reading
        more.free += 1
        world.deliver(.diskRead(more))
        // The fourth lane has given its download, and is asked for another one.
        #expect(world.asked.allSatisfy { $0.value > before[$0.key] ?? 0 })
        world.deliver(.diskRead(reading))
        #expect(world.asked.values.reduce(0, +) == before.values.reduce(4, +))
    }

    @Test func theEndOfARunEndsThePauseOfOneLaneOfItsOrigin() {
        var world = World(unfit: 3, sharesOrigin: true)
        world.deliver(.ticked)
        world.go(until: Self.start + .milliseconds(900)) { $0.asked.count < 4 }
        let before = world.asked.values.reduce(0, +)
        world.deliver(.ended(ConductorTests.id(1), fence: 10))
        world.go(until: Self.start + .milliseconds(990))
        #expect(world.asked.values.reduce(0, +) == before + 1)
    }

    @Test func aClockThatIsSetBackEndsAllPauses() {
        var lanes = RestingLanes()
        for lane in 1...5 as ClosedRange<Int64> { lanes.add(lane, origin: lane, at: Self.start) }
        #expect(lanes.expire(at: Self.start + .milliseconds(999)) == [])
        #expect(lanes.expire(at: Self.start - .seconds(1)) == [1, 2, 3, 4, 5])
        #expect(lanes.nextEnd == nil)
    }

    /// Against a plain list of pauses.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func pausesAreAsAPlainListHasThem(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (lanes, list) = (RestingLanes(), [Int64: (origin: Int64, until: Timestamp)]())
        var now = Self.start
        for _ in 0..<2000 {
            let lane = Int64.random(in: 1...60, using: &random)
            let origin = lane % 7
            switch Int.random(in: 0..<8, using: &random) {
            case 0...4:
                lanes.add(lane, origin: origin, at: now)
                list[lane] = lanes.until(lane).map { (origin, $0) }
                let until = list[lane]?.until ?? .epoch
                let longest = RestingLanes.shortest + RestingLanes.spacing * 60 + .milliseconds(250)
                #expect(until >= now + RestingLanes.shortest && until <= now + longest)
            case 5:
                let own = list.filter { $0.value.origin == origin }.map(\.key)
                let ended = lanes.endOne(ofOrigin: origin)
                #expect(ended.map { own.contains($0) } ?? own.isEmpty)
                if let ended { list[ended] = nil }
            default:
                now += .milliseconds(Int64.random(in: 0...400, using: &random))
                let over = list.filter { $0.value.until <= now }.map(\.key).sorted()
                #expect(lanes.expire(at: now).sorted() == over)
                for lane in over { list[lane] = nil }
            }
            #expect(lanes.nextEnd == list.values.map(\.until).min())
            #expect(Set(lanes.some(100)).isSubset(of: Set(list.keys)))
            for lane in 1...60 as ClosedRange<Int64> {
                #expect(lanes.until(lane) == list[lane]?.until)
            }
        }
    }
}
