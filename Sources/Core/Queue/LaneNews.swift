/// How far the changes of lanes were read: a look brings each change that the one before it could
/// not see, whenever its transaction began.
package struct LaneNews: Equatable, Sendable {
    /// A snapshot of the store: what it shows is known.
    package var seen: String
    /// The last change that was read, where there were more than a look brings.
    package var after: Place?
    /// The snapshot that counts once all changes since `seen` were read.
    package var next: String?

    /// A change by its transaction's number and its lane.
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

    /// A look brings at most so many changes.
    package static let changesAtOnce = 512

    /// All changes that a snapshot shows are known.
    package init(seen: String) { self.seen = seen }
}
