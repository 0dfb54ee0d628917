package import Base

/// A row of the store: the values of one measure and key.
package struct LearnedEntry: Equatable, Sendable {
    /// The measure.
    package let measure: LearnedMeasure
    /// The key.
    package let key: LearnedKey
    /// The values.
    package let sketch: Sketch
    /// The time at which their weights were reduced last.
    package let fadedAt: Timestamp
    /// The time at which the last value came.
    package let changedAt: Timestamp

    /// Creates a value with all its members.
    package init(
        _ measure: LearnedMeasure, _ key: LearnedKey, _ sketch: Sketch, fadedAt: Timestamp,
        changedAt: Timestamp
    ) {
        self.measure = measure
        self.key = key
        self.sketch = sketch
        self.fadedAt = fadedAt
        self.changedAt = changedAt
    }
}
