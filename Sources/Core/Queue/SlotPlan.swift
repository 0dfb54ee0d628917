// Which lanes get the slots that are free: class, app, session, rank with ageing, origin; where
// deadlines are near, the first deadline of an app.

/// Gives slots away one by one; pure.
package struct SlotPlan {
    /// What a lane may still be given.
    private struct Entry {
        let head: LaneHead
        let agedRank: Int
        /// The deadline by which it is served before others; nil where there is time.
        let deadline: Timestamp?
        var count = 0

        var servingClass: ServingClass {
            if deadline != nil { return .guarded }
            // What is late already must not make others late.
            return head.isOverloaded ? .normal : ServingClass(head.schedulingClass)
        }
    }

    /// A claim names at most so many lanes.
    static let lanesAtMost = 512

    private var entries: [Entry]
    /// The places of lanes in `entries` by class, app and session, the best first.
    private var tree: [ServingClass: [Int64: [Int64: [Int]]]] = [:]
    private var rooms: [GateKey: Int]
    private var shares: FairShares
    /// What lower classes have saved since.
    package private(set) var floor: ClassFloor
    private var running: [ServingClass: Int]
    private let capacity: Int
    private let cost: Double

    /// Prepares a round.
    ///
    /// - Parameters:
    ///   - heads: lanes that are due and open.
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
        entries = heads.map {
            Entry(head: $0, agedRank: $0.agedRank(at: now), deadline: guarded[$0.lane])
        }
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
            tree[entry.servingClass, default: [:]][head.app, default: [:]][
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
    package mutating func quotas(free: Int, spare: Int) -> [LaneQuota] {
        var order: [Int] = []
        for _ in 0..<min(free, SlotPlan.lanesAtMost) {
            guard let place = next() else { break }
            if entries[place].count == 0 { order.append(place) }
            entries[place].count += 1
            take(entries[place])
        }
        let granted = floor
        // What a spare lane gives counts when it is known.
        var left = min(spare, SlotPlan.lanesAtMost - order.count)
        while left > 0, !order.isEmpty, let place = next(isFresh: true) {
            order.append(place)
            entries[place].count = 1
            take(entries[place])
            left -= 1
        }
        floor = granted
        return order.map {
            var quota = LaneQuota(head: entries[$0].head, count: entries[$0].count)
            quota.isGuarded = entries[$0].deadline != nil
            return quota
        }
    }

    private mutating func take(_ entry: Entry) {
        let head = entry.head
        for key in SlotPlan.gates(of: head) where rooms[key] != nil { rooms[key]? -= 1 }
        shares.serve(head.flow, bytes: cost)
        running[entry.servingClass, default: 0] += 1
    }

    private static func gates(of head: LaneHead) -> [GateKey] {
        [.origin(head.originKey), .session(head.sessionKey), .app(head.app), .deployment]
    }

    private func hasRoom(_ key: GateKey) -> Bool { (rooms[key] ?? 1) > 0 }

    /// The place of the lane that gets the next slot.
    private mutating func next(isFresh: Bool = false) -> Int? {
        guard hasRoom(.deployment) else { return nil }
        var best: [ServingClass: Int] = [:]
        for kind in tree.keys { best[kind] = next(of: kind, isFresh: isFresh) }
        let kind = floor.next(of: Set(best.keys), running: running, capacity: capacity)
        return kind.flatMap { best[$0] }
    }

    private func next(of kind: ServingClass, isFresh: Bool) -> Int? {
        var found: (start: Double, app: Int64, place: Int)?
        for (app, sessions) in tree[kind] ?? [:] where hasRoom(.app(app)) {
            let start = shares.start(ofApp: app)
            if let best = found, (best.start, best.app) < (start, app) { continue }
            let place =
                kind == .guarded
                ? firstDeadline(in: sessions, isFresh: isFresh)
                : next(in: sessions, of: app, isFresh: isFresh)
            guard let place else { continue }
            found = (start, app, place)
        }
        return found?.place
    }

    /// The lane of an app with the first deadline: a deadline claims the app's own share.
    private func firstDeadline(in sessions: [Int64: [Int]], isFresh: Bool) -> Int? {
        var found: (deadline: Timestamp, place: Int)?
        for (session, places) in sessions where hasRoom(.session(session)) {
            for place in places {
                let entry = entries[place]
                guard !isFresh || entry.count == 0, hasRoom(.origin(entry.head.originKey)),
                    let deadline = entry.deadline
                else { continue }
                if let best = found, (best.deadline, best.place) < (deadline, place) { continue }
                found = (deadline, place)
            }
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
