// Blockers of a download by budgets, and when budgets let it begin.
internal import Base
internal import Downloads

extension Admission {
    /// The demand of a candidate on each budget that counts it.
    package static func budgetDemands(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [BudgetDemand] {
        situation.policy.budgets(of: candidate.app).compactMap { budget in
            // A budget whose match is not certain counts: the claim judges again.
            guard budget.match.judge(candidate).truth != .unmet,
                let key = BudgetKey(budget, of: candidate)
            else { return nil }
            let period =
                situation.budgets.period(of: budget, at: situation.now)
                ?? budget.span(at: situation.now, in: situation.zone)
            return BudgetDemand(
                budget: budget, key: key, period: period,
                allowance: allowance(
                    of: budget, in: period, at: situation.now, candidate, situation),
                needs: BudgetDemand.needs(candidate, of: budget),
                used: situation.budgets.used(key, in: period))
        }
    }

    /// The blockers of the budgets of which too little is left.
    static func budgetBlockers(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [Blocker] {
        guard situation.policy.hasBudgets else { return [] }
        return budgetDemands(candidate, in: situation).filter { !$0.isMet }.map { demand in
            let until = opening(demand, from: situation.now, candidate, situation)
            return Blocker(
                .budget,
                sentence(
                    demand, until, candidate, isPart: situation.hidesOthers && demand.isShared),
                since: min(
                    situation.now,
                    max(candidate.createdAt, candidate.waitingSince, demand.period.lowerBound)),
                until: until, rule: demand.budget.name)
        }
    }

    /// For each budget a function that gives, for an instant, the first later one at which it lets
    /// a candidate begin, as far as known.
    static func budgetOpenings(
        _ candidate: AdmissionCandidate, in situation: Situation
    ) -> [(Timestamp) -> Timestamp?] {
        guard situation.policy.hasBudgets else { return [] }
        return budgetDemands(candidate, in: situation).map { demand in
            { opening(demand, from: $0, candidate, situation) }
        }
    }

    private static func allowance(
        of budget: Budget, in period: Range<Timestamp>, at now: Timestamp,
        _ candidate: AdmissionCandidate, _ situation: Situation
    ) -> Int64 {
        guard budget.isPaced, !mayPassPace(candidate, situation) else { return budget.bytes }
        return pace(of: budget, in: period, situation).allowance(of: budget.bytes, at: now)
    }

    /// The bytes of a paced budget that may be used by now.
    static func paced(
        _ budget: Budget, in period: Range<Timestamp>, _ situation: Situation
    ) -> Int64 {
        pace(of: budget, in: period, situation).allowance(of: budget.bytes, at: situation.now)
    }

    /// Whether a near deadline lets the candidate begin ahead of the pace.
    private static func mayPassPace(
        _ candidate: AdmissionCandidate, _ situation: Situation
    ) -> Bool {
        guard candidate.deadline.begin != nil || candidate.deadline.complete != nil else {
            return false
        }
        return PolicyVerdict(candidate, in: situation).isGuarded
    }

    private static func pace(
        of budget: Budget, in period: Range<Timestamp>, _ situation: Situation
    ) -> BudgetPace {
        situation.budgets.pace(of: budget, in: period)
            ?? BudgetPace(of: budget, in: period, situation.policy, zone: situation.zone)
    }

    /// The first instant at which a budget lets a candidate begin, by periods and paces; bytes that
    /// running downloads will give back are unknown.
    private static func opening(
        _ demand: BudgetDemand, from start: Timestamp, _ candidate: AdmissionCandidate,
        _ situation: Situation
    ) -> Timestamp? {
        var period = demand.budget.span(at: start, in: situation.zone)
        var instant = start
        // The rest of this period, then the next one.
        for _ in 0..<2 {
            let used = situation.budgets.used(demand.key, in: period)
            let (wanted, overflowed) = used.addingReportingOverflow(demand.needs)
            if !overflowed, wanted <= demand.budget.bytes {
                guard demand.budget.isPaced, !mayPassPace(candidate, situation) else {
                    return instant
                }
                let pace = pace(of: demand.budget, in: period, situation)
                let found = pace.instant(for: wanted, of: demand.budget.bytes, from: instant)
                if let found { return found }
            }
            instant = period.upperBound
            period = demand.budget.span(at: instant, in: situation.zone)
        }
        return nil
    }

    private static func sentence(
        _ demand: BudgetDemand, _ until: Timestamp?, _ candidate: AdmissionCandidate, isPart: Bool
    ) -> String {
        let budget = demand.budget
        let whole = budget.isPaced && demand.allowance < budget.bytes
        let left =
            isPart ? "\(Int(demand.leftPart * 100)) %" : ByteCount.short(demand.left)
        var text =
            "the budget \"\(budget.name)\" of \(ByteCount.print(budget.bytes)) a "
            + "\(budget.period.rawValue) has \(left) left"
        text += whole ? " for the part of the period that has passed" : ""
        if candidate.priority != nil {
            text += ", and this download reserves \(ByteCount.short(demand.needs))"
        }
        guard let until else { return text }
        if until == demand.period.upperBound {
            return text + "; the next \(budget.period.rawValue) begins at \(until.rfc3339)"
        }
        return text + "; enough is free at \(until.rfc3339)"
    }
}
