/// The weights by which apps and sessions share, and the least share of discretionary downloads.
package struct PolicyShares: Equatable, Sendable {
    /// Weights of apps.
    package var apps = PatternTable<Double>()
    /// Weights of sessions.
    package var sessions = PatternTable<Double>()
    /// The least share of the slots for discretionary downloads that may run.
    package var discretionaryFloor = 0.1
}
