// The scopes of rate limits.

/// Something that a limit in bytes a second may hold for.
package enum RateScope: Hashable, Sendable {
    /// One transfer, by its number in the scheduler.
    case transfer(Int)
    /// Everything of a session, by its key.
    case session(Int64)
    /// Everything from an origin, by its key.
    case origin(Int64)
    /// Everything of an app, by its key.
    case app(Int64)
    /// Everything of a scheduling class.
    case schedulingClass(SchedulingClass)
    /// Everything.
    case deployment
}
