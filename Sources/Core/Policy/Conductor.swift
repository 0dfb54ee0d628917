// What a replica does next: a pure machine that answers events with actions.

/// Decides what runs: at most one look or claim is under way, never more runs than slots.
///
/// Every event is answered with a look, a claim or a wake, so that nothing waits for ever.
package struct Conductor: Sendable {
    private struct Run: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// How long the store is left alone after a failure.
    package static let rest = Duration.seconds(1)
    /// How long slots that become free wait for others, so that one claim serves them all.
    package static let gathering = Duration.milliseconds(5)
    private static let earlyOrdersAtMost = 1024
    /// A look that brings so many heads may not have brought all.
    package static let lanesAtMost = 4096

    /// The policy that decides, and its zone.
    package private(set) var policy: Policy
    /// The rules of the policy's time zone.
    package private(set) var zone: TimeZoneRules
    /// The volume of the content as it was seen last, less what was claimed since.
    package private(set) var disk: DiskReading?
    /// What is known of conditions.
    package private(set) var conditions: ConditionBook
    /// How often the store is asked even if nothing hints.
    package var pollInterval: Duration
    private let slotsAtMost: Int
    /// What runs, and the order that each run got: none twice.
    private var runs: [Run: Set<RunOrder>] = [:]
    private var directory: [LaneHead] = []
    /// Nothing was claimed from the directory since it came.
    private var isDirectoryFresh = false
    /// The last claim brought nothing although something was due: it may need room.
    private var isShort = false
    private var isLooking = false
    private var isClaiming = false
    /// The lease was lost while a claim was under way: what it brings is not ours.
    private var isClaimVoid = false
    private var isDraining = false
    private var isHinted = true
    private var asked = 0
    private var askedLanes: Set<Int64> = []
    /// Orders for downloads that a claim under way may bring.
    private var earlyOrders: [Identifier: RunOrder] = [:]
    private var nextLook = Timestamp.epoch
    private var restsUntil = Timestamp.epoch
    private var gathersUntil = Timestamp.epoch

    /// A replica with nothing to do yet.
    ///
    /// - Parameters:
    ///   - policy: the policy in force.
    ///   - zone: the rules of its time zone.
    ///   - slots: how many may run here at once; the policy's `running` can only lower it.
    ///   - pollInterval: how often the store is asked without a hint.
    package init(policy: Policy, zone: TimeZoneRules, slots: Int, pollInterval: Duration) {
        precondition(slots > 0, "a replica without slots runs nothing")
        self.policy = policy
        self.zone = zone
        conditions = ConditionBook(policy, at: .epoch)
        self.pollInterval = pollInterval
        slotsAtMost = slots
    }

    /// How many run.
    package var runningCount: Int { runs.count }

    /// How many more may run.
    package var freeSlots: Int { max(0, capacity - runs.count) }

    /// Whether something that is due may wait for room on the volume.
    package var awaitsRoom: Bool { isShort }

    private var capacity: Int {
        min(slotsAtMost, policy.limits.running, policy.limits.perReplica ?? .max)
    }

    /// Handles an event and returns what to do.
    package mutating func handle(
        _ event: ConductorEvent, at now: Timestamp
    ) -> [ConductorAction] {
        // A clock that was set back must not put the next look off.
        nextLook = min(nextLook, now + pollInterval)
        restsUntil = min(restsUntil, now + Conductor.rest)
        gathersUntil = min(gathersUntil, now + Conductor.gathering)
        var actions: [ConductorAction] = []
        switch event {
        case .hinted:
            isHinted = true
        case .lanesLoaded(let heads):
            isLooking = false
            isDirectoryFresh = true
            directory = heads
            let isPartial = heads.count >= Conductor.lanesAtMost
            let pause = isPartial || isShort ? min(Conductor.rest, pollInterval) : pollInterval
            nextLook = now + pause
        case .claimed(let claims):
            actions += take(claims, at: now)
        case .storeFailed:
            isLooking = false
            endClaim()
            directory = []
            isHinted = true
            restsUntil = now + Conductor.rest
        case .ended(let id, let fence):
            runs[Run(id: id, fence: fence)] = nil
            // Ends are recorded together and reported one by one.
            if gathersUntil <= now { gathersUntil = now + Conductor.gathering }
            // Its end may have made room at a gate that the directory shows as full.
            isHinted = true
        case .ordered(let id, let order):
            actions += pass(order, to: id)
        case .awaited(let instant):
            nextLook = min(nextLook, instant)
        case .diskRead(let reading):
            if isShort, let disk, reading.room > disk.room { isHinted = true }
            disk = reading
        case .conditionsChanged(let conditions):
            self.conditions = conditions
        case .policyChanged(let policy, let zone):
            self.policy = policy
            self.zone = zone
            conditions.take(policy, at: now)
            directory = []
            isHinted = true
        case .leaseLost:
            isClaimVoid = isClaiming
            actions += stopAll(.abandon)
        case .drained:
            isDraining = true
            actions += stopAll(.release)
        case .ticked:
            break
        }
        let more = proceed(at: now)
        return actions.isEmpty ? more : actions + more
    }

    private mutating func take(
        _ claims: [ClaimedRun], at now: Timestamp
    ) -> [ConductorAction] {
        if claims.count < asked {
            // A lane gave less than it was asked for: its directory entry is outdated.
            directory.removeAll { askedLanes.contains($0.lane) }
            // The slots that are left may be for a lane whose share was too small, or for one that
            // came up since. A fresh directory that brought nothing is not asked again at once.
            if !claims.isEmpty || !isDirectoryFresh { isHinted = true }
        }
        isDirectoryFresh = false
        isShort = claims.isEmpty
        if isShort { nextLook = min(nextLook, now + Conductor.rest) }
        for claim in claims { disk?.promise(claim.need) }
        let actions = claims.flatMap { begin($0) }
        endClaim()
        return actions
    }

    private mutating func endClaim() {
        isClaiming = false
        isClaimVoid = false
        askedLanes = []
        earlyOrders = [:]
    }

    private mutating func begin(_ claim: ClaimedRun) -> [ConductorAction] {
        let run = Run(id: claim.id, fence: claim.fence)
        runs[run] = []
        let start = ConductorAction.start(claim.id, fence: claim.fence)
        let ordered = earlyOrders[claim.id] == .cancel ? .cancel : claim.order
        guard
            let order = isClaimVoid
                ? .abandon : ordered ?? earlyOrders[claim.id] ?? (isDraining ? .release : nil)
        else { return [start] }
        return [start] + stop(run, order)
    }

    private mutating func pass(_ order: RunOrder, to id: Identifier) -> [ConductorAction] {
        // After a lost lease the same download may run twice here, the older run being stopped.
        let run = runs.keys.filter { $0.id == id }.max { $0.fence < $1.fence }
        if isClaiming, earlyOrders.count < Conductor.earlyOrdersAtMost,
            earlyOrders[id] != .cancel
        {
            earlyOrders[id] = order
        }
        return run.map { stop($0, order) } ?? []
    }

    private mutating func stop(_ run: Run, _ order: RunOrder) -> [ConductorAction] {
        guard runs[run]?.insert(order).inserted == true else { return [] }
        return [.stop(run.id, fence: run.fence, order)]
    }

    private mutating func stopAll(_ order: RunOrder) -> [ConductorAction] {
        runs.keys.sorted { ($0.id, $0.fence) < ($1.id, $1.fence) }.flatMap { stop($0, order) }
    }

    private mutating func proceed(at now: Timestamp) -> [ConductorAction] {
        guard !isDraining, !isLooking, !isClaiming else { return [.wake(at: now + pollInterval)] }
        guard now >= restsUntil else { return [.wake(at: restsUntil)] }
        if now < gathersUntil, !runs.isEmpty, freeSlots < capacity / 8 {
            return [.wake(at: gathersUntil)]
        }
        let situation = Situation(
            now: now, policy: policy, zone: zone, disk: disk, conditions: conditions)
        let quotas = freeSlots > 0 ? plan(in: situation) : []
        if quotas.isEmpty, isDirectoryFresh { isShort = false }
        if !quotas.isEmpty {
            isClaiming = true
            asked = min(freeSlots, quotas.reduce(0) { $0 + $1.count })
            askedLanes = Set(quotas.map(\.head.lane))
            return [.claim(quotas, total: freeSlots)]
        }
        if isHinted && freeSlots > 0 || now >= nextLook {
            isHinted = false
            isLooking = true
            return [.look]
        }
        return [.wake(at: nextWake(in: situation))]
    }

    private func plan(in situation: Situation) -> [LaneQuota] {
        let due = directory.filter { $0.runAt <= situation.now && isOpen($0, in: situation) }
        guard !due.isEmpty else { return [] }
        let sorted = due.sorted {
            ($0.schedulingClass.rawValue, $0.order, $0.lane)
                < ($1.schedulingClass.rawValue, $1.order, $1.lane)
        }
        let share = max(1, freeSlots / sorted.count)
        return sorted.map { LaneQuota(head: $0, count: share) }
    }

    private func isOpen(_ head: LaneHead, in situation: Situation) -> Bool {
        let limits = policy.limits
        if let notBefore = head.origin.notBefore, notBefore > situation.now { return false }
        guard head.origin.running < head.origin.limit ?? limits.perOrigin(head.originName),
            head.sessionGate.running < head.sessionGate.limit ?? limits.perSession(head.session)
        else { return false }
        let candidate = candidate(head)
        // The claim itself looks at what each download of the lane needs.
        return Admission.diskBlocker(candidate, in: situation) == nil
            && Admission.policyBlockers(candidate, in: situation).isEmpty
    }

    private func candidate(_ head: LaneHead) -> AdmissionCandidate {
        var candidate = AdmissionCandidate(
            isDiscretionary: head.schedulingClass == .discretionary, session: head.session,
            createdAt: head.runAt, waitingSince: head.runAt, runAt: head.runAt, attempt: 0,
            origin: head.origin, sessionGate: head.sessionGate)
        candidate.originName = head.originName
        candidate.rank = head.rank
        return candidate
    }

    private func nextWake(in situation: Situation) -> Timestamp {
        var next = nextLook
        for head in directory {
            var instants = [head.runAt]
            if let notBefore = head.origin.notBefore { instants.append(notBefore) }
            instants += Admission.policyBlockers(candidate(head), in: situation).compactMap(\.until)
            for instant in instants where instant > situation.now { next = min(next, instant) }
        }
        return next
    }
}
