// Which lanes get the slots that are free: class, app, session, rank with ageing, origin.

/// Gives slots away one by one; pure.
struct SlotPlan {
    /// What a lane may still be given.
    private struct Entry {
        let head: LaneHead
        let agedRank: Int
        var count = 0
    }

    /// A claim names at most so many lanes.
    static let lanesAtMost = 512

    private var entries: [Entry]
    /// The places of lanes in `entries` by class, app and session, the best first.
    private var tree: [SchedulingClass: [Int64: [Int64: [Int]]]] = [:]
    private var rooms: [GateKey: Int]
    private var shares: FairShares
    private(set) var floor: ClassFloor
    private var running: [SchedulingClass: Int]
    private let capacity: Int
    private let cost: Double

    /// - Parameters:
    ///   - heads: lanes that are due and open.
    ///   - rooms: how many more each gate lets through; one that is not in here has no limit.
    ///   - shares: what each flow has got so far.
    ///   - floor: what lower classes have saved.
    ///   - running: how many run here of each class.
    ///   - capacity: how many may run here.
    ///   - cost: what a download is expected to count as.
    ///   - now: the instant.
    init(
        _ heads: [LaneHead], rooms: [GateKey: Int], shares: FairShares, floor: ClassFloor,
        running: [SchedulingClass: Int], capacity: Int, cost: Double, at now: Timestamp
    ) {
        entries = heads.map { Entry(head: $0, agedRank: $0.agedRank(at: now)) }
        entries.sort {
            ($0.agedRank, $0.head.runAt, $0.head.lane) < ($1.agedRank, $1.head.runAt, $1.head.lane)
        }
        self.rooms = rooms
        self.shares = shares
        self.floor = floor
        self.running = running
        self.capacity = capacity
        self.cost = cost
        for (place, entry) in entries.enumerated() {
            let head = entry.head
            tree[head.schedulingClass, default: [:]][head.app, default: [:]][
                head.sessionKey, default: []
            ].append(place)
        }
    }

    /// The lanes to claim from, in the order of their turns.
    ///
    /// - Parameters:
    ///   - free: how many slots there are.
    ///   - spare: how many further lanes are named, for those that give less than they should.
    /// - Returns: the lanes, each with what it is to give.
    mutating func quotas(free: Int, spare: Int) -> [LaneQuota] {
        var order: [Int] = []
        for _ in 0..<min(free, SlotPlan.lanesAtMost) {
            guard let place = next() else { break }
            if entries[place].count == 0 { order.append(place) }
            entries[place].count += 1
            take(entries[place].head)
        }
        let granted = floor
        // What a spare lane gives counts when it is known.
        var left = min(spare, SlotPlan.lanesAtMost - order.count)
        while left > 0, !order.isEmpty, let place = next(isFresh: true) {
            order.append(place)
            entries[place].count = 1
            take(entries[place].head)
            left -= 1
        }
        floor = granted
        return order.map { LaneQuota(head: entries[$0].head, count: entries[$0].count) }
    }

    private mutating func take(_ head: LaneHead) {
        for key in SlotPlan.gates(of: head) where rooms[key] != nil { rooms[key]? -= 1 }
        shares.serve(head.flow, bytes: cost)
        running[head.schedulingClass, default: 0] += 1
    }

    private static func gates(of head: LaneHead) -> [GateKey] {
        [.origin(head.originKey), .session(head.sessionKey), .app(head.app), .deployment]
    }

    private func hasRoom(_ key: GateKey) -> Bool { (rooms[key] ?? 1) > 0 }

    /// The place of the lane that gets the next slot.
    private mutating func next(isFresh: Bool = false) -> Int? {
        guard hasRoom(.deployment) else { return nil }
        var best: [SchedulingClass: Int] = [:]
        for kind in tree.keys { best[kind] = next(of: kind, isFresh: isFresh) }
        let kind = floor.next(of: Set(best.keys), running: running, capacity: capacity)
        return kind.flatMap { best[$0] }
    }

    private func next(of kind: SchedulingClass, isFresh: Bool) -> Int? {
        var found: (start: Double, app: Int64, place: Int)?
        for (app, sessions) in tree[kind] ?? [:] where hasRoom(.app(app)) {
            let start = shares.start(ofApp: app)
            if let best = found, (best.start, best.app) < (start, app) { continue }
            guard let place = next(in: sessions, of: app, isFresh: isFresh) else { continue }
            found = (start, app, place)
        }
        return found?.place
    }

    private func next(in sessions: [Int64: [Int]], of app: Int64, isFresh: Bool) -> Int? {
        var found: (start: Double, session: Int64, place: Int)?
        for (session, places) in sessions where hasRoom(.session(session)) {
            let start = shares.start(ofSession: session, app: app)
            if let best = found, (best.start, best.session) < (start, session) { continue }
            guard let place = next(in: places, of: session, isFresh: isFresh) else { continue }
            found = (start, session, place)
        }
        return found?.place
    }

    /// The lanes of a session stand in the order of their aged ranks and ages.
    private func next(in places: [Int], of session: Int64, isFresh: Bool) -> Int? {
        var found: (rank: Int, start: Double, place: Int)?
        for place in places {
            let entry = entries[place]
            if let best = found, entry.agedRank > best.rank { break }
            guard !isFresh || entry.count == 0, hasRoom(.origin(entry.head.originKey)) else {
                continue
            }
            let start = shares.start(ofOrigin: entry.head.originKey, session: session)
            if let best = found, best.start <= start { continue }
            found = (entry.agedRank, start, place)
        }
        return found?.place
    }
}
