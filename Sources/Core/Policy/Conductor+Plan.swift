// Which lanes a claim asks, and when something changes by itself.

extension Conductor {
    /// Where nothing is set an app has at most this part of the slots while others could use some.
    private static let appPart = (of: 8, most: 7)
    /// While claims bring what they ask for, they name one further lane for so many slots.
    private static let sparePart = 8
    private static let sparesAtLeast = 8

    /// A claim of what is due and open; nil if nothing is.
    mutating func plan(
        in situation: Situation
    ) -> (order: ClaimOrder, floor: ClassFloor)? {
        var open: [LaneHead] = []
        for head in Array(directory.lanes.values) {
            guard head.runAt <= situation.now, directory.mayAsk(head) else { continue }
            if isClosed(head) {
                // It stays in the index until that changes.
                directory.drop(head.lane)
                index.giveBack(head.lane)
            } else if hasPlace(head, in: situation) {
                open.append(head)
            }
        }
        open = withProbesInBounds(open)
        guard !open.isEmpty else { return nil }
        let isContended = open.contains { $0.app != open[0].app }
        var rooms: [GateKey: Int] = [:]
        if let limit = policy.limits.running {
            rooms[.deployment] = limit - directory.gate(.deployment).running
        }
        var appLimits: [Int64: Int] = [:]
        for head in open {
            // One download finds out whether an origin is reached again.
            let most = min(outage(of: head) == nil ? .max : 1, room(originOf: head))
            rooms[.origin(head.originKey)] = min(rooms[.origin(head.originKey)] ?? most, most)
            rooms[.session(head.sessionKey)] = room(sessionOf: head)
            if let room = room(connectionsOf: head) { rooms[head.connectionsKey] = room }
            guard rooms[.app(head.app)] == nil else { continue }
            let own = appLimit(head)
            let limit = own ?? (isContended ? part(of: policy.limits.running) : nil)
            appLimits[head.app] = limit
            let here = own == nil && isContended ? part(of: capacity) : nil
            rooms[.app(head.app)] = Admission.least(
                limit.map { $0 - directory.gate(.app(head.app)).running },
                here.map { $0 - runs.values.count { $0.flow.app == head.app } })
        }
        // The same of the network: what is claimed next may be that download.
        let isProbe = situation.network.map { $0.probeAt <= situation.now } ?? false
        let free = isProbe ? 1 : freeSlots
        // Each lane that is named costs locks: many more only where lanes give too little.
        let least = min(freeSlots, Conductor.sparesAtLeast)
        let few = max(least, freeSlots / Conductor.sparePart)
        let spare = isProbe ? 0 : wasShort ? freeSlots : few
        // Where it is the turn of lanes with begin hooks these are asked, and others get the slots.
        let hooked = open.contains(where: \.isHooked)
        var plan = slots(of: hooked ? open.filter { !$0.isHooked } : open, rooms, in: situation)
        var quotas = plan.quotas(free: free, spare: spare)
        if hooked {
            var turns = slots(of: open, rooms, in: situation)
            quotas += turns.quotas(free: free, spare: 0).filter(\.head.isHooked)
        }
        guard !quotas.isEmpty else { return nil }
        for place in quotas.indices {
            quotas[place].room = index.closingRoom(of: quotas[place].head.lane)
        }
        let apps = Set(quotas.map(\.head.app))
        var order = ClaimOrder(
            quotas, total: free,
            appLimits: appLimits.filter { apps.contains($0.key) })
        order.probes = probeRoom
        if policy.hasBudgets {
            order.budgets = quotas.map {
                Admission.budgetDemands(Conductor.candidate($0.head), in: situation)
            }
        }
        return (order, plan.floor)
    }

    private func slots(
        of heads: [LaneHead], _ rooms: [GateKey: Int], in situation: Situation
    ) -> SlotPlan {
        SlotPlan(
            heads,
            guarded: heads.reduce(into: [:]) { $0[$1.lane] = guardedDeadline($1, in: situation) },
            rooms: rooms, shares: shares, floor: floor,
            running: runs.values.reduce(into: [:]) { $0[$1.servingClass, default: 0] += 1 },
            capacity: capacity, cost: typicalBytes, at: situation.now)
    }

    private func part(of slots: Int?) -> Int? {
        slots.map { max(1, $0 * Conductor.appPart.most / Conductor.appPart.of) }
    }

