/// The number of downloads that a claim may take from one lane.
package struct LaneQuota: Equatable, Sendable {
    /// The lane as it was read.
    package var head: LaneHead
    /// The most downloads.
    package var count: Int
    /// Whether its deadline is near.
    package var isGuarded = false
    /// The sizes that fit before a known closing; nil for all.
    package var room: ClosingRoom?

    /// Creates a value with both members.
    package init(head: LaneHead, count: Int) {
        self.head = head
        self.count = count
    }
}
