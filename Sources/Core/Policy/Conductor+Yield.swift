// Discretionary runs that are stopped at a durable point, because more urgent work has no slot.

extension Conductor.RunFacts {
    /// Whether it may be stopped for more urgent work, and was not yet.
    var mayYield: Bool {
        servingClass == .discretionary && slackUntil != nil && orders.isEmpty
    }
}

extension Conductor {
    /// Whether nothing more may begin here although it is due.
    func isFull(_ situation: Situation) -> Bool {
        if freeSlots == 0 { return true }
        guard let limit = policy.limits.running else { return false }
        return directory.gate(.deployment).running >= limit
    }

    /// The run that is stopped next for more urgent work: the one whose download has the most time.
    ///
    /// One for each lane that waits, and not below the part of the slots that discretionary
    /// downloads keep.
    mutating func yielding(in situation: Situation) -> Run? {
        guard isFull(situation) else { return nil }
        let discretionary = runs.values.filter { $0.servingClass == .discretionary }
        let stopping = discretionary.count { !$0.orders.isEmpty }
        let kept = Int(floor.part * Double(capacity))
        guard discretionary.count - stopping > kept else { return nil }
        let candidates = runs.filter(\.value.mayYield)
        guard !candidates.isEmpty else { return nil }
        var waiting = 0
        for head in Array(directory.lanes.values) where waiting <= stopping {
            guard head.schedulingClass.rawValue < SchedulingClass.discretionary.rawValue,
                head.runAt <= situation.now, directory.mayAsk(head.lane), !isClosed(head),
                hasPlace(head, in: situation)
            else { continue }
            waiting += 1
        }
        guard waiting > stopping else { return nil }
        return candidates.max { left, right in
            let (mine, theirs) = (left.value.slackUntil, right.value.slackUntil)
            let order = (mine ?? .epoch, left.key.id, left.key.fence)
            return order < (theirs ?? .epoch, right.key.id, right.key.fence)
        }?.key
    }
}