    private func room(originOf head: LaneHead) -> Int {
        let gate = directory.gate(.origin(head.originKey))
        let limit = gate.limit ?? policy.limits.origin(head.originName, app: head.appName)
        return limit - gate.running
    }

    private func room(sessionOf head: LaneHead) -> Int? {
        let gate = directory.gate(.session(head.sessionKey))
        return Admission.least(
            gate.limit, policy.limits.session(head.session, app: head.appName)
        ).map { $0 - gate.running }
    }

    private func room(connectionsOf head: LaneHead) -> Int? {
        guard head.connections != nil else { return nil }
        let gate = directory.gate(head.connectionsKey)
        return gate.limit.map { $0 - gate.running }
    }

    private func room(appOf head: LaneHead) -> Int? {
        appLimit(head).map { $0 - directory.gate(.app(head.app)).running }
    }

    private func appLimit(_ head: LaneHead) -> Int? {
        Admission.least(
            directory.gate(.app(head.app)).limit, policy.limits.app(head.appName))
    }

    /// Whether the rules hold a lane back.
    mutating func isClosed(_ head: LaneHead) -> Bool {
        if !index.has(head.lane) { index.enter(head, isOut: true) }
        return !index.isOpen(head.lane)
    }

    /// Whether a lane's gates and the disk let one more begin.
    func hasPlace(_ head: LaneHead, in situation: Situation) -> Bool {
        if let notBefore = head.origin.notBefore, notBefore > situation.now { return false }
        if let outage = outage(of: head), outage.probeAt > situation.now || probeRoom == 0 {
            return false
        }
        guard room(originOf: head) > 0, room(sessionOf: head) ?? 1 > 0,
            room(appOf: head) ?? 1 > 0, room(connectionsOf: head) ?? 1 > 0
        else { return false }
        // The claim itself looks at what each download of the lane needs.
        return Admission.diskBlocker(Conductor.candidate(head), in: situation) == nil
    }

    /// Whether a lane could begin one more but for the limit of its origin.
    func waitsForOriginOnly(_ head: LaneHead, in situation: Situation) -> Bool {
        if let notBefore = head.origin.notBefore, notBefore > situation.now { return false }
        if outage(of: head) != nil { return false }
        return room(originOf: head) <= 0 && room(sessionOf: head) ?? 1 > 0
            && room(appOf: head) ?? 1 > 0 && room(connectionsOf: head) ?? 1 > 0
    }

    /// The deadline by which a lane is served before others; nil where there is time.
    func guardedDeadline(_ head: LaneHead, in situation: Situation) -> Timestamp? {
        guard let deadline = [head.beginBucket, head.dueBucket].compactMap(\.self).min(),
            !head.isOverloaded,
            PolicyVerdict(Conductor.candidate(head), in: situation).isGuarded
        else { return nil }
        return deadline
    }

    /// A lane as the verdict looks at it.
    package static func candidate(_ head: LaneHead) -> AdmissionCandidate {
        var candidate = AdmissionCandidate(
            isDiscretionary: head.schedulingClass == .discretionary, session: head.session,
            createdAt: head.runAt, waitingSince: head.runAt, runAt: head.runAt, attempt: 0,
            origin: head.origin, sessionGate: head.sessionGate)
        candidate.originName = head.originName
        candidate.originKey = head.originKey
        candidate.sessionKey = head.sessionKey
        candidate.app = head.appName
        candidate.appKey = head.app
        candidate.appGate = head.appGate
        candidate.connections = head.connections
        candidate.schedulingClass = head.schedulingClass
        candidate.rank = head.rank
        candidate.network = head.network
        candidate.facet = head.facet
        candidate.deadline = CandidateDeadline(begin: head.beginBucket, complete: head.dueBucket)
        candidate.laneNeed = head.largestNeed
        candidate.guardAt = head.guardAt
        candidate.isOverloaded = head.isOverloaded
        return candidate
    }

    /// The next instant at which a lane that is known may be open, or a look is due.
    func nextWake(in situation: Situation) -> Timestamp {
        var next = nextLook
        for head in directory.lanes.values {
            if head.runAt > situation.now { next = min(next, head.runAt) }
            if let notBefore = head.origin.notBefore, notBefore > situation.now {
                next = min(next, notBefore)
            }
            if let outage = outage(of: head), outage.probeAt > situation.now {
                next = min(next, outage.probeAt)
            }
        }
        if let change = index.nextChange, change > situation.now { next = min(next, change) }
        if let attempt = directory.nextAttempt { next = min(next, attempt) }
        return next
    }
}
