// The times at which a failed attempt is repeated.
internal import Base

/// The waits between attempts: full jitter over a doubling base, as in Brooker's "Exponential
/// Backoff And Jitter" (2015).
package struct RetrySchedule: Equatable, Sendable {
    /// The upper bound of the first wait.
    package var base: Duration
    /// The upper bound of every wait.
    package var cap: Duration
    /// Attempts without progress after which a download fails.
    package var maximumAttempts: Int

    /// Creates a schedule; waits are positive, attempts at least 1.
    package init(base: Duration, cap: Duration, maximumAttempts: Int) {
        precondition(base > .zero && cap >= base && maximumAttempts >= 1, "not a schedule")
        self.base = base
        self.cap = cap
        self.maximumAttempts = maximumAttempts
    }

    /// 30 s doubling to 5 h, eight attempts without progress.
    package static let standard = RetrySchedule(
        base: .seconds(30), cap: .seconds(18_000), maximumAttempts: 8)

    /// The wait after an attempt.
    ///
    /// - Parameters:
    ///   - count: attempts without progress so far, this one included; at least 1.
    ///   - random: where the jitter comes from.
    /// - Returns: between nothing and min(cap, base x 2^(count - 1)).
    package func delay(
        afterAttemptsWithoutProgress count: Int, using random: inout some RandomNumberGenerator
    ) -> Duration {
        var ceiling = base
        for _ in 1..<max(count, 1) where ceiling < cap {
            ceiling = min(cap, ceiling * 2)
        }
        return .microseconds(Int64.random(in: 0...ceiling.wholeMicroseconds, using: &random))
    }
}
