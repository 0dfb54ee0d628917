// The scopes of rate limits.
package import Downloads

/// A scope for which a limit in bytes a second may be set.
package enum RateScope: Hashable, Sendable {
    /// One transfer, by its number in the scheduler.
    case transfer(Int)
    /// All transfers of a session, by its key.
    case session(Int64)
    /// All transfers from an origin, by its key.
    case origin(Int64)
    /// All transfers of an app, by its key.
    case app(Int64)
    /// All transfers of a scheduling class.
    case schedulingClass(SchedulingClass)
    /// All transfers.
    case deployment
}
