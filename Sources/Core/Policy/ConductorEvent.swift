/// Something that a replica learns.
package enum ConductorEvent: Sendable {
    /// Something may have become due: a create, a resume, a retry that was written.
    case hinted
    /// Lanes that are due were read.
    case lanesLoaded(LanePage)
    /// A claim came back, with the instants at which the lanes that it asked and that hold more
    /// are due.
    case claimed([ClaimedRun], due: [Int64: Timestamp] = [:])
    /// A claim or a look did not work.
    case storeFailed
    /// A run's outcome is recorded, or the run is lost: its slot is free. The bytes are those that
    /// it brought; nil if unknown.
    case ended(Identifier, fence: Int64, bytes: Int64? = nil)
    /// How far runs are.
    case arrived([RunState])
    /// A client wants a running download to stop.
    case ordered(Identifier, RunOrder)
    /// Something will be due at an instant.
    case awaited(Timestamp)
    /// The volume of the content was read.
    case diskRead(DiskReading)
    /// Conditions have other values, or a measured one has crossed what a rule requires.
    case conditionsChanged(ConditionBook)
    /// More was learned of rates and sizes.
    case learned(LearnedFacts)
    /// What an attempt found of the way to an origin.
    case told(ReachNews, origin: Int64)
    /// Counters of budgets were read.
    case budgetsRead([(key: BudgetKey, reading: BudgetReading)])
    /// Another policy is in force.
    case policyChanged(Policy, TimeZoneRules)
    /// The lease is lost: nothing here may go on.
    case leaseLost
    /// The service is about to stop: nothing new starts, and what runs is released.
    case drained
    /// Time passed.
    case ticked
}
