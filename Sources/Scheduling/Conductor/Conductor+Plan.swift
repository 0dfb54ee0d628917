// Plans which lanes a claim asks, and when to wake without an event.
internal import Base
internal import Downloads

extension Conductor {
    /// The share of the slots, seven eighths, that an app without a limit may have while others
    /// could use some.
    private static let appPart = (of: 8, most: 7)
    /// The number of slots for which a claim names one spare lane, while claims bring what they ask
    /// for.
    private static let sparePart = 8
    private static let sparesAtLeast = 8

    /// The situation and further facts for a plan.
    struct PlanTerms {
        let situation: Situation
        /// Whether lanes of more than one app may begin.
        var isContended = false
        /// Whether lanes with begin hooks are included; their hooks are asked instead of a begin.
        var withHooks = true
        /// The number of runs here by app.
        let running: [Int64: Int]
        /// Unreachable origins that this plan lets a download probe.
        var probed: Set<Int64> = []

        init(_ situation: Situation, running: [Int64: Int]) {
            self.situation = situation
            self.running = running
        }
    }

    /// A claim of lanes that are due and open; nil if there are none.
    mutating func plan(
        in situation: Situation
    ) -> (order: ClaimOrder, floor: ClassFloor)? {
        if disk?.trouble != nil { return nil }
        var terms = planTerms(situation)
        terms.isContended = mayBeginOfSeveralApps(terms)
        // While the network is not reached one download probes it: the next one that is claimed.
        let isProbe = situation.network.map { $0.probeAt <= situation.now } ?? false
        let free = isProbe ? 1 : freeSlots
        // Each named lane costs locks: many spare ones are named only where lanes give too little.
        let least = min(freeSlots, Conductor.sparesAtLeast)
        let few = max(least, freeSlots / Conductor.sparePart)
        let spare = isProbe ? 0 : wasShort ? freeSlots : few
        terms.withHooks = false
        var plan = newPlan()
        var own = terms
        var quotas = plan.quotas(free: free, spare: spare) { answer($0, &own) }
        let (hasHooked, floor) = (plan.hasSkipped, plan.floor)
        end(plan, in: situation)
        if hasHooked {
            // If it is the turn of lanes with begin hooks, their hooks are asked, and other lanes
            // get the slots.
            terms.withHooks = true
            var turns = newPlan()
            quotas += turns.quotas(free: free, spare: 0) { answer($0, &terms) }
                .filter(\.head.isHooked)
            end(turns, in: situation)
        }
        guard !quotas.isEmpty else { return nil }
        for place in quotas.indices {
            quotas[place].room = book.index.closingRoom(of: quotas[place].head.lane)
        }
        var order = ClaimOrder(quotas, total: free)
        for head in quotas.map(\.head) {
            order.appLimits[head.app] =
                appLimit(head) ?? (terms.isContended ? part(of: policy.limits.running) : nil)
        }
        order.probes = probeRoom
        if policy.hasBudgets {
            order.budgets = quotas.map {
                Admission.budgetDemands($0.head.candidate, in: situation)
            }
        }
        return (order, floor)
    }

    /// The terms of a plan at an instant.
    func planTerms(_ situation: Situation) -> PlanTerms {
        PlanTerms(
            situation,
            running: runs.values.reduce(into: [:]) { $0[$1.flow.app, default: 0] += 1 })
    }

    /// A plan over the book's queue, which `end` puts back.
    mutating func newPlan(ignoringSlots: Bool = false) -> SlotPlan {
        var queue = LaneQueue()
        swap(&queue, &book.queue)
        let limit = ignoringSlots ? nil : policy.limits.running
        return SlotPlan(
            queue, deploymentRoom: limit.map { $0 - book.gate(.deployment).running }, floor: floor,
            running: runs.values.reduce(into: [:]) { $0[$1.servingClass, default: 0] += 1 },
            capacity: capacity, cost: typicalBytes)
    }

    /// Whether lanes of more than one app may begin.
    private mutating func mayBeginOfSeveralApps(_ terms: PlanTerms) -> Bool {
        guard book.queue.hasSeveralApps else { return false }
        var terms = terms
        var plan = newPlan()
        let found = plan.hasSeveralApps { answer($0, &terms) }
        end(plan, in: terms.situation)
        return found
    }

