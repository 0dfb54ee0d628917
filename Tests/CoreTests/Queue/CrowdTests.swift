// A conductor before very many lanes reads the lanes that are due; nothing starves while slots are
// free.
import Base
import Downloads
import Scheduling
import Testing

@testable import PolicyWorlds

/// A conductor and a store that answers at once.
struct Crowd {
    var store: CrowdStore
    var conductor: Conductor
    var now = Timestamp(seconds: 1_800_000_000)
    var runs: [(id: Identifier, fence: Int64, flow: LaneFlow, kind: SchedulingClass)] = []
    var wakeAt: Timestamp?
    /// The most runs at one time behind each gate.
    var most: [GateKey: Int] = [:]

    init(_ store: CrowdStore, slots: Int, policy: Policy? = nil) {
        self.store = store
        conductor = Conductor(
            policy: policy ?? Policy(limits: store.limits), zone: .utc, slots: slots,
            pollInterval: .seconds(60))
    }

    /// Hands an event in, and answers looks and claims until there are none.
    mutating func deliver(_ event: ConductorEvent, stepsAtMost: Int = 20_000) {
        var events = [event]
        var steps = 0
        while let event = events.popLast(), steps < stepsAtMost {
            steps += 1
            if case .claimed(let claims, _) = event {
                runs += claims.map { ($0.id, $0.fence, $0.flow, $0.schedulingClass) }
                for (key, count) in store.running { most[key] = max(most[key] ?? 0, count) }
            }
            for action in conductor.handle(event, at: now) {
                switch action {
                case .look(let cursor):
                    let page = store.page(
                        from: cursor,
                        wanted: cursor == .start ? max(16, 2 * conductor.freeSlots) : 256, at: now)
                    events.append(.lanesLoaded(page))
                case .claim(let order): events.append(store.claim(order, at: now))
                case .wake(let instant): wakeAt = instant
                case .start, .stop: break
                }
            }
        }
        if steps >= stepsAtMost { Issue.record("it goes on for ever") }
    }

    /// Ends one of the runs, and lets time pass to the next wake.
    mutating func end(_ place: Int) {
        let run = runs.remove(at: place)
        store.count(run.flow, by: -1)
        deliver(.ended(run.id, fence: run.fence, bytes: 1 << 20))
        pass()
    }

    mutating func pass() {
        guard let wake = wakeAt, wake - now <= .seconds(2) else { return }
        now = max(now, wake)
        deliver(.ticked)
    }
}

@Suite struct CrowdTests {
    private let start = Timestamp(seconds: 1_800_000_000)

    @Test func ofManyLanesThoseThatAreDueAreRead() {
        var store = CrowdStore(limits: PolicyLimits(perOrigin: 6))
        store.add(99_900, firstOrigin: 1, at: start + .seconds(9000))
        store.add(100, firstOrigin: 200_000, at: start - .seconds(1))
        var crowd = Crowd(store, slots: 128)
        crowd.deliver(.ticked)
        #expect(crowd.runs.count == 100)
        #expect(crowd.runs.allSatisfy { $0.flow.origin >= 200_000 })
        #expect(crowd.store.lanesRead <= 200)
        #expect(crowd.store.looks <= 3)
    }

    /// An origin's pushback closes 3,000 lanes that come before the one that may run.
    @Test func aSweepPassesLanesThatAreClosed() {
        var store = CrowdStore(limits: PolicyLimits(perOrigin: 6))
        store.add(3000, firstOrigin: 1, at: start - .seconds(100))
        store.add(1, firstOrigin: 9000, at: start - .seconds(1))
        for origin in Int64(1)...3000 { store.cooling[origin] = start + .seconds(600) }
        var crowd = Crowd(store, slots: 4)
        crowd.deliver(.ticked)
        #expect(crowd.runs.map(\.flow.origin) == [9000])
    }

    /// One app has an endless backlog; downloads of other apps do not wait for its end.
    @Test(arguments: [1, 2, 8, 64])
    func oneAppTakesSevenEighthsAtMostWhileOthersWait(_ slots: Int) {
        var store = CrowdStore(limits: PolicyLimits(perOrigin: 1000))
        store.add(500, app: 1, session: 1, firstOrigin: 1, at: start - .seconds(900), depth: 1000)
        store.add(3, app: 2, session: 2, firstOrigin: 5000, at: start - .seconds(1), depth: 1000)
        var crowd = Crowd(store, slots: slots)
        crowd.deliver(.ticked)
        #expect(crowd.runs.count == slots)
        var random = SeededRandom(seed: UInt64(slots))
        for _ in 0..<100 {
            crowd.end(Int.random(in: crowd.runs.indices, using: &random))
            let first = crowd.runs.count { $0.flow.app == 1 }
            #expect(first <= max(1, slots * 7 / 8))
            #expect(crowd.runs.count == slots)
        }
        let served = crowd.store.taken.reduce(into: [Int64: Int]()) { counts, lane in
            counts[crowd.store.lanes[Int(lane.key - 1)].app, default: 0] += lane.value
        }
        // With equal shares the apps got equally much, apart from the runs under way.
        let gap = abs((served[1] ?? 0) - (served[2] ?? 0))
        // With two slots each app has one, whatever it got before.
        #expect(gap <= slots + 2 || slots == 2, "\(served)")
    }

