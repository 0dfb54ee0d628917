/// What waits in a lane with a `complete_by`, summed up.
package struct DeadlineLoad: Equatable, Sendable {
    /// The lane's number.
    package var lane: Int64
    /// The bucket of its deadlines: none of them is before.
    package var bucket: Timestamp
    /// The last of its deadlines.
    package var lastDue: Timestamp
    /// How many wait.
    package var count: Int64
    /// What they still expect together, with an estimate for those of unknown size.
    package var bytes: Double
    /// What they share with others.
    package var bottlenecks: [Bottleneck]

    /// Names all of it.
    package init(
        lane: Int64, bucket: Timestamp, lastDue: Timestamp, count: Int64, bytes: Double,
        bottlenecks: [Bottleneck]
    ) {
        self.lane = lane
        self.bucket = bucket
        self.lastDue = lastDue
        self.count = count
        self.bytes = bytes
        self.bottlenecks = bottlenecks
    }

    /// What one of its downloads brings on average.
    var mean: Double { bytes / Double(max(1, count)) }
}
