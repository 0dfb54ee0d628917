// Stops discretionary runs at a durable point if more urgent work has no slot.
internal import Base

extension Conductor.RunFacts {
    /// Whether the run may be stopped for more urgent work, and has no order yet.
    var mayYield: Bool {
        servingClass.isDiscretionary && slackUntil != nil && orders.isEmpty
    }

    /// The class as which it yields: a late run is not guarded any more, so that it does not make
    /// others late.
    func yieldingClass(at now: Timestamp) -> ServingClass {
        isLate(at: now) ? .discretionary : servingClass
    }

    /// Whether the time until its guarded begin is over.
    func isLate(at now: Timestamp) -> Bool { slackUntil.map { $0 <= now } ?? false }
}

extension Conductor {
    /// Whether no more downloads may begin here.
    func isFull(_ situation: Situation) -> Bool { slotsLeft <= 0 }

    /// The number of further downloads that may begin here.
    private var slotsLeft: Int {
        let left = policy.limits.running.map { $0 - book.gate(.deployment).running }
        return min(freeSlots, left ?? freeSlots)
    }

    /// The run that is stopped next for more urgent work.
    ///
    /// Of the runs in whose place something may begin, it is one that is late already or, if none
    /// is, the one whose download has the most time. A run that began because its deadline was near
    /// is stopped only if there is no other, and not for work of its own class.
    ///
    /// One run is stopped for each lane that waits for a slot, and one at a time for each origin
    /// whose place is waited for. Discretionary downloads keep their part of the slots.
    mutating func yielding(in situation: Situation) -> Run? {
        yielding(.discretionary, in: situation) ?? yielding(.guarded, in: situation)
    }

    private mutating func yielding(_ kind: ServingClass, in situation: Situation) -> Run? {
        let discretionary = runs.values.filter(\.servingClass.isDiscretionary)
        let stopping = discretionary.filter { !$0.orders.isEmpty }
        let kept = Int(floor.part * Double(capacity))
        let now = situation.now
        guard discretionary.count - stopping.count + max(0, slotsLeft) > kept else { return nil }
        let candidates = runs.filter {
            $0.value.mayYield && $0.value.yieldingClass(at: now) == kind
        }
        guard !candidates.isEmpty else { return nil }
        let origins = Set(candidates.values.map(\.flow.origin))
            .subtracting(stopping.map(\.flow.origin))
        let isFull = isFull(situation)
        guard isFull || !origins.isEmpty else { return nil }
        let waiting = isFull ? waitingLanes(moreUrgentThan: kind, stopping.count + 1, situation) : 0
        let crowded = origins.filter { isCrowded($0, for: kind, in: situation) }
        let anyOrigin = waiting > stopping.count
        return candidates.filter { anyOrigin || crowded.contains($0.value.flow.origin) }
            .max { left, right in
                let (mine, theirs) = (left.value.slackUntil, right.value.slackUntil)
                let (isLate, isOther) = (left.value.isLate(at: now), right.value.isLate(at: now))
                guard isLate == isOther else { return isOther }
                let order = (mine ?? .epoch, left.key.id, left.key.fence)
                return order < (theirs ?? .epoch, right.key.id, right.key.fence)
            }?.key
    }

    /// The number of lanes that come before runs of a class and wait for slots alone, counted up to
    /// a bound.
    private mutating func waitingLanes(
        moreUrgentThan kind: ServingClass, _ most: Int, _ situation: Situation
    ) -> Int {
        if let disk, !disk.admits(0) { return 0 }
        let kinds: [ServingClass] =
            kind == .discretionary ? [.due, .normal, .guarded] : [.due, .normal]
        guard kinds.contains(where: { book.queue.hasLanes(of: $0) }) else { return 0 }
        var terms = planTerms(situation)
        var plan = newPlan(ignoringSlots: true)
        let count = plan.lanes(of: kinds, most) { answer($0, &terms) }
        end(plan, in: situation)
        return count
    }

    /// Whether a lane that comes before runs of a class waits for a place at an origin alone.
    private mutating func isCrowded(
        _ origin: Int64, for kind: ServingClass, in situation: Situation
    ) -> Bool {
        for lane in book.lanes(ofOrigin: origin).prefix(Conductor.crowdedAtMost) {
            guard let seat = book.queue.seat(of: lane), let head = book.index.head(lane),
                !seat.servingClass.isDiscretionary
                    || kind == .discretionary && seat.servingClass == .guarded,
                opening(of: head).map({ $0 <= situation.now }) ?? true,
                waitsForOriginOnly(head), book.index.isOpen(lane)
            else { continue }
            return true
        }
        return false
    }

    /// The most lanes of one origin that are examined.
    private static let crowdedAtMost = 256
}
