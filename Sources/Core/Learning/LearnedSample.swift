/// One value that was measured.
package struct LearnedSample: Equatable, Sendable {
    /// What was measured.
    package let measure: LearnedMeasure
    /// The value, in the unit of the measure.
    package let value: Double
    /// What it is about, the most exact key first.
    package let chain: LearnedChain

    /// Names all of it.
    package init(_ measure: LearnedMeasure, _ value: Double, _ chain: LearnedChain) {
        self.measure = measure
        self.value = value
        self.chain = chain
    }
}
