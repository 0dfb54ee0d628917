// Discretionary runs that are stopped at a durable point, because more urgent work has no slot.

extension Conductor.RunFacts {
    /// Whether it may be stopped for more urgent work, and was not yet.
    var mayYield: Bool {
        servingClass.isDiscretionary && slackUntil != nil && orders.isEmpty
    }
}

extension Conductor {
    /// Whether nothing more may begin here although it is due.
    func isFull(_ situation: Situation) -> Bool {
        if freeSlots == 0 { return true }
        guard let limit = policy.limits.running else { return false }
        return directory.gate(.deployment).running >= limit
    }

    /// The run that is stopped next for more urgent work: the one whose download has the most time,
    /// of those in whose place something may begin; one that began because its deadline was near
    /// only where there is no other, and not for its like.
    ///
    /// One for each lane that waits for a slot, one at a time for what waits for a place at an
    /// origin, and not below the part of the slots that discretionary downloads keep.
    mutating func yielding(in situation: Situation) -> Run? {
        yielding(.discretionary, in: situation) ?? yielding(.guarded, in: situation)
    }

    private mutating func yielding(_ kind: ServingClass, in situation: Situation) -> Run? {
        let discretionary = runs.values.filter(\.servingClass.isDiscretionary)
        let stopping = discretionary.filter { !$0.orders.isEmpty }
        let kept = Int(floor.part * Double(capacity))
        guard discretionary.count - stopping.count > kept else { return nil }
        let candidates = runs.filter { $0.value.mayYield && $0.value.servingClass == kind }
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
