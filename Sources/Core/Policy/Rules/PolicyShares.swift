/// Weights by which apps and sessions share, and what discretionary work gets at least.
package struct PolicyShares: Equatable, Sendable {
    /// Weights of apps.
    package var apps = PatternTable<Double>()
    /// Weights of sessions.
    package var sessions = PatternTable<Double>()
    /// The least part of the slots for discretionary downloads that may run.
    package var discretionaryFloor = 0.1
}
