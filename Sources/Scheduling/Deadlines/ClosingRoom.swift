package import Base

/// The sizes of a lane's downloads that fit before a known closing.
package struct ClosingRoom: Equatable, Sendable {
    /// The instant of the closing.
    package let closesAt: Timestamp
    /// The bytes that fit into the longest known opening: a larger download is not held back.
    package let longest: Int64
    /// The assumed size of a download of unknown size; nil if there is none.
    package let unsized: Int64?
    /// The bytes that fit before the closing: a larger download waits, unless it can be resumed.
    package let most: Int64

    /// Creates a value with all its members.
    package init(closesAt: Timestamp, longest: Int64, unsized: Int64?, most: Int64) {
        self.closesAt = closesAt
        self.longest = longest
        self.unsized = unsized
        self.most = most
    }
}
