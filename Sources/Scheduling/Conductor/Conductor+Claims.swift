// The answers of claims, and the ends of runs.
internal import Base
internal import Downloads

extension Conductor {
    mutating func take(
        _ claims: [ClaimedRun], _ due: [Int64: Timestamp], at now: Timestamp
    ) -> [ConductorAction] {
        var (asked, claimedFloor, isVoid) = (ClaimOrder([], total: 0), floor, false)
        if case .claiming(let order, let after, let isLost) = storeRequest {
            (asked, claimedFloor, isVoid) = (order, after, isLost)
            storeRequest = .none
        }
        let isShort = claims.count < asked.total
        wasShort = isShort
        let quotas = Dictionary(asked.quotas.map { ($0.head.lane, $0) }, uniquingKeysWith: { $1 })
        let actions = claims.flatMap { begin($0, of: quotas[$0.lane], isVoid: isVoid) }
        settle(asked, claims, due, at: now)
        // Free slots may be left for a lane that gave less, or for one that has become due since. A
        // lane book that was just read and brought nothing is not asked again at once.
        if isShort, !claims.isEmpty || !isBookFresh { isHinted = true }
        if !claims.isEmpty {
            floor = claimedFloor
            floor.part = policy.shares.discretionaryFloor
            vainPages = 0
        }
        isBookFresh = false
        begun += claims.count
        for claim in claims { disk?.promise(claim.need) }
        noteGates(of: asked.quotas.map(\.head))
        earlyOrders = [:]
        return actions
    }

    /// Updates the lanes that the claim asked.
    private mutating func settle(
        _ asked: ClaimOrder, _ claims: [ClaimedRun], _ due: [Int64: Timestamp], at now: Timestamp
    ) {
        let isShort = claims.count < asked.total
        var given: [Int64: Int] = [:]
        for claim in claims { given[claim.lane, default: 0] += 1 }
        learnProbes(claims, of: asked, at: now)
        let situation = situation(at: now)
        for quota in asked.quotas {
            let lane = quota.head.lane
            guard let instant = due[lane] else {
                book.remove(lane)
                continue
            }
            move(lane, to: instant, in: situation)
            guard isShort, instant <= now, given[lane, default: 0] < quota.count else { continue }
            // The lane gave less than it has: a gate is full, or the waiting downloads do not fit.
            drop(lane)
            guard claims.isEmpty else { continue }
            if let room = quota.room {
                var head = quota.head
                head.runAt = instant
                // Rates, budgets and gates of other replicas may change what fits before that.
                let until = min(room.closesAt, now + Conductor.unfitRest)
                book.rest(unfit: head, until: max(until, now + Conductor.rest), at: now)
            } else {
                book.rest(quota.head, at: now)
            }
        }
    }

    private mutating func begin(
        _ claim: ClaimedRun, of quota: LaneQuota?, isVoid: Bool
    ) -> [ConductorAction] {
        let flow = quota?.head.flow ?? claim.flow
        let run = Run(id: claim.id, fence: claim.fence)
        let cost = claim.need > 0 ? FairShares.cost(bytes: claim.need) : typicalBytes
        let kind = claim.schedulingClass
        let isGuarded = quota?.isGuarded ?? false
        let served = isGuarded ? ServingClass(near: kind) : ServingClass(kind)
        runs[run] = RunFacts(flow: flow, servingClass: served, cost: cost)
        if claim.isProbe { probing[run] = flow.origin }
        book.queue.serve(flow, bytes: cost, as: served)
        book.count(flow, by: 1)
        let start = ConductorAction.start(claim.id, fence: claim.fence)
        let ordered = earlyOrders[claim.id] == .cancel ? .cancel : claim.order
        guard
            let order = isVoid
                ? .abandon : ordered ?? earlyOrders[claim.id] ?? (isDraining ? .release : nil)
        else { return [start] }
        return [start] + stop(run, order)
    }

    /// Charges a run's flow at once for bytes beyond those that it was charged for, so that the
    /// flow does not get further slots for them meanwhile.
    mutating func charge(_ run: Run, bytes: Int64) {
        guard let facts = runs[run], Double(bytes) > facts.cost else { return }
        book.queue.correct(facts.flow, by: Double(bytes) - facts.cost)
        runs[run]?.cost = Double(bytes)
    }

    mutating func end(_ run: Run, bytes: Int64?) {
        guard let facts = runs.removeValue(forKey: run) else { return }
        probing[run] = nil
        book.count(facts.flow, by: -1)
        noteGates(after: facts.flow)
        guard let bytes else { return }
        let cost = max(FairShares.leastBytes, Double(bytes))
        book.queue.correct(facts.flow, by: cost - facts.cost)
        typicalBytes += (cost - typicalBytes) / 16
    }
}
