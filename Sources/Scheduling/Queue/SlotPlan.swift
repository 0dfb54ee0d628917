// Plans which lanes get the free slots: by class, app, session, aged rank and origin; where
// deadlines are near, by the first deadline of an app.
package import Base

/// Grants slots one by one; pure.
///
/// It asks about a lane when that comes first, so that the cost depends on the slots and not on the
/// waiting lanes.
package struct SlotPlan {
    /// The number of further downloads that a gate lets through.
    struct Room {
        let key: GateKey
        let count: Int
        /// Whether the gate itself has this limit, so that a flow that finds it full sleeps there.
        var isOwn = true
    }

    /// The answer to the question whether the lane that comes first may begin.
    enum Answer {
        /// It may be given slots while its gates have room.
        case give(LaneHead, rooms: [Room])
        /// It is closed, not due or left alone.
        case refuse
        /// It is left out of this plan.
        case skip
    }

    /// A flow that found a gate full, with its app.
    struct Waiting {
        let gate: GateKey
        let branch: LaneQueue.Branch
        let app: Int64
        let lane: Int64
    }

    private struct Entry {
        let head: LaneHead
        let servingClass: ServingClass
        let isGuarded: Bool
        let rooms: [Room]
        var count = 0
    }

    /// The most lanes of a claim.
    static let lanesAtMost = 512
    /// The most lanes that are refused before a plan ends.
    static let refusedAtMost = 4096

    private var queue: LaneQueue
    private var entries: [Int64: Entry] = [:]
    private var taken: [GateKey: Int] = [:]
    /// The floor of lower classes after the plan.
    package private(set) var floor: ClassFloor
    private var running: [ServingClass: Int]
    private let capacity: Int
    /// The number of further downloads that may begin in all replicas; nil for no limit.
    private let deploymentRoom: Int?
    /// The number of slots that are left.
    private var free = 0
    private let cost: Double
    /// The lanes that were refused.
    private(set) var refused: [Int64] = []
    /// The flows that found a gate full.
    private(set) var waiting: [Waiting] = []
    /// Whether a lane was left out of this plan.
    private(set) var hasSkipped = false
    /// The answers for a plan over given lanes.
    private var given: [Int64: Answer] = [:]

    /// Prepares a plan over a queue.
    ///
    /// - Parameters:
    ///   - queue: the lanes that may be open; it comes back from `finish`.
    ///   - deploymentRoom: how many more may begin in all replicas; nil for any number.
    ///   - floor: what lower classes have saved.
    ///   - running: how many run here of each class.
    ///   - capacity: how many may run here.
    ///   - cost: what a download is expected to count as.
    init(
        _ queue: consuming LaneQueue, deploymentRoom: Int?, floor: ClassFloor,
        running: [ServingClass: Int], capacity: Int, cost: Double
    ) {
        self.queue = queue
        self.deploymentRoom = deploymentRoom
        self.floor = floor
        self.running = running
        self.capacity = capacity
        self.cost = cost
        self.queue.beginPlan()
    }

    /// Prepares a plan over lanes that are due and open.
    ///
    /// - Parameters:
    ///   - heads: the lanes.
    ///   - guarded: the deadlines of those that allow no more waiting, by lane.
    ///   - rooms: how many more each gate lets through; one that is not in here has no limit.
    ///   - shares: what each flow has got so far.
    ///   - floor: what lower classes have saved.
    ///   - running: how many run here of each class.
    ///   - capacity: how many may run here.
    ///   - cost: what a download is expected to count as.
    ///   - now: the instant.
    package init(
        _ heads: [LaneHead], guarded: [Int64: Timestamp] = [:], rooms: [GateKey: Int],
        shares: FairShares, floor: ClassFloor, running: [ServingClass: Int], capacity: Int,
        cost: Double, at now: Timestamp
    ) {
        var queue = LaneQueue(shares: shares)
        var given: [Int64: Answer] = [:]
        for head in heads {
            let deadline = guarded[head.lane]
            queue.insert(head.lane, LaneQueue.Seat(head, deadline: deadline, at: now))
            let keys: [GateKey] = [
                .app(head.app), .session(head.sessionKey), .origin(head.originKey),
                head.connectionsKey,
            ]
            given[head.lane] = .give(
                head, rooms: keys.compactMap { key in rooms[key].map { Room(key: key, count: $0) } }
            )
        }
        self.init(
            queue, deploymentRoom: rooms[.deployment], floor: floor, running: running,
            capacity: capacity, cost: cost)
        self.given = given
    }

    /// The lanes to claim from, in the order of their turns; called once.
    ///
    /// - Parameters:
    ///   - free: how many slots there are.
    ///   - spare: how many further lanes are named, for those that give less than they should.
    /// - Returns: the lanes, each with what it is to give.
    package mutating func quotas(free: Int, spare: Int) -> [LaneQuota] {
        let given = given
        return quotas(free: free, spare: spare) { given[$0] ?? .refuse }
    }

    /// Plans from a queue, where a lane is asked about when it comes first.
    mutating func quotas(free: Int, spare: Int, _ ask: (Int64) -> Answer) -> [LaneQuota] {
        var order: [Int64] = []
        self.free = free
        for _ in 0..<min(free, SlotPlan.lanesAtMost) {
            guard let lane = next(isFresh: false, ask) else { break }
            if entries[lane]?.count == 0 { order.append(lane) }
            take(lane)
        }
        let granted = floor
        // Shares count a spare lane only when the claim has brought something from it.
        var left = min(spare, SlotPlan.lanesAtMost - order.count)
        while left > 0, !order.isEmpty, let lane = next(isFresh: true, ask) {
            order.append(lane)
            take(lane)
            left -= 1
        }
        floor = granted
        return order.compactMap { lane in
            entries[lane].map { entry in
                var quota = LaneQuota(head: entry.head, count: entry.count)
                quota.isGuarded = entry.isGuarded
                return quota
            }
        }
    }

    /// Whether lanes of more than one app may be given a slot.
    mutating func hasSeveralApps(_ ask: (Int64) -> Answer) -> Bool {
        var only: Int64?
        for kind in ServingClass.allCases {
            while let lane = first(of: kind, isFresh: false, ask),
                let app = entries[lane]?.head.app
            {
                guard only ?? app == app else { return true }
                only = app
                queue.setAside(app, of: .apps(kind), app: app)
            }
        }
        return false
    }

    /// The number of lanes of some classes that may begin, counted up to a bound.
    mutating func lanes(
        of kinds: [ServingClass], _ most: Int, _ ask: (Int64) -> Answer
    ) -> Int {
        var count = 0
        for kind in kinds {
            while count < most, let lane = first(of: kind, isFresh: true, ask) {
                count += 1
                take(lane)
            }
        }
        return count
    }

    /// Ends the plan, and returns the queue as it was.
    consuming func finish() -> LaneQueue {
        queue.endPlan()
        return queue
    }

    private mutating func take(_ lane: Int64) {
        guard let entry = entries[lane] else { return }
        entries[lane]?.count += 1
        let flow = entry.head.flow
        let keys: [GateKey] = [
            .origin(flow.origin), .session(flow.session), .app(flow.app), .deployment,
            .connections(session: flow.session, origin: flow.origin),
        ]
        for key in keys { taken.updateValue((taken[key] ?? 0) + 1, forKey: key) }
        free -= 1
        let kind = entry.servingClass
        queue.serve(flow, bytes: cost, as: kind)
        running.updateValue(running[kind, default: 0] + 1, forKey: kind)
    }

    /// The lane that gets the next slot.
    private mutating func next(isFresh: Bool, _ ask: (Int64) -> Answer) -> Int64? {
        let room = deploymentRoom.map { $0 - (taken[.deployment] ?? 0) }
        guard room ?? 1 > 0 else { return nil }
        let kinds = ServingClass.allCases.filter { queue.hasLanes(of: $0) }
        // With one class there is no choice.
        if kinds.count == 1 { return first(of: kinds[0], isFresh: isFresh, ask) }
        var best: [ServingClass: Int64] = [:]
        for kind in kinds { best[kind] = first(of: kind, isFresh: isFresh, ask) }
        let kind = floor.next(
            of: Set(best.keys), running: running, capacity: capacity,
            free: min(free, room ?? free))
        return kind.flatMap { best[$0] }
    }

    /// The first lane of a class that may be given a slot; lanes before it that may not are set
    /// aside.
    mutating func first(
        of kind: ServingClass, isFresh: Bool, _ ask: (Int64) -> Answer
    ) -> Int64? {
        while let app = queue.first(of: .apps(kind)),
            let session = queue.first(of: .sessions(kind, app: app)),
            let origin = queue.first(of: .origins(kind, session: session)),
            let lane = queue.first(of: .lanes(kind, session: session, origin: origin))
        {
            let lanes = LaneQueue.Branch.lanes(kind, session: session, origin: origin)
            if isFresh, entries[lane]?.count ?? 0 > 0 {
                queue.setAside(lane, of: lanes, app: app)
                continue
            }
            if entries[lane] == nil, !learn(lane, kind, ask) {
                queue.setAside(lane, of: lanes, app: app)
                if refused.count >= SlotPlan.refusedAtMost { return nil }
                continue
            }
            guard let entry = entries[lane],
                let full = entry.rooms.first(where: { $0.count - (taken[$0.key] ?? 0) <= 0 })
            else { return lane }
            let branch: LaneQueue.Branch
            switch full.key {
            case .app:
                branch = .sessions(kind, app: app)
                queue.setAside(app, of: .apps(kind), app: app)
            case .session:
                branch = .origins(kind, session: session)
                queue.setAside(session, of: .sessions(kind, app: app), app: app)
            default:
                branch = lanes
                queue.setAside(origin, of: .origins(kind, session: session), app: app)
            }
            if full.isOwn, full.count <= 0 {
                waiting.append(Waiting(gate: full.key, branch: branch, app: app, lane: lane))
            }
        }
        return nil
    }

    /// Asks about a lane and keeps the answer.
    ///
    /// - Returns: whether it may be given slots.
    private mutating func learn(
        _ lane: Int64, _ kind: ServingClass, _ ask: (Int64) -> Answer
    ) -> Bool {
        switch ask(lane) {
        case .give(let head, let rooms):
            entries[lane] = Entry(
                head: head, servingClass: kind,
                isGuarded: queue.seat(of: lane)?.deadline != nil, rooms: rooms)
            return true
        case .refuse: refused.append(lane)
        case .skip: hasSkipped = true
        }
        return false
    }
}

extension LaneQueue.Seat {
    /// The position of a lane, with its deadline if that is near.
    init(_ head: LaneHead, deadline: Timestamp?, at now: Timestamp) {
        // A late lane is not guarded, so that it does not make others late.
        self.init(
            servingClass: deadline == nil
                ? ServingClass(head.schedulingClass) : ServingClass(near: head.schedulingClass),
            flow: head.flow, rank: head.agedRank(at: now), due: head.due, deadline: deadline)
    }
}
