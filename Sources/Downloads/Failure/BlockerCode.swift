/// The reasons for which a download waits; a closed list.
package enum BlockerCode: String, Sendable, CaseIterable {
    /// Its earliest begin date has not come.
    case earliestBeginDate = "earliest_begin_date"
    /// It was created in the background, a short time after its session was woken.
    case wakeDelay = "wake_delay"
    /// Its client has not brought all of its bytes yet.
    case awaitingContent = "awaiting_content"
    /// A window of the policy is closed.
    case window
    /// A condition of the policy does not hold.
    case condition
    /// It would not be complete when a rule closes, and its transfer could not be resumed.
    case closingWindow = "closing_window"
    /// A rule prefers a later hour.
    case preferredTime = "preferred_time"
    /// The bandwidth limit for it is 0 at this time.
    case bandwidthZero = "bandwidth_zero"
    /// Too little is left of a budget of the policy.
    case budget
    /// Its session is suspended.
    case sessionSuspended = "session_suspended"
    /// Its session has reached its limit of running downloads.
    case sessionLimit = "session_limit"
    /// Its app has reached its limit of running downloads.
    case appLimit = "app_limit"
    /// Its origin has reached its limit of running downloads.
    case originLimit = "origin_limit"
    /// Its session has reached its limit of connections to the origin.
    case connectionLimit = "connection_limit"
    /// Every slot is taken, or the next scheduling round has not come.
    case slots
    /// An attempt failed, and the next one is due later.
    case retryBackoff = "retry_backoff"
    /// The origin asked for time (Retry-After).
    case originPushback = "origin_pushback"
    /// It waits for the transfer of another download.
    case dependency
    /// Its origin is not reached; one download at a time probes it.
    case originUnreachable = "origin_unreachable"
    /// The network of the replica is not reached.
    case connectivity
    /// Its begin hook, or that of its receiver, was not asked, or has not answered.
    case beginHook = "begin_hook"
    /// Its file waits to be sent, and the replica that has it does not run.
    case replicaAway = "replica_away"
    /// The disk has no room for its content.
    case diskReserve = "disk_reserve"
    /// The service is about to stop.
    case draining
}