    /// By night there are large files of one app; by day a backlog of another one, and one file of
    /// the first.
    @Test func whatAnAppGotWhileNobodyWaitedDoesNotHoldItBack() {
        var store = CrowdStore(limits: PolicyLimits(perOrigin: 6))
        store.need = { $0.app == 1 ? 100 << 30 : 1 << 20 }
        store.add(3, app: 1, session: 1, firstOrigin: 1, at: start)
        var crowd = Crowd(store, slots: 4)
        crowd.deliver(.ticked)
        #expect(crowd.runs.count == 3)
        for _ in 0..<3 {
            let run = crowd.runs.removeFirst()
            crowd.store.count(run.flow, by: -1)
            crowd.deliver(.ended(run.id, fence: run.fence, bytes: 100 << 30))
            crowd.now = crowd.now + .seconds(1)
            crowd.deliver(.ticked)
        }
        crowd.store.add(50, app: 2, session: 2, firstOrigin: 100, at: crowd.now, depth: 100)
        crowd.deliver(.hinted)
        crowd.store.add(1, app: 1, session: 1, firstOrigin: 50, at: crowd.now)
        let file = Int64(crowd.store.lanes.count)
        crowd.deliver(.hinted)
        // Each app begins twice, and all slots change once.
        for _ in 0..<8 where crowd.store.taken[file] == nil {
            crowd.now = crowd.now + .seconds(1)
            crowd.end(0)
        }
        #expect(crowd.store.taken[file] == 1)
    }

    /// An app that cannot run keeps no slot empty.
    @Test func anAppAtItsLimitReservesNothing() {
        var store = CrowdStore(limits: PolicyLimits(perOrigin: 1000))
        store.add(9, app: 1, session: 1, firstOrigin: 1, at: start - .seconds(9), depth: 1000)
        store.add(9, app: 2, session: 2, firstOrigin: 50, at: start - .seconds(1), depth: 1000)
        store.ownLimits[2] = 3
        var crowd = Crowd(store, slots: 16)
        crowd.deliver(.ticked)
        for _ in 0..<50 { crowd.end(0) }
        #expect(crowd.runs.count == 16)
        #expect(crowd.runs.count { $0.flow.app == 2 } <= 3)
    }

    /// Deep lanes of many sessions and both classes: within a bounded number of ends each single
    /// download has begun, and no limit was passed.
    @Test(arguments: 0..<8)
    func everyDownloadBeginsAndLimitsHold(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let limits = PolicyLimits(
            running: random.isOne(in: 2) ? 12 : nil, perOrigin: 1 + Int(seed % 3),
            perSession: random.isOne(in: 2) ? 5 : nil, perApp: random.isOne(in: 3) ? 7 : nil)
        var store = CrowdStore(limits: limits)
        for app in Int64(1)...3 {
            for session in 0..<Int64.random(in: 1...14, using: &random) {
                store.add(
                    Int.random(in: 1...10, using: &random), app: app, session: app * 100 + session,
                    firstOrigin: Int64.random(in: 1...60, using: &random),
                    class: random.isOne(in: 3) ? .discretionary : .normal,
                    rank: Int.random(in: 0...3, using: &random),
                    at: start - .seconds(Int64.random(in: 0...4000, using: &random)),
                    depth: random.isOne(in: 8) ? 20 : 1)
            }
        }
        let total = store.lanes.reduce(0) { $0 + $1.depth }
        var crowd = Crowd(store, slots: 16)
        crowd.deliver(.ticked)
        var ends = 0
        while !crowd.runs.isEmpty, ends <= total {
            crowd.end(Int.random(in: crowd.runs.indices, using: &random))
            ends += 1
        }
        let left = crowd.store.lanes.filter { $0.depth > 0 }.count
        #expect(ends == total && left == 0, "seed \(seed): \(left) lanes are left")
        for (key, count) in crowd.most {
            let limit =
                switch key {
                case .origin: limits.perOrigin
                case .session: limits.perSession ?? .max
                case .app: limits.perApp ?? .max
                case .deployment: min(16, limits.running ?? .max)
                case .connections: Int.max
                }
            #expect(count <= limit, "seed \(seed): \(key)")
        }
    }
}
