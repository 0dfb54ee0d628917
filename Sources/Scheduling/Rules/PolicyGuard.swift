/// The time before a deadline at which soft waiting ends.
package struct PolicyGuard: Equatable, Sendable {
    /// The quantile of past rates that is assumed for a transfer.
    package var quantile = 0.1
    /// The time kept in reserve before a deadline.
    package var margin = Duration.seconds(900)
}
