/// How early a deadline ends soft waiting.
package struct PolicyGuard: Equatable, Sendable {
    /// The quantile of past rates that is counted on.
    package var quantile = 0.1
    /// The time kept in hand before a deadline.
    package var margin = Duration.seconds(900)
}
