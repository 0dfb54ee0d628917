/// How much to take from which lane.
package struct LaneQuota: Equatable, Sendable {
    /// The lane as it was read.
    package var head: LaneHead
    /// At most so many.
    package var count: Int
    /// Whether its deadline allows no more waiting.
    package var isGuarded = false
    /// How much comes before a known closing; nil for all.
    package var room: ClosingRoom?

    /// Creates a value with both members.
    package init(head: LaneHead, count: Int) {
        self.head = head
        self.count = count
    }
}
