// What is known of a receiver of webhooks.

/// What the last tries of a receiver came to; the raw value is its number in the store.
package enum ReceiverStanding: Int16, Sendable, CaseIterable {
    /// It answered the last try, with any status.
    case answering = 0
    /// Nothing was sent to it yet.
    case untried = 1
    /// It did not answer the last try: no connection, or none in time.
    case silent = 2
}