    /// Whether the lane that comes first may begin, and how many of its downloads.
    mutating func answer(_ lane: Int64, _ terms: inout PlanTerms) -> SlotPlan.Answer {
        let now = terms.situation.now
        guard let head = book.index.head(lane), book.index.isOpen(lane),
            opening(of: head).map({ $0 <= now }) ?? true
        else { return .refuse }
        if head.isHooked, !terms.withHooks { return .skip }
        let outage = outage(of: head)
        if outage != nil, !terms.probed.contains(head.originKey) {
            guard terms.probed.count < probeRoom else { return .refuse }
            terms.probed.insert(head.originKey)
        }
        return .give(head, rooms: rooms(of: head, isProbe: outage != nil, terms))
    }

    /// The number of further downloads of a lane that each gate lets through.
    private func rooms(
        of head: LaneHead, isProbe: Bool, _ terms: PlanTerms
    ) -> [SlotPlan.Room] {
        var rooms: [SlotPlan.Room] = []
        let running = book.gate(.app(head.app)).running
        if let limit = appLimit(head) {
            rooms.append(SlotPlan.Room(key: .app(head.app), count: limit - running))
        } else if terms.isContended, let here = part(of: capacity) {
            let room = here - (terms.running[head.app] ?? 0)
            let all = part(of: policy.limits.running).map { $0 - running }
            rooms.append(
                SlotPlan.Room(key: .app(head.app), count: min(room, all ?? room), isOwn: false))
        }
        if let room = room(sessionOf: head) {
            rooms.append(SlotPlan.Room(key: .session(head.sessionKey), count: room))
        }
        let room = room(originOf: head)
        // One download at a time probes an origin.
        rooms.append(
            SlotPlan.Room(key: .origin(head.originKey), count: isProbe ? min(1, room) : room))
        if let room = self.room(connectionsOf: head) {
            rooms.append(SlotPlan.Room(key: head.connectionsKey, count: room))
        }
        return rooms
    }

    private func part(of slots: Int?) -> Int? {
        slots.map { max(1, $0 * Conductor.appPart.most / Conductor.appPart.of) }
    }

    private func room(originOf head: LaneHead) -> Int {
        let gate = book.gate(.origin(head.originKey))
        let limit = gate.limit ?? policy.limits.origin(head.originName, app: head.appName)
        return limit - gate.running
    }

    private func room(sessionOf head: LaneHead) -> Int? {
        let gate = book.gate(.session(head.sessionKey))
        return PolicyLimits.least(
            gate.limit, policy.limits.session(head.session, app: head.appName)
        ).map { $0 - gate.running }
    }

    private func room(connectionsOf head: LaneHead) -> Int? {
        guard head.connections != nil else { return nil }
        let gate = book.gate(head.connectionsKey)
        return gate.limit.map { $0 - gate.running }
    }

    private func room(appOf head: LaneHead) -> Int? {
        appLimit(head).map { $0 - book.gate(.app(head.app)).running }
    }

    private func appLimit(_ head: LaneHead) -> Int? {
        PolicyLimits.least(
            book.gate(.app(head.app)).limit, policy.limits.app(head.appName))
    }

    /// Whether only the limit of its origin keeps a lane from beginning one more download.
    func waitsForOriginOnly(_ head: LaneHead) -> Bool {
        guard outage(of: head) == nil else { return false }
        return room(originOf: head) <= 0 && room(sessionOf: head) ?? 1 > 0
            && room(appOf: head) ?? 1 > 0 && room(connectionsOf: head) ?? 1 > 0
    }

    /// The next instant at which a known lane may open, or a look is due.
    mutating func nextWake(in situation: Situation) -> Timestamp {
        var next = nextLook
        // A lane that is due already waits for a slot.
        if let opening = book.nextOpening(), opening > situation.now { next = min(next, opening) }
        if let change = book.index.nextChange, change > situation.now { next = min(next, change) }
        if let attempt = book.nextAttempt { next = min(next, attempt) }
        return max(next, situation.now + .milliseconds(1))
    }
}
