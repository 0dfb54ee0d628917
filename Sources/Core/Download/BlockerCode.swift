/// What may hold a waiting download back; a closed list.
package enum BlockerCode: String, Sendable, CaseIterable {
    /// Its date has not come.
    case earliestBeginDate = "earliest_begin_date"
    /// It was created in the background, and its session was woken a moment ago.
    case wakeDelay = "wake_delay"
    /// A window of the policy is closed.
    case window
    /// A condition of the policy does not hold.
    case condition
    /// It would not be complete when a rule closes, and could not be gone on with.
    case closingWindow = "closing_window"
    /// A rule prefers a later hour.
    case preferredTime = "preferred_time"
    /// The bandwidth for it is 0 at this time.
    case bandwidthZero = "bandwidth_zero"
    /// Too little is left of a budget of the policy.
    case budget
    /// Its session is suspended.
    case sessionSuspended = "session_suspended"
    /// Its session runs as many as it may.
    case sessionLimit = "session_limit"
    /// Its app runs as many as it may.
    case appLimit = "app_limit"
    /// Its origin is used as much as it may be.
    case originLimit = "origin_limit"
    /// Its session has as many connections to its origin as it may.
    case connectionLimit = "connection_limit"
    /// Every slot is taken, or the next turn has not come.
    case slots
    /// An attempt failed and the next has its time.
    case retryBackoff = "retry_backoff"
    /// The origin asked for time (Retry-After).
    case originPushback = "origin_pushback"
    /// It waits for the transfer of another download.
    case dependency
    /// Its origin is not reached; one of its downloads at a time tries.
    case originUnreachable = "origin_unreachable"
    /// The network of the replica is not reached.
    case connectivity
    /// Its begin hook was not asked, or has not answered.
    case beginHook = "begin_hook"
    /// The disk has no room for it.
    case diskReserve = "disk_reserve"
    /// The service is about to stop.
    case draining
}
