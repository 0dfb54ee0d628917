/// How many bytes of a lane's downloads come before a known closing.
package struct ClosingRoom: Equatable, Sendable {
    /// When something closes.
    package let closesAt: Timestamp
    /// What comes in the longest opening that is known: a larger download is not held.
    package let longest: Int64
    /// What a download of unknown size is expected to have; nil where that is not known either.
    package let unsized: Int64?
    /// What comes until then: a larger download waits, unless it can be gone on with.
    package let most: Int64

    /// Creates a value with all its members.
    package init(closesAt: Timestamp, longest: Int64, unsized: Int64?, most: Int64) {
        self.closesAt = closesAt
        self.longest = longest
        self.unsized = unsized
        self.most = most
    }
}
