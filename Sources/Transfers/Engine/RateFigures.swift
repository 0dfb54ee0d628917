/// Numbers of transfers under a limit.
package struct RateFigures: Sendable, Equatable {
    /// Transfers to which a limit applies.
    package let limited: Int
    /// Limited transfers that are paused until their turn.
    package let waiting: Int

    /// Creates a value with both members.
    package init(limited: Int, waiting: Int) {
        self.limited = limited
        self.waiting = waiting
    }
}
