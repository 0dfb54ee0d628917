package import Base

/// The facts that a look at a session finds.
package struct WakeFacts: Equatable, Sendable {
    /// The state of the present wake's webhook.
    package enum Delivery: Equatable, Sendable {
        /// It is being sent, or there is none.
        case pending
        /// It was answered with a 2xx.
        case answered(status: Int, at: Timestamp)
        /// It is no longer tried.
        case givenUp
    }

    /// A reader of the session's live events.
    package struct Listening: Equatable, Sendable {
        /// The time until which the reader counts as listening.
        package var until: Timestamp
        /// Whether all events were written to it.
        package var hasHeard: Bool

        /// Creates a value with all its members.
        package init(until: Timestamp, hasHeard: Bool) {
            self.until = until
            self.hasHeard = hasHeard
        }
    }

    /// Reasons for a wake since the last look.
    package var news: WakeReasons = []
    /// Whether a download ended since the last look.
    package var hasEnded = false
    /// Whether a download is live.
    package var isLive = false
    /// Whether a download created in the background is live.
    package var isBackgroundLive = false
    /// Whether wakes are enabled for the session, and it has a receiver for them.
    package var canWake = true
    /// The state of the present wake's webhook.
    package var delivery = Delivery.pending
    /// The listener; nil for none.
    package var listening: Listening?

    /// Creates facts of a session without events.
    package init() {}
}
