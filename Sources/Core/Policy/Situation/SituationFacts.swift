/// What a situation knows besides its instant.
package struct SituationFacts: Equatable, Sendable {
    /// The policy in force.
    package var policy: Policy
    /// The rules of the policy's time zone.
    package var zone: TimeZoneRules
    /// Whether the service is about to stop.
    package var isDraining: Bool
    /// The volume of the content; nil if it was not read yet.
    package var disk: DiskReading?
    /// What is known of conditions.
    package var conditions: ConditionBook
    /// What the world did so far.
    package var learned: LearnedFacts
    /// What conditions were, where the instant is one of the past.
    var history: FactsHistory?
    /// What is known of budgets.
    package var budgets: BudgetBook
    /// That the network of this machine is not reached; nil while it is.
    package var network: Outage?
    /// What other replicas measure.
    package var others: [ReplicaReadings]

    /// Creates a value with all its members.
    package init(
        policy: Policy, zone: TimeZoneRules, isDraining: Bool, disk: DiskReading?,
        conditions: ConditionBook, learned: LearnedFacts, history: FactsHistory? = nil,
        budgets: BudgetBook, network: Outage?, others: [ReplicaReadings]
    ) {
        self.policy = policy
        self.zone = zone
        self.isDraining = isDraining
        self.disk = disk
        self.conditions = conditions
        self.learned = learned
        self.history = history
        self.budgets = budgets
        self.network = network
        self.others = others
    }
}
