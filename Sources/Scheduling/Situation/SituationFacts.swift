package import Base
package import Downloads

/// The facts of a situation besides its instant.
package struct SituationFacts: Equatable, Sendable {
    /// The policy in force.
    package var policy: Policy
    /// The rules of the policy's time zone.
    package var zone: TimeZoneRules
    /// Whether the service is about to stop.
    package var isDraining: Bool
    /// The reading of the content's volume; nil before the first one.
    package var disk: DiskReading?
    /// The values of conditions.
    package var conditions: ConditionBook
    /// The learned rates, sizes and progress.
    package var learned: LearnedFacts
    /// The former values of conditions, if the instant is in the past.
    var history: FactsHistory?
    /// The readings of budgets.
    package var budgets: BudgetBook
    /// The outage of this machine's network; nil while it is reached.
    package var network: Outage?
    /// The measurements of other replicas.
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
