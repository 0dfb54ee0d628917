// What a replica does next: a pure machine that answers events with actions.

/// Decides what runs: at most one look or claim is under way, never more runs than slots.
///
/// Every event is answered with a look, a claim or a wake, so that nothing waits for ever.
package struct Conductor: Sendable {
    struct Run: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// What is known of a run.
    struct RunFacts {
        let flow: LaneFlow
        let schedulingClass: SchedulingClass
        /// What its flow was charged.
        let cost: Double
        /// The orders that it got: none twice.
        var orders: Set<RunOrder> = []
    }

    /// How long the store is left alone after a failure, and a lane that gave nothing.
    package static let rest = Duration.seconds(1)
    /// How long slots that become free wait for others, so that one claim serves them all.
    package static let gathering = Duration.milliseconds(5)
    private static let earlyOrdersAtMost = 1024
    /// After so many pages without a claim a sweep is a burden: the next one waits for each page.
    private static let pagesAtOnce = 8
    private static let pagePause = Duration.milliseconds(5)

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
    private(set) var runs: [Run: RunFacts] = [:]
    var directory = LaneDirectory()
    var shares = FairShares()
    var floor = ClassFloor()
    /// What a download of unknown size is expected to bring: an average of those that ended.
    private(set) var typicalBytes = FairShares.unknownBytes
    /// Where the next look goes on.
    private var cursor = LaneCursor.start
    /// Pages in a row that led to no claim, and until when the next sweep waits for that.
    private var vainPages = 0
    private var sweepsFrom = Timestamp.epoch
    /// Nothing was claimed from the directory since it came.
    private var isDirectoryFresh = false
    private var isLooking = false
    private var isClaiming = false
    /// The lease was lost while a claim was under way: what it brings is not ours.
    private var isClaimVoid = false
    private var isDraining = false
    private var isHinted = true
    private var asked = ClaimOrder([], total: 0)
    /// What lower classes have saved once the claim under way has brought something.
    private var claimedFloor = ClassFloor()
    /// Orders for downloads that a claim under way may bring.
    private var earlyOrders: [Identifier: RunOrder] = [:]
    var nextLook = Timestamp.epoch
    private var restsUntil = Timestamp.epoch
    private var gathersUntil = Timestamp.epoch

    /// A replica with nothing to do yet.
    ///
    /// - Parameters:
    ///   - policy: the policy in force.
    ///   - zone: the rules of its time zone.
    ///   - slots: how many may run here at once where the policy does not say.
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
    package var awaitsRoom: Bool { directory.nextAttempt != nil }

    var capacity: Int {
        min(policy.limits.perReplica ?? slotsAtMost, policy.limits.running ?? .max)
    }

    /// Handles an event and returns what to do.
    package mutating func handle(
        _ event: ConductorEvent, at now: Timestamp
    ) -> [ConductorAction] {
        // A clock that was set back must not put the next look off.
        nextLook = min(nextLook, now + pollInterval)
        restsUntil = min(restsUntil, now + Conductor.rest)
        sweepsFrom = min(sweepsFrom, now + Conductor.rest)
        gathersUntil = min(gathersUntil, now + Conductor.gathering)
        var actions: [ConductorAction] = []
        switch event {
        case .hinted:
            isHinted = true
        case .lanesLoaded(let page):
            take(page, at: now)
        case .claimed(let claims, let due):
            actions += take(claims, due, at: now)
        case .storeFailed:
            isLooking = false
            endClaim()
            restart()
            restsUntil = now + Conductor.rest
        case .ended(let id, let fence, let bytes):
            end(Run(id: id, fence: fence), bytes: bytes)
            // Ends are recorded together and reported one by one.
            if gathersUntil <= now { gathersUntil = now + Conductor.gathering }
            // Its end may have made room at a gate that the directory shows as full.
            isHinted = true
        case .ordered(let id, let order):
            actions += pass(order, to: id)
        case .awaited(let instant):
            nextLook = min(nextLook, instant)
        case .diskRead(let reading):
            if awaitsRoom, let disk, reading.room > disk.room { isHinted = true }
            disk = reading
        case .conditionsChanged(let conditions):
            self.conditions = conditions
        case .policyChanged(let policy, let zone):
            self.policy = policy
            self.zone = zone
            conditions.take(policy, at: now)
            restart()
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

    /// What was read may be wrong: the next look begins a sweep.
    private mutating func restart() {
        directory.forget()
        cursor = .start
        isHinted = true
    }

    private mutating func take(_ page: LanePage, at now: Timestamp) {
        isLooking = false
        isDirectoryFresh = true
        let isFirst = cursor == .start
        directory.take(page, isFirst: isFirst)
        cursor = page.next ?? .start
        nextLook = isFirst ? now + pollInterval : min(nextLook, now + pollInterval)
        // One that is due by the database's clock is not far from it by ours.
        if let due = page.nextDue { nextLook = min(nextLook, max(due, now + .milliseconds(1))) }
        vainPages += 1
        guard cursor == .start, vainPages > Conductor.pagesAtOnce else { return }
        sweepsFrom = now + min(Conductor.rest, Conductor.pagePause * vainPages)
    }

    private mutating func take(
        _ claims: [ClaimedRun], _ due: [Int64: Timestamp], at now: Timestamp
    ) -> [ConductorAction] {
        let isShort = claims.count < asked.total
        var given: [Int64: Int] = [:]
        for claim in claims { given[claim.lane, default: 0] += 1 }
        for quota in asked.quotas {
            let lane = quota.head.lane
            guard let instant = due[lane] else {
                directory.drop(lane)
                continue
            }
            directory.move(lane, to: instant)
            guard isShort, instant <= now, given[lane, default: 0] < quota.count else { continue }
            // It gave less than there is: a gate is full, or what waits does not fit.
            if claims.isEmpty {
                directory.leave(lane, until: now + Conductor.rest)
            } else {
                directory.drop(lane)
            }
        }
        // The slots that are left may be for a lane that gave less, or for one that came up since.
        // A fresh directory that brought nothing is not asked again at once.
        if isShort, !claims.isEmpty || !isDirectoryFresh { isHinted = true }
        if !claims.isEmpty {
            floor = claimedFloor
            vainPages = 0
        }
        isDirectoryFresh = false
        for claim in claims { disk?.promise(claim.need) }
        let actions = claims.flatMap { begin($0) }
        endClaim()
        return actions
    }

    private mutating func endClaim() {
        isClaiming = false
        isClaimVoid = false
        asked = ClaimOrder([], total: 0)
        earlyOrders = [:]
    }

    private mutating func begin(_ claim: ClaimedRun) -> [ConductorAction] {
        let run = Run(id: claim.id, fence: claim.fence)
        let cost = claim.need > 0 ? FairShares.cost(bytes: claim.need) : typicalBytes
        var flow = claim.flow
        flow.weight = weight(ofApp: flow.app)
        runs[run] = RunFacts(flow: flow, schedulingClass: claim.schedulingClass, cost: cost)
        shares.serve(flow, bytes: cost)
        directory.count(flow, by: 1)
        let start = ConductorAction.start(claim.id, fence: claim.fence)
        let ordered = earlyOrders[claim.id] == .cancel ? .cancel : claim.order
        guard
            let order = isClaimVoid
                ? .abandon : ordered ?? earlyOrders[claim.id] ?? (isDraining ? .release : nil)
        else { return [start] }
        return [start] + stop(run, order)
    }

    /// An app's part of what is shared.
    private func weight(ofApp app: Int64) -> Double { 1 }

    private mutating func end(_ run: Run, bytes: Int64?) {
        guard let facts = runs.removeValue(forKey: run) else { return }
        directory.count(facts.flow, by: -1)
        guard let bytes else { return }
        let cost = max(FairShares.leastBytes, Double(bytes))
        shares.correct(facts.flow, by: cost - facts.cost)
        typicalBytes += (cost - typicalBytes) / 16
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
        guard runs[run]?.orders.insert(order).inserted == true else { return [] }
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
        if directory.expire(at: now, longest: Conductor.rest) { isHinted = true }
        let situation = Situation(
            now: now, policy: policy, zone: zone, disk: disk, conditions: conditions)
        if freeSlots > 0, !directory.isBarren, let plan = plan(in: situation) {
            isClaiming = true
            asked = plan.order
            claimedFloor = plan.floor
            return [.claim(plan.order)]
        }
        let mayGoOn = isHinted || cursor != .start
        if mayGoOn, freeSlots > 0, now >= sweepsFrom || now >= nextLook {
            return look()
        }
        if now >= nextLook { return look() }
        var next = nextWake(in: situation)
        if mayGoOn, freeSlots > 0 { next = min(next, sweepsFrom) }
        return [.wake(at: next)]
    }

    private mutating func look() -> [ConductorAction] {
        if cursor == .start { isHinted = false }
        isLooking = true
        return [.look(cursor)]
    }
}
