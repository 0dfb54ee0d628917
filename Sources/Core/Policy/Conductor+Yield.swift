// Discretionary runs that are stopped at a durable point, because more urgent work has no slot.

extension Conductor.RunFacts {
    /// Whether it may be stopped for more urgent work, and was not yet.
    var mayYield: Bool {
        servingClass.isDiscretionary && slackUntil != nil && orders.isEmpty
    }

    /// As what it yields: what is late is not guarded any more, so that it makes no others late.
    func yieldingClass(at now: Timestamp) -> ServingClass {
        isLate(at: now) ? .discretionary : servingClass
    }

    /// Whether the time that its download had is over.
    func isLate(at now: Timestamp) -> Bool { slackUntil.map { $0 <= now } ?? false }
}

extension Conductor {
    /// Whether nothing more may begin here although it is due.
    func isFull(_ situation: Situation) -> Bool { slotsLeft <= 0 }

    /// How many more may begin here.
    private var slotsLeft: Int {
        let left = policy.limits.running.map { $0 - directory.gate(.deployment).running }
        return min(freeSlots, left ?? freeSlots)
    }

    /// The run that is stopped next for more urgent work: one that is late already, else the one
    /// whose download has the most time, of those in whose place something may begin; one that
    /// began because its deadline was near only where there is no other, and not for its like.
    ///
    /// One for each lane that waits for a slot, one at a time for what waits for a place at an
    /// origin. Discretionary downloads keep their part of the slots: what they lack of it is free.
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
        var waiting = 0
        var crowded: Set<Int64> = []
        for head in Array(directory.lanes.values) where waiting <= stopping.count {
            guard head.runAt <= situation.now, directory.mayAsk(head) else { continue }
            let isHeld = !hasPlace(head, in: situation)
            guard isHeld ? origins.contains(head.originKey) : isFull, !isClosed(head),
                isMoreUrgent(head, than: kind, in: situation)
            else { continue }
            if !isHeld {
                waiting += 1
            } else if waitsForOriginOnly(head, in: situation) {
                crowded.insert(head.originKey)
            }
        }
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

    /// Whether a lane is served before runs of a class.
    private func isMoreUrgent(
        _ head: LaneHead, than kind: ServingClass, in situation: Situation
    ) -> Bool {
        head.schedulingClass.rawValue < SchedulingClass.discretionary.rawValue
            || kind == .discretionary && guardedDeadline(head, in: situation) != nil
    }
}
