// What one look brings.

/// Some of the lanes that are due, and what else a look learns.
package struct LanePage: Equatable, Sendable {
    /// The lanes, none twice; some may not be due yet.
    package var heads: [LaneHead]
    /// Where the next look goes on; nil when the sweep is over.
    package var next: LaneCursor?
    /// When the first of those that are not due yet may be; nil if there is none.
    package var nextDue: Timestamp?
    /// How many downloads run in all replicas.
    package var running: Int
    /// From where the next look reads changes; nil where the store does not tell of them.
    package var news: LaneNews?

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
