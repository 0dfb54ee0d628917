// The rule for disabling an endpoint that does not take webhooks.

/// An endpoint is disabled when no 2xx came for a time and many tries failed over a time.
package struct DisableRule: Equatable, Sendable {
    /// The time since the first failure without a 2xx.
    package var after: Duration
    /// The least number of failed tries in a row.
    package var failures: Int
    /// The least time between the first and the last of these failures.
    package var spread: Duration

    /// Five days, ten failures, twelve hours.
    package static let standard = DisableRule(
        after: .seconds(432_000), failures: 10, spread: .seconds(43_200))

    /// Creates a value with all its members.
    package init(after: Duration, failures: Int, spread: Duration) {
        self.after = after
        self.failures = failures
        self.spread = spread
    }
}
