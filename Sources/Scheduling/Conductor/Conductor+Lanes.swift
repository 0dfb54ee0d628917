// Reads pages of lanes, and puts each lane into its place in the book.
package import Base
internal import Downloads

extension Conductor {
    /// The most lanes that one step judges when very many may have opened.
    private static let judgedAtOnce = 4096

    /// The situation at an instant.
    mutating func situation(at now: Timestamp) -> Situation {
        Situation(
            now: now, policy: policy, zone: zone, disk: disk, conditions: conditions,
            learned: learned, budgets: budgets, network: network.outage,
            windows: windows.states(of: policy, at: now, in: zone))
    }

    /// Takes the lanes of a page.
    ///
    /// - Returns: whether others had to be forgotten for them.
    mutating func enter(_ page: LanePage, asked: LaneCursor, at now: Timestamp) -> Bool {
        let situation = situation(at: now)
        book.index.advance(to: situation)
        let isFull = book.makeRoom(for: page.heads.count { !book.index.has($0.lane) })
        book.note(GateReading(running: page.running), of: .deployment)
        var others: Set<Int64> = []
        for head in page.heads {
            let entered = book.enter(head)
            others.formUnion(entered.others)
            if entered.isOpen { seat(head.lane, in: situation) } else { book.withdraw(head.lane) }
        }
        for lane in others where book.index.isOut(lane) { seat(lane, in: situation) }
        // A lane that was asked for by its number and not found has no downloads.
        if !asked.again.isEmpty {
            let found = Set(page.heads.map(\.lane))
            for lane in asked.again where !found.contains(lane) { book.remove(lane) }
            again.subtract(asked.again)
        }
        return isFull
    }

    /// Puts a lane that may be claimed into the queue, or lets it wait for the instant at which it
    /// may be.
    mutating func seat(_ lane: Int64, in situation: Situation) {
        guard let head = book.index.head(lane) else { return }
        let now = situation.now
        if let instant = opening(of: head), instant > now {
            return book.postpone(lane, until: instant)
        }
        let guardedAt = guardedInstants(head, in: situation)
        let nextStep = [head.nextStep(after: now), guardedAt.next].compactMap(\.self).min()
        book.seat(
            lane, LaneQueue.Seat(head, deadline: guardedAt.deadline, at: now), nextStep: nextStep)
    }

    /// The earliest time at which a lane may be claimed; nil for no such instant.
    func opening(of head: LaneHead) -> Timestamp? {
        [head.runAt, head.origin.notBefore, outage(of: head)?.probeAt, book.restsUntil(head)]
            .compactMap(\.self).max()
    }

    /// The deadline by which a lane is served before others, nil while there is time, and when to
    /// ask again.
    private func guardedInstants(
        _ head: LaneHead, in situation: Situation
    ) -> (deadline: Timestamp?, next: Timestamp?) {
        guard head.dueBucket ?? head.beginBucket != nil, !head.isOverloaded else {
            return (nil, nil)
        }
        let next = situation.now + Conductor.guardPause
        let verdict = PolicyVerdict(head.candidate, in: situation)
        guard !verdict.isGuarded else {
            return ([head.beginBucket, head.dueBucket].compactMap(\.self).min(), next)
        }
        guard let latest = verdict.latestBegin, latest > situation.now else { return (nil, next) }
        return (nil, min(latest, next))
    }

    /// Drops a lane that gave less than it should: it is read again before it is claimed.
    mutating func drop(_ lane: Int64) {
        book.remove(lane)
        guard changePosition != nil, again.count < Conductor.againAtMost else { return }
        again.insert(lane)
        hasNews = true
    }

    /// Notes that a lane has other downloads, the first of them due at an instant.
    mutating func move(_ lane: Int64, to instant: Timestamp, in situation: Situation) {
        guard let head = book.index.head(lane), head.runAt != instant else { return }
        book.index.move(lane, to: instant)
        if book.index.isOut(lane) { seat(lane, in: situation) }
    }

    /// Moves the lanes that have become due or open, or for which a gate may have a place, into the
    /// queue.
    ///
    /// - Returns: whether there are lanes that were not judged yet.
    mutating func openLanes(in situation: Situation) -> Bool {
        for lane in book.ring(at: situation.now) { seat(lane, in: situation) }
        book.openGates()
        var left = Conductor.judgedAtOnce / LaneIndex.judgedAtOnce
        while left > 0 {
            left -= 1
            let (heads, hasMore) = book.index.take(LaneIndex.judgedAtOnce)
            for head in heads { seat(head.lane, in: situation) }
            if !hasMore { return false }
        }
        return true
    }

    /// Ends a plan: lanes that it found closed, or that found a full gate, wait for that.
    mutating func end(_ plan: consuming SlotPlan, in situation: Situation) {
        let (refused, waiting) = (plan.refused, plan.waiting)
        book.queue = plan.finish()
        for lane in refused {
            if book.index.isOpen(lane) {
                seat(lane, in: situation)
                guard book.queue.seat(of: lane) != nil else { continue }
                // The lane waits for the result of another download that probes its origin.
                book.postpone(lane, until: situation.now + Conductor.rest)
            } else {
                book.withdraw(lane)
                book.index.giveBack(lane)
            }
        }
        book.park(waiting)
        isPlanCut = refused.count >= SlotPlan.refusedAtMost
    }
}

extension Conductor {
    /// The counters of budgets that concern the lanes of a page, each once.
    package mutating func budgetKeys(
        of page: LanePage, at now: Timestamp
    ) -> [BudgetKey: Range<Timestamp>] {
        guard policy.hasBudgets else { return [:] }
        let situation = situation(at: now)
        var keys: [BudgetKey: Range<Timestamp>] = [:]
        for head in page.heads {
            for demand in Admission.budgetDemands(head.candidate, in: situation) {
                keys[demand.key] = demand.period
            }
        }
        return keys
    }
}
