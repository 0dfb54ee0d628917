// The sums over the waiting downloads of a lane.
package import Base

/// A row of `lane_loads`.
package struct LaneLoad: Equatable, Sendable {
    /// The lane's number.
    package var lane: Int64
    /// The number of waiting downloads.
    package var waiting: Int64 = 0
    /// The number of downloads without a known size.
    package var unsized: Int64 = 0
    /// The missing bytes of the others together.
    package var bytes: Int64 = 0
    /// The most missing bytes of one of them.
    package var largest: Int64 = 0
    /// The time at which the first of them was accepted.
    package var oldestAt: Timestamp
    /// The time at which the first of them may begin.
    package var firstRunAt: Timestamp
    /// The last `complete_by`; nil without any.
    package var lastDueAt: Timestamp?

    /// Creates sums of zero with the instants of one download.
    package init(lane: Int64, oldestAt: Timestamp, firstRunAt: Timestamp) {
        self.lane = lane
        self.oldestAt = oldestAt
        self.firstRunAt = firstRunAt
    }

    /// Adds sums over other downloads of this lane.
    mutating func add(_ other: LaneLoad) {
        precondition(lane == other.lane, "parts of one lane are added")
        waiting += other.waiting
        unsized += other.unsized
        bytes = bytes.addingReportingOverflow(other.bytes).overflow ? .max : bytes + other.bytes
        largest = max(largest, other.largest)
        oldestAt = min(oldestAt, other.oldestAt)
        firstRunAt = min(firstRunAt, other.firstRunAt)
        lastDueAt = [lastDueAt, other.lastDueAt].compactMap(\.self).max()
    }
}
