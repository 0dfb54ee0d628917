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

    /// Whether it is met.
    package var isMet: Bool { truth == .met }
}
