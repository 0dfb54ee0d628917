/// How much to take from which lane.
package struct LaneQuota: Equatable, Sendable {
    /// The lane as it was read.
    package var head: LaneHead
    /// At most so many.
    package var count: Int

    /// Names both.
    package init(head: LaneHead, count: Int) {
        self.head = head
        self.count = count
    }
}
