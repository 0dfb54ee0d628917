// The answer of one look.
package import Base

/// Some of the lanes that are due, and further results of the look.
package struct LanePage: Equatable, Sendable {
    /// The lanes, each once; some may not be due yet.
    package var heads: [LaneHead]
    /// The cursor for the next look; nil if the sweep is over.
    package var next: LaneCursor?
    /// The time at which the first lane that is not due yet may be; nil if there is none.
    package var nextDue: Timestamp?
    /// The number of downloads that run in all replicas.
    package var running: Int
    /// The position in the changes for the next look; nil if the store does not report changes.
    package var changePosition: LaneChangePosition?

    /// Creates a value with all its members.
    package init(
        heads: [LaneHead], next: LaneCursor? = nil, nextDue: Timestamp? = nil, running: Int = 0
    ) {
        self.heads = heads
        self.next = next
        self.nextDue = nextDue
        self.running = running
    }
}
