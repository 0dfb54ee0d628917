// Weights of apps and sessions: each gets its part of the bytes, whatever sizes its downloads turn
// out to have.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct ShareWeightTests {
    private static let start = Timestamp(seconds: 1_800_000_000)

    /// One lane for each of two apps or sessions, both of which always wait.
    private struct World {
        var conductor: Conductor
        var heads: [LaneHead] = []
        var random: SeededRandom
        var served = [0.0, 0.0]
        var largest = [0.0, 0.0]
        private var fences: Int64 = 0

        init(_ seed: UInt64, shares: String, slots: Int = 1, byApp: Bool) throws {
            let policy = try Policies.read("{\"shares\": \(shares)}")
            conductor = Conductor(
                policy: policy, zone: .utc, slots: slots, pollInterval: .seconds(1))
            random = SeededRandom(seed: seed)
            for place in 0..<2 {
                var head = LaneHead(
                    lane: Int64(place + 1), runAt: start, sessionKey: Int64(place + 1),
                    session: place == 0 ? "a" : "b", originKey: Int64(place + 1),
                    schedulingClass: .normal, rank: 2, origin: GateReading(),
                    sessionGate: GateReading())
                head.app = byApp ? Int64(place + 1) : 1
                head.appName = byApp ? head.session : "one"
                heads.append(head)
            }
        }

        /// The claim that was asked for last and is not answered.
        private(set) var order: ClaimOrder?

        mutating func handle(_ event: ConductorEvent) {
            for action in conductor.handle(event, at: ShareWeightTests.start) {
                if case .claim(let order) = action { self.order = order }
            }
        }

        /// The lane that gets the next slot.
        mutating func next() -> LaneHead? {
            for _ in 0..<3 where order == nil {
                handle(.hinted)
                handle(.lanesLoaded(LanePage(heads: heads)))
            }
            return order?.quotas.first?.head
        }

        /// Answers the claim with as many downloads as it asks for.
        mutating func begin(need: Int64) -> [ClaimedRun] {
            _ = next()
            var runs: [ClaimedRun] = []
            for quota in order?.quotas ?? [] {
                for _ in 0..<quota.count where runs.count < order?.total ?? 0 {
                    fences += 1
                    var run = ClaimedRun(
                        id: Identifier(high: 1, low: UInt64(fences)), fence: fences, need: need)
                    (run.lane, run.flow) = (quota.head.lane, quota.head.flow)
                    runs.append(run)
                }
            }
            order = nil
            handle(.claimed(runs, due: [1: ShareWeightTests.start, 2: ShareWeightTests.start]))
            return runs
        }

        mutating func end(_ run: ClaimedRun, bytes: Int64) {
            handle(.ended(run.id, fence: run.fence, bytes: bytes))
        }

        /// Begins a download, lets it bring its bytes in some reports, and ends it.
        mutating func serve(isKnown: Bool) {
            let bytes = Int64.random(in: 65_536...50_000_000, using: &random)
            guard let run = begin(need: isKnown ? bytes : 0).first else { return }
            for part in 1...3 {
                handle(
                    .arrived([
                        RunState(id: run.id, fence: run.fence, bytes: bytes / 3 * Int64(part))
                    ]))
            }
            end(run, bytes: bytes)
            let place = Int(run.lane - 1)
            served[place] += Double(bytes)
            largest[place] = max(largest[place], Double(bytes))
        }
    }

    /// The bytes of two apps that always wait, by weight, differ by at most the largest piece of
    /// each.
    @Test(arguments: 0..<40)
    func whatTwoGetDiffersByTheLargestPieceOfEach(_ seed: UInt64) throws {
        let weights = [0.25, 1, 3, 8]
        let weight = weights[Int(seed) % 4]
        let byApp = seed % 8 < 4
        let shares =
            byApp ? "{\"app\": {\"b\": \(weight)}}" : "{\"session\": {\"b\": \(weight), \"*\": 1}}"
        var world = try World(seed, shares: shares, byApp: byApp)
        for _ in 0..<120 {
            world.serve(isKnown: seed % 3 == 0)
            let gap = abs(world.served[0] - world.served[1] / weight)
            let bound = world.largest[0] + world.largest[1] / weight
            #expect(gap <= max(bound, FairShares.unknownBytes * (1 + 1 / weight)) + 1)
        }
        #expect(world.served.allSatisfy { $0 > 0 })
    }

    /// A run that brings more than was expected is charged before its end: the second slot and
    /// every one after it goes to the other app for a long time.
    @Test func aRunIsChargedForWhatItBringsWhileItRuns() throws {
        var world = try World(1, shares: "{}", slots: 2, byApp: true)
        let both = world.begin(need: 0)
        #expect(both.map(\.lane) == [1, 2])
        let state = RunState(id: both[0].id, fence: both[0].fence, bytes: 1 << 40)
        world.handle(.arrived([state]))
        world.end(both[1], bytes: 1 << 20)
        for _ in 0..<20 {
            let other = try #require(world.begin(need: 1 << 20).first)
            #expect(other.lane == 2)
            world.end(other, bytes: 1 << 20)
        }
        #expect(world.conductor.runningCount == 1)
    }

    /// The part of the slots that discretionary downloads keep is the policy's.
    @Test(arguments: [(0.0, 0), (0.1, 2), (0.25, 5), (0.5, 10)])
    func theFloorIsThePolicys(_ part: Double, _ slots: Int) {
        var floor = ClassFloor()
        floor.part = part
        var running: [ServingClass: Int] = [:]
        for count in 0..<20 {
            let next = floor.next(
                of: [.normal, .discretionary], running: running, capacity: 20, free: 20 - count)
            if let next { running[next, default: 0] += 1 }
        }
        #expect(running[.discretionary, default: 0] == slots)
    }
}
