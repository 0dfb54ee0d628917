// The recent behaviour of a receiver of webhooks.

/// The result of the last tries at a receiver; the raw value is its number in the store.
package enum ReceiverStanding: Int16, Sendable, CaseIterable {
    /// It answered the last try, with any status.
    case answering = 0
    /// No delivery was sent to it yet.
    case untried = 1
    /// It did not answer the last try: no connection, or none in time.
    case silent = 2
}
