/// A learned distribution, with the key that it belongs to.
package struct LearnedEstimate: Equatable, Sendable {
    /// The key with enough values.
    package let key: LearnedKey
    /// The values of the key.
    package let sketch: Sketch
    /// The weight of these values; old ones count for less.
    package let weight: Double

    /// A quantile; `part` from 0 to 1.
    package func quantile(_ part: Double) -> Double {
        guard let value = sketch.quantile(part) else {
            preconditionFailure("an estimate has seen enough")
        }
        return value
    }
}
