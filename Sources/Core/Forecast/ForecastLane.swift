// What waits, as a forecast looks at it: sums for each lane, not rows.

/// The downloads that wait in a lane.
package struct ForecastLane: Sendable {
    /// Some of them that may begin from about the same instant on.
    package struct Batch: Equatable, Sendable {
        /// From when on the first of them may begin.
        package var runAt: Timestamp
        /// How many they are, at least one.
        package var count: Int
        /// Bytes that are still to come, of those whose size is known.
        package var bytes: Double
        /// How many have no known size.
        package var unsized: Int

        /// Names all of it.
        package init(runAt: Timestamp, count: Int, bytes: Double, unsized: Int) {
            self.runAt = runAt
            self.count = count
            self.bytes = bytes
            self.unsized = unsized
        }
    }

    /// Its number.
    package var number: Int64
    /// Whose share its downloads take.
    package var flow: LaneFlow
    /// One of its downloads, as the verdict looks at it.
    package var candidate: AdmissionCandidate
    /// In the order of their instants, at least one.
    package var batches: [Batch]

    /// Names all of it.
    package init(
        number: Int64, flow: LaneFlow, candidate: AdmissionCandidate, batches: [Batch]
    ) {
        self.number = number
        self.flow = flow
        self.candidate = candidate
        self.batches = batches
    }

    /// How many wait in it.
    package var count: Int { batches.reduce(0) { $0 + $1.count } }
}
