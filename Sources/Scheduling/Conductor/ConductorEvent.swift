package import Base
package import Downloads

/// An event for the conductor.
package enum ConductorEvent: Sendable {
    /// A download may have become due: a create, a resume, a retry that was written.
    case hinted
    /// A look came back with lanes that are due.
    case lanesLoaded(LanePage)
    /// A claim came back; `due` has, for each asked lane that still has downloads, when the next is
    /// due.
    case claimed([ClaimedRun], due: [Int64: Timestamp] = [:])
    /// A claim or a look failed.
    case storeFailed
    /// A run's outcome is recorded, or the run is lost: its slot is free. The bytes are those that
    /// it transferred; nil if unknown.
    case ended(Identifier, fence: Int64, bytes: Int64? = nil)
    /// The progress of runs.
    case arrived([RunState])
    /// A client wants a running download to stop.
    case ordered(Identifier, RunOrder)
    /// A download will be due at an instant.
    case awaited(Timestamp)
    /// The volume of the content was read.
    case diskRead(DiskReading)
    /// Conditions have other values, or a measured one has crossed a value that a rule requires.
    case conditionsChanged(ConditionBook)
    /// Further rates and sizes were learned.
    case learned(LearnedFacts)
    /// An attempt found whether its origin is reached.
    case told(ReachResult, origin: Int64)
    /// Counters of budgets were read.
    case budgetsRead([(key: BudgetKey, reading: BudgetReading)])
    /// Another policy is in force.
    case policyChanged(Policy, TimeZoneRules)
    /// The lease is lost: all runs here have to stop.
    case leaseLost
    /// The service is about to stop: nothing new begins, and all runs are released.
    case drained
    /// Time passed.
    case ticked
}
