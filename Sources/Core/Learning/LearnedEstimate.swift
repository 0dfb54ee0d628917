/// What is known of a measure, and by which key.
package struct LearnedEstimate: Equatable, Sendable {
    /// The key that has seen enough.
    package let key: LearnedKey
    /// What it has seen.
    package let sketch: Sketch
    /// How many values that is, old ones counted for less.
    package let weight: Double

    /// A quantile from 0 to 1.
    package func quantile(_ part: Double) -> Double {
        guard let value = sketch.quantile(part) else {
            preconditionFailure("an estimate has seen enough")
        }
        return value
    }
}
