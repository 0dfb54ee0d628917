/// A requirement at an instant.
package struct AtomState: Equatable, Sendable {
    /// Whether it is met; unknown where a value is missing and nothing stands in for it.
    package var truth: Truth
    /// Since when; nil for longer than is known.
    package var since: Timestamp?
    /// When that changes, as far as it is known.
    package var until: Timestamp?
    /// Whether its changes are known in advance: a window, or a scheduled value.
    package var isForeseen: Bool
    /// Whether it is one that each replica measures.
    package var isMeasured = false
    /// The value that counts, of a condition.
    package var value: ConditionValue?
    /// Whether the value is the default, because none is known.
    package var isDefault = false
    /// How long it has to hold because it changed often; nil if it did not.
    package var damped: Duration?
    /// When it was met last, and since when it is watched: of what is measured.
    package var lastOpen: Timestamp?
    /// See `lastOpen`.
    package var watchedSince: Timestamp?
    /// How many replicas it is judged of.
    package var replicas = 1

    /// Whether it is met.
    package var isMet: Bool { truth == .met }

    /// The state over several replicas of what each measures: met where it is met anywhere, else
    /// closed since the last one closed.
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
