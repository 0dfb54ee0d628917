// Which lanes a counter of a budget concerns.

/// The lanes of an index by the counters that count them, and how those stood.
struct BudgetedLanes: Sendable {
    /// What a lane's judgement sees of a counter.
    private struct Standing: Equatable {
        /// Something is left of the period's bytes.
        let isMet: Bool
        /// Something is left by the pace.
        let isInPace: Bool
        /// What is used, where that decides when something is left again.
        let used: Int64
    }

    private struct Counter {
        let budget: Budget
        var lanes: Set<Int64> = []
        var standing: Standing
    }

    private var counters: [BudgetKey: Counter] = [:]
    /// The changes of the book that were taken.
    private var seen = 0

    /// Before the first lane.
    init(_ situation: Situation) { seen = situation.budgets.changeCount }

    /// Takes a lane in; a lane of another kind is removed first.
    mutating func add(_ lane: Int64, _ candidate: AdmissionCandidate, in situation: Situation) {
        for budget in situation.policy.budgets(of: candidate.app) {
            guard budget.match.judge(candidate).truth != .unmet,
                let key = BudgetKey(budget, of: candidate)
            else { continue }
            let standing = BudgetedLanes.standing(budget, key, in: situation)
            counters[key, default: Counter(budget: budget, standing: standing)].lanes.insert(lane)
        }
    }

    /// Forgets a lane.
    mutating func remove(_ lane: Int64, _ candidate: AdmissionCandidate, under policy: Policy) {
        for budget in policy.budgets(of: candidate.app) {
            guard let key = BudgetKey(budget, of: candidate),
                counters[key]?.lanes.remove(lane) != nil
            else { continue }
            if counters[key]?.lanes.isEmpty ?? true { counters[key] = nil }
        }
    }

    /// Takes what is known of the counters now.
    ///
    /// - Returns: the lanes whose verdict may be another one; nil where that may be any.
    mutating func advance(to situation: Situation) -> Set<Int64>? {
        let count = situation.budgets.changeCount
        guard count != seen else { return [] }
        let changed = situation.budgets.changed(since: seen)
        seen = count
        guard let changed else {
            for (key, counter) in counters {
                counters[key]?.standing = BudgetedLanes.standing(counter.budget, key, in: situation)
            }
            return nil
        }
        WorkMeter.add(changed.count)
        var lanes: Set<Int64> = []
        for key in changed {
            guard let counter = counters[key] else { continue }
            let standing = BudgetedLanes.standing(counter.budget, key, in: situation)
            guard standing != counter.standing else { continue }
            counters[key]?.standing = standing
            lanes.formUnion(counter.lanes)
        }
        WorkMeter.add(lanes.count)
        return lanes
    }

    private static func standing(
        _ budget: Budget, _ key: BudgetKey, in situation: Situation
    ) -> Standing {
        let period =
            situation.budgets.period(of: budget, at: situation.now)
            ?? budget.span(at: situation.now, in: situation.zone)
        let used = situation.budgets.used(key, in: period)
        let isMet = used < budget.bytes
        var isInPace = isMet
        if isMet, budget.isPaced {
            isInPace = used < Admission.paced(budget, in: period, situation)
        }
        return Standing(isMet: isMet, isInPace: isInPace, used: isMet && isInPace ? 0 : used)
    }
}
