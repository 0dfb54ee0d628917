// What waits in a lane, summed up.
package import Core

/// A row of `lane_loads`.
package struct LaneLoad: Equatable, Sendable {
    /// The lane's number.
    package var lane: Int64
    /// How many downloads wait.
    package var waiting: Int64 = 0
    /// Of how many the size is not known.
    package var unsized: Int64 = 0
    /// What the others still expect together, in bytes.
    package var bytes: Int64 = 0
    /// The most that one of them still expects.
    package var largest: Int64 = 0
    /// When the first of them was accepted.
    package var oldestAt: Timestamp
    /// When the first of them may begin.
    package var firstRunAt: Timestamp
    /// The last `complete_by`; nil without any.
    package var lastDueAt: Timestamp?

    /// Nothing is counted yet but the instants of one download.
    package init(lane: Int64, oldestAt: Timestamp, firstRunAt: Timestamp) {
        self.lane = lane
        self.oldestAt = oldestAt
        self.firstRunAt = firstRunAt
    }

    /// Adds a part of the same lane.
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
