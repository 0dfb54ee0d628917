internal import Core

/// How many transfers are under a limit.
package struct RateFigures: Sendable, Equatable {
    /// Transfers for which any limit holds.
    package let limited: Int
    /// Those among them that are paused until their turn.
    package let waiting: Int

    /// Names both.
    package init(limited: Int, waiting: Int) {
        self.limited = limited
        self.waiting = waiting
    }
}
