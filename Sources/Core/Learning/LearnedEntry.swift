/// What the store holds of one measure and key.
package struct LearnedEntry: Equatable, Sendable {
    /// What is measured.
    package let measure: LearnedMeasure
    /// What it is about.
    package let key: LearnedKey
    /// The values.
    package let sketch: Sketch
    /// When they were made to count less the last time.
    package let fadedAt: Timestamp
    /// When the last value came.
    package let changedAt: Timestamp

    /// Names all of it.
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
