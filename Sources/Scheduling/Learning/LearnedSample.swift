/// One measured value.
package struct LearnedSample: Equatable, Sendable {
    /// The measure.
    package let measure: LearnedMeasure
    /// The value, in the unit of the measure.
    package let value: Double
    /// The keys of the value, the most exact one first.
    package let chain: LearnedChain

    /// Creates a value with all its members.
    package init(_ measure: LearnedMeasure, _ value: Double, _ chain: LearnedChain) {
        self.measure = measure
        self.value = value
        self.chain = chain
    }
}
