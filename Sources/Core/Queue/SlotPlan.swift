// Which lanes get the slots that are free: class, app, session, rank with ageing, origin; where
// deadlines are near, the first deadline of an app.

/// Gives slots away one by one; pure.
package struct SlotPlan {
    /// What a lane may still be given.
    private struct Entry {
        let head: LaneHead
        /// As what it is served.
        let servingClass: ServingClass
        let isGuarded: Bool
        var count = 0
    }

    /// The lanes of a session.
    private struct Group {
        let session: Int64
        /// Where they stand in `heaps`.
        let heap: Int
    }

    /// A claim names at most so many lanes.
    static let lanesAtMost = 512

    private var entries: [Entry]
    private var heaps: [LaneHeap] = []
    /// The sessions by class and app.
    private var tree: [ServingClass: [Int64: [Group]]] = [:]
    private var rooms: [GateKey: Int]
    private var shares: FairShares
    /// What lower classes have saved since.
    package private(set) var floor: ClassFloor
    private var running: [ServingClass: Int]
    private let capacity: Int
    /// How many slots are left to give.
    private var free = 0
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
        self.rooms = rooms
        self.shares = shares
        self.floor = floor
        self.running = running
        self.capacity = capacity
        self.cost = cost
        // Of lanes that are equal otherwise that which is due first is the first.
        var order: [(rank: Int, due: Timestamp, lane: Int64, index: Int)] = []
        order.reserveCapacity(heads.count)
        for index in heads.indices {
            order.append(
                (heads[index].agedRank(at: now), heads[index].due, heads[index].lane, index))
        }
        order.sort { ($0.rank, $0.due, $0.lane) < ($1.rank, $1.due, $1.lane) }
        entries = []
        entries.reserveCapacity(heads.count)
        var known: [GroupKey: Int] = [:]
        for (place, given) in order.enumerated() {
            let head = heads[given.index]
            let deadline = guarded[head.lane]
            let entry = Entry(
                head: head, servingClass: SlotPlan.servingClass(head, deadline),
                isGuarded: deadline != nil)
            entries.append(entry)
            let key = GroupKey(
                servingClass: entry.servingClass, app: head.app, session: head.sessionKey)
            let heap = known[key] ?? heaps.count
            if heap == heaps.count {
                known[key] = heap
                heaps.append(LaneHeap())
                tree[entry.servingClass, default: [:]][head.app, default: []].append(
                    Group(session: head.sessionKey, heap: heap))
            }
            heaps[heap].add(
                LaneHeap.Item(
                    order: deadline?.microseconds ?? Int64(given.rank), start: 0, place: place))
        }
    }

    private struct GroupKey: Hashable {
        let servingClass: ServingClass
        let app: Int64
        let session: Int64
    }

    private static func servingClass(_ head: LaneHead, _ deadline: Timestamp?) -> ServingClass {
        // What is late already is not guarded, so that it makes no others late.
        deadline == nil
            ? ServingClass(head.schedulingClass) : ServingClass(near: head.schedulingClass)
    }

    /// The lanes to claim from, in the order of their turns; asked for once.
    ///
    /// - Parameters:
    ///   - free: how many slots there are.
    ///   - spare: how many further lanes are named, for those that give less than they should.
    /// - Returns: the lanes, each with what it is to give.
    package mutating func quotas(free: Int, spare: Int) -> [LaneQuota] {
        var order: [Int] = []
        self.free = free
        for _ in 0..<min(free, SlotPlan.lanesAtMost) {
            guard let place = next() else { break }
            if entries[place].count == 0 { order.append(place) }
            entries[place].count += 1
            take(place)
        }
        let granted = floor
        // What a spare lane gives counts when it is known.
        var left = min(spare, SlotPlan.lanesAtMost - order.count)
        while left > 0, !order.isEmpty, let place = next(isFresh: true) {
            order.append(place)
            entries[place].count = 1
            take(place)
            left -= 1
        }
        floor = granted
        return order.map {
            var quota = LaneQuota(head: entries[$0].head, count: entries[$0].count)
            quota.isGuarded = entries[$0].isGuarded
            return quota
        }
    }

    private mutating func take(_ place: Int) {
        let flow = entries[place].head.flow
        takeRoom(.origin(flow.origin))
        takeRoom(.session(flow.session))
        takeRoom(.app(flow.app))
        takeRoom(.deployment)
        free -= 1
        takeRoom(.connections(session: flow.session, origin: flow.origin))
        shares.serve(flow, bytes: cost)
        let kind = entries[place].servingClass
        running.updateValue(running[kind, default: 0] + 1, forKey: kind)
    }

    /// Without an accessor that yields, whose frame would be allocated.
    private mutating func takeRoom(_ key: GateKey) {
        if let room = rooms[key] { rooms.updateValue(room - 1, forKey: key) }
    }

    private func hasRoom(_ key: GateKey) -> Bool { (rooms[key] ?? 1) > 0 }

    /// The place of the lane that gets the next slot.
    private mutating func next(isFresh: Bool = false) -> Int? {
        guard hasRoom(.deployment) else { return nil }
        // The only class needs no choice.
        if tree.count == 1, let kind = tree.keys.first { return next(of: kind, isFresh: isFresh) }
        var best: [ServingClass: Int] = [:]
        for kind in Array(tree.keys) { best[kind] = next(of: kind, isFresh: isFresh) }
        let kind = floor.next(
            of: Set(best.keys), running: running, capacity: capacity,
            free: min(free, rooms[.deployment] ?? free))
        return kind.flatMap { best[$0] }
    }

    private mutating func next(of kind: ServingClass, isFresh: Bool) -> Int? {
        var found: (start: Double, app: Int64, place: Int)?
        for (app, groups) in tree[kind] ?? [:] where hasRoom(.app(app)) {
            let start = shares.start(ofApp: app)
            if let best = found, (best.start, best.app) < (start, app) { continue }
            let place =
                kind.isByDeadline
                ? firstDeadline(in: groups, isFresh: isFresh)
                : next(in: groups, of: app, isFresh: isFresh)
            guard let place else { continue }
            found = (start, app, place)
        }
        return found?.place
    }

    /// The lane of an app with the first deadline: a deadline claims the app's own share.
    private mutating func firstDeadline(in groups: [Group], isFresh: Bool) -> Int? {
        var found: (deadline: Int64, place: Int)?
        for group in groups where hasRoom(.session(group.session)) {
            var order: Int64 = 0
            let place = first(of: group) { plan, item in
                guard plan.mayGive(item.place, isFresh: isFresh) else { return nil }
                order = item.order
                return 0
            }
            guard let place else { continue }
            if let best = found, (best.deadline, best.place) < (order, place) { continue }
            found = (order, place)
        }
        return found?.place
    }

    private mutating func next(in groups: [Group], of app: Int64, isFresh: Bool) -> Int? {
        var found: (start: Double, session: Int64, place: Int)?
        for group in groups where hasRoom(.session(group.session)) {
            let start = shares.start(ofSession: group.session, app: app)
            if let best = found, (best.start, best.session) < (start, group.session) { continue }
            let place = first(of: group) { plan, item in
                guard plan.mayGive(item.place, isFresh: isFresh) else { return nil }
                return plan.shares.start(
                    ofOrigin: plan.entries[item.place].head.originKey, session: group.session)
            }
            guard let place else { continue }
            found = (start, group.session, place)
        }
        return found?.place
    }

    private mutating func first(
        of group: Group, _ start: (borrowing SlotPlan, LaneHeap.Item) -> Double?
    ) -> Int? {
        // Taken out while the rest is read, so that it is not copied.
        var heap = LaneHeap()
        swap(&heap, &heaps[group.heap])
        let place = heap.first { start(self, $0) }
        swap(&heap, &heaps[group.heap])
        return place
    }

    /// Whether a lane may get another slot; what has none gets none later either.
    private func mayGive(_ place: Int, isFresh: Bool) -> Bool {
        (!isFresh || entries[place].count == 0) && hasRoom(.origin(entries[place].head.originKey))
            && hasRoom(entries[place].head.connectionsKey)
    }
}
