// Finds the lanes that a change of a budget's counter concerns.
internal import Base

/// The lanes of an index by the counters that count them, and the last states of these counters.
struct BudgetedLanes: Sendable {
    /// The facts about a counter that a lane's judgement depends on.
    private struct Standing: Equatable {
        /// Whether some of the period's bytes are left.
        let isMet: Bool
        /// Whether some bytes are left at the pace.
        let isInPace: Bool
        /// The used bytes, if the time at which some are left depends on them; 0 if not.
        let used: Int64
    }

    private struct Counter {
        let budget: Budget
        var lanes: Set<Int64> = []
        var standing: Standing
    }

    private var counters: [BudgetKey: Counter] = [:]
    /// The number of the book's changes that were taken.
    private var seen = 0

    /// Creates a table without lanes.
    init(_ situation: Situation) { seen = situation.budgets.changeCount }

    /// Adds a lane; if its kind has changed it has to be removed first.
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

    /// Takes the present counters.
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
