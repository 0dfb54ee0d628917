/// The position in the changes of lanes: a look brings each change that earlier looks could not
/// see, whenever its transaction began.
package struct LaneChangePosition: Equatable, Sendable {
    /// A snapshot of the store whose changes are all known.
    package var seen: String
    /// The last change that was read, if a look could not bring all.
    package var after: Place?
    /// The snapshot that replaces `seen` once all changes since then were read.
    package var next: String?

    /// A change, by the number of its transaction and its lane.
    package struct Place: Equatable, Sendable {
        /// The transaction's number, as the store writes it.
        package var transaction: String
        /// The lane's number.
        package var lane: Int64

        /// Creates a value with both members.
        package init(transaction: String, lane: Int64) {
            self.transaction = transaction
            self.lane = lane
        }
    }

    /// The most changes that a look brings.
    package static let changesAtOnce = 512

    /// Creates a position at which all changes of a snapshot are known.
    package init(seen: String) { self.seen = seen }
}
