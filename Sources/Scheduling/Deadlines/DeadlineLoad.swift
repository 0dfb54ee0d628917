package import Base

/// The sum over the downloads of a lane with a `complete_by`.
package struct DeadlineLoad: Equatable, Sendable {
    /// The lane's number.
    package var lane: Int64
    /// The bucket of its deadlines; none of them is earlier.
    package var bucket: Timestamp
    /// The last of its deadlines.
    package var lastDue: Timestamp
    /// The number of waiting downloads.
    package var count: Int64
    /// Their missing bytes together, with an estimate for those of unknown size.
    package var bytes: Double
    /// The bottlenecks that they pass.
    package var bottlenecks: [Bottleneck]

    /// Creates a value with all its members.
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

    /// The average of the missing bytes.
    var mean: Double { bytes / Double(max(1, count)) }
}
