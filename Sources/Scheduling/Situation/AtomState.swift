package import Base

/// The state of a requirement at an instant.
package struct AtomState: Equatable, Sendable {
    /// Whether it is met; unknown while the condition has no value and no default.
    package var truth: Truth
    /// The time since which it has this truth; nil for longer than is known.
    package var since: Timestamp?
    /// The time at which the truth changes, as far as known.
    package var until: Timestamp?
    /// Whether its changes are known in advance: a window, or a scheduled value.
    package var isForeseen: Bool
    /// Whether each replica measures the condition itself.
    package var isMeasured = false
    /// The value of the condition, the default included.
    package var value: ConditionValue?
    /// Whether that value is the default, because none is known.
    package var isDefault = false
    /// The time for which the comparison has to hold because it changed often; nil if it did not.
    package var damped: Duration?
    /// For a measured condition: when the requirement was met last; nil for never.
    package var lastOpen: Timestamp?
    /// For a measured condition: since when it is observed.
    package var watchedSince: Timestamp?
    /// The number of replicas whose measurements it includes.
    package var replicas = 1

    /// Whether it is met.
    package var isMet: Bool { truth == .met }

    /// The state over several replicas that measure the condition: met if it is met at one of them;
    /// if at none, closed since the last of them closed.
    func joined(_ others: [ReplicaReadings.Standing]) -> AtomState {
        guard isMeasured, !others.isEmpty else { return self }
        var all = self
        all.replicas += others.count
        if isMet { return all }
        if others.contains(where: \.isMet) {
            all.truth = .met
            all.since = nil
            all.until = nil
            return all
        }
        all.since = others.compactMap(\.since).reduce(since) { last, other in
            max(last ?? other, other)
        }
        return all
    }
}
