// The lanes that get slots: the plan gives the result of a search over every lane for every slot.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct SlotPlanTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    /// Lanes, gates and shares of a seed.
    private struct World {
        var heads: [LaneHead] = []
        var guarded: [Int64: Timestamp] = [:]
        var rooms: [GateKey: Int] = [:]
        var shares = FairShares()
        let capacity: Int
        let free: Int
        let spare: Int

        init(_ seed: UInt64) {
            var random = SeededRandom(seed: seed)
            let origins = Int64.random(in: 1...40, using: &random)
            let sessions = Int64.random(in: 1...4, using: &random)
            for lane in 1...Int64.random(in: 1...60, using: &random) {
                let session = Int64.random(in: 1...sessions, using: &random)
                var head = LaneHead(
                    lane: lane,
                    runAt: now - .seconds(Int.random(in: 0...400, using: &random)),
                    sessionKey: session, session: "s",
                    originKey: Int64.random(in: 1...origins, using: &random),
                    schedulingClass: random.isOne(in: 3) ? .discretionary : .normal,
                    rank: Int.random(in: 0...3, using: &random), origin: GateReading(),
                    sessionGate: GateReading())
                head.app = session % 2
                head.isOverloaded = random.isOne(in: 10)
                heads.append(head)
                if random.isOne(in: 5) {
                    guarded[lane] = now + .seconds(Int.random(in: 0...3, using: &random) * 60)
                }
                rooms[.origin(head.originKey)] = Int.random(in: 0...4, using: &random)
                if random.isOne(in: 4) {
                    rooms[.session(session)] = Int.random(in: 0...9, using: &random)
                }
                if random.isOne(in: 8) {
                    rooms[.app(head.app)] = Int.random(in: 0...20, using: &random)
                }
            }
            if random.isOne(in: 3) { rooms[.deployment] = Int.random(in: 0...30, using: &random) }
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                guard let head = heads.randomElement(using: &random) else { continue }
                shares.serve(head.flow, bytes: Double.random(in: 1...4e6, using: &random))
            }
            capacity = Int.random(in: 1...40, using: &random)
            free = Int.random(in: 0...capacity, using: &random)
            spare = Int.random(in: 0...40, using: &random)
        }
    }

    /// A plan that looks at every lane for each slot.
    private struct Reference {
        let world: World
        var counts: [Int64: Int] = [:]
        var rooms: [GateKey: Int]
        var shares: FairShares
        var floor = ClassFloor()
        var running: [ServingClass: Int] = [:]

        init(_ world: World) {
            self.world = world
            rooms = world.rooms
            shares = world.shares
        }

        func kind(_ head: LaneHead) -> ServingClass {
            guard world.guarded[head.lane] != nil else {
                return head.schedulingClass == .normal ? .normal : .discretionary
            }
            return head.schedulingClass == .normal ? .due : .guarded
        }

        func gates(_ head: LaneHead) -> [GateKey] {
            [.origin(head.originKey), .session(head.sessionKey), .app(head.app), .deployment]
        }

        /// The order of two lanes of one class: app, then deadline, or session, step, origin, due
        /// date.
        func isBefore(_ left: LaneHead, _ right: LaneHead) -> Bool {
            let apps = (shares.place(ofApp: left.app), shares.place(ofApp: right.app))
            if left.app != right.app { return (apps.0, left.app) < (apps.1, right.app) }
            let age = { (head: LaneHead) in
                (head.agedRank(at: SlotPlanTests.now), head.due, head.lane)
            }
            if let mine = world.guarded[left.lane], let theirs = world.guarded[right.lane] {
                return mine != theirs ? mine < theirs : age(left) < age(right)
            }
            let session = { (head: LaneHead) in
                (shares.place(ofSession: head.sessionKey, app: head.app), head.sessionKey)
            }
            if session(left) != session(right) { return session(left) < session(right) }
            let steps = (age(left).0, age(right).0)
            if steps.0 != steps.1 { return steps.0 < steps.1 }
            let origin = { (head: LaneHead) in
                shares.place(ofOrigin: head.originKey, session: head.sessionKey)
            }
            if origin(left) != origin(right) { return origin(left) < origin(right) }
            return age(left) < age(right)
        }

        mutating func next(isFresh: Bool) -> LaneHead? {
            let open = world.heads.filter { head in
                gates(head).allSatisfy { (rooms[$0] ?? 1) > 0 }
                    && (!isFresh || counts[head.lane, default: 0] == 0)
            }
            let left = world.free - running.values.reduce(0, +)
            let chosen = floor.next(
                of: Set(open.map(kind)), running: running, capacity: world.capacity,
                free: min(left, rooms[.deployment] ?? left))
            guard let chosen else { return nil }
            return open.filter { kind($0) == chosen }.min { isBefore($0, $1) }
        }

        mutating func quotas() -> [LaneQuota] {
            var order: [LaneHead] = []
            func take(_ head: LaneHead) {
                if counts[head.lane, default: 0] == 0 { order.append(head) }
                counts[head.lane, default: 0] += 1
                for key in gates(head) { rooms[key]? -= 1 }
                shares.serve(head.flow, bytes: 1e6)
                running[kind(head), default: 0] += 1
            }
            for _ in 0..<world.free {
                guard let head = next(isFresh: false) else { break }
                take(head)
            }
            for _ in 0..<world.spare where !order.isEmpty {
                guard let head = next(isFresh: true) else { break }
                take(head)
            }
            return order.map { head in
                var quota = LaneQuota(head: head, count: counts[head.lane, default: 0])
                quota.isGuarded = world.guarded[head.lane] != nil
                return quota
            }
        }
    }

    /// Slots are free for both classes, so the part that is kept for discretionary downloads takes
    /// no place at the origin.
    @Test(arguments: [(20, 1), (3, 1), (2, 2), (1, 2)])
    func theLastPlaceOfAnOriginIsForNormalWork(_ free: Int, _ expected: Int64) {
        let heads = [SchedulingClass.normal, .discretionary].enumerated().map { place, kind in
            LaneHead(
                lane: Int64(place + 1), runAt: SlotPlanTests.now, sessionKey: 1, session: "s",
                originKey: 1, schedulingClass: kind, rank: 2, origin: GateReading(),
                sessionGate: GateReading())
        }
        var plan = SlotPlan(
            heads, guarded: [2: SlotPlanTests.now], rooms: [.origin(1): 1], shares: FairShares(),
            floor: ClassFloor(), running: [:], capacity: 20, cost: 1e6, at: SlotPlanTests.now)
        #expect(plan.quotas(free: free, spare: 0).map(\.head.lane) == [expected])
    }

    @Test(arguments: 0..<500)
    func quotasAreThoseOfAPlanThatLooksAtEveryLane(_ seed: UInt64) {
        let world = World(seed)
        var reference = Reference(world)
        var plan = SlotPlan(
            world.heads, guarded: world.guarded, rooms: world.rooms, shares: world.shares,
            floor: ClassFloor(), running: [:], capacity: world.capacity, cost: 1e6,
            at: SlotPlanTests.now)
        let quotas = plan.quotas(free: world.free, spare: world.spare)
        #expect(quotas == reference.quotas(), "seed \(seed)")
    }
}
