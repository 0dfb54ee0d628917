/// What a look at a session finds.
package struct WakeFacts: Equatable, Sendable {
    /// How the webhook of the present wake stands.
    package enum Delivery: Equatable, Sendable {
        /// It is on its way, or there is none.
        case pending
        /// A 2xx came.
        case answered(status: Int, at: Timestamp)
        /// It is not tried any more.
        case givenUp
    }

    /// Whoever reads the session's events as they come.
    package struct Listening: Equatable, Sendable {
        /// Until when the reader counts as listening.
        package var until: Timestamp
        /// Whether all that happened was written to it.
        package var hasHeard: Bool

        /// Creates a value with all its members.
        package init(until: Timestamp, hasHeard: Bool) {
            self.until = until
            self.hasHeard = hasHeard
        }
    }

    /// What happened since the last look.
    package var news: WakeReasons = []
    /// Whether a download ended since the last look.
    package var hasEnded = false
    /// Whether a download is live.
    package var isLive = false
    /// Whether a download is live that was created in the background.
    package var isBackgroundLive = false
    /// Whether the session is woken at all, and has a receiver for it.
    package var canWake = true
    /// How the webhook of the present wake stands.
    package var delivery = Delivery.pending
    /// Who listens; nil for none.
    package var listening: Listening?

    /// Facts of a session in which nothing happens.
    package init() {}
}
