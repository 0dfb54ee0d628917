// The restarts of a server that keeps failing; pure.

/// Counts failures and decides the reaction to each: a wait that doubles, or giving up.
package struct RestartSchedule: Sendable, Equatable {
    /// The reaction to a failure.
    package enum Decision: Sendable, Equatable {
        /// Start again after this number of nanoseconds.
        case wait(Int64)
        /// There were too many failures in too short a time: the process ends.
        case giveUp
    }

    /// The first wait, in nanoseconds.
    package let base: Int64
    /// The longest wait, in nanoseconds.
    package let cap: Int64
    /// The number of failures within `window` after which the schedule gives up.
    package let failuresMax: Int
    /// The time over which failures are counted, in nanoseconds; after a window without one the
    /// wait is `base` again.
    package let window: Int64
    /// The times of the latest failures in their order, at most `failuresMax`.
    private var failures: [Int64] = []
    /// The wait after the next failure, in nanoseconds.
    private var next: Int64

    /// Creates a schedule; by default half a second, doubling to ten seconds, and five failures in
    /// five minutes.
    package init(
        base: Int64 = 500_000_000, cap: Int64 = 10_000_000_000, failuresMax: Int = 5,
        window: Int64 = 300_000_000_000
    ) {
        precondition(base > 0 && cap >= base && failuresMax > 0 && window > 0, "a schedule moves")
        self.base = base
        self.cap = cap
        self.failuresMax = failuresMax
        self.window = window
        next = base
    }

    /// Counts a failure: a server that was lost, or could not be started.
    ///
    /// - Parameter now: nanoseconds on a clock that never goes back.
    /// - Returns: what follows.
    package mutating func failed(at now: Int64) -> Decision {
        if let last = failures.last, now - last >= window { next = base }
        failures.append(now)
        failures.removeFirst(max(0, failures.count - failuresMax))
        if failures.count == failuresMax, let first = failures.first, now - first < window {
            return .giveUp
        }
        defer { next = min(cap, next * 2) }
        return .wait(next)
    }
}
