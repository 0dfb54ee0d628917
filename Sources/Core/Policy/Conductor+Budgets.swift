// Which counters of budgets a replica has to know for the lanes that a look has brought.

extension Conductor {
    /// The counters of the lanes of a page, each once.
    package mutating func budgetKeys(
        of page: LanePage, at now: Timestamp
    ) -> [BudgetKey: Range<Timestamp>] {
        guard policy.hasBudgets else { return [:] }
        let situation = situation(at: now)
        var keys: [BudgetKey: Range<Timestamp>] = [:]
        for head in page.heads {
            for demand in Admission.budgetDemands(Conductor.candidate(head), in: situation) {
                keys[demand.key] = demand.period
            }
        }
        return keys
    }
}
