// The waiting downloads of a lane for a forecast: sums, not rows.
package import Base

/// The downloads that wait in a lane.
package struct ForecastLane: Sendable {
    /// Downloads of a lane that may begin from about one instant on.
    package struct Batch: Equatable, Sendable {
        /// The time at which the first of them may begin.
        package var runAt: Timestamp
        /// The number of downloads, at least one.
        package var count: Int
        /// The missing bytes of the downloads whose size is known.
        package var bytes: Double
        /// The number of downloads without a known size.
        package var unsized: Int

        /// Creates a value with all its members.
        package init(runAt: Timestamp, count: Int, bytes: Double, unsized: Int) {
            self.runAt = runAt
            self.count = count
            self.bytes = bytes
            self.unsized = unsized
        }
    }

    /// The lane's number.
    package var number: Int64
    /// The flow whose share its downloads take.
    package var flow: LaneFlow
    /// One download of the lane, as the policy's verdict judges it.
    package var candidate: AdmissionCandidate
    /// The batches in the order of their instants, at least one.
    package var batches: [Batch]

    /// Creates a value with all its members.
    package init(
        number: Int64, flow: LaneFlow, candidate: AdmissionCandidate, batches: [Batch]
    ) {
        self.number = number
        self.flow = flow
        self.candidate = candidate
        self.batches = batches
    }

    /// The number of downloads that wait in it.
    package var count: Int { batches.reduce(0) { $0 + $1.count } }
}
