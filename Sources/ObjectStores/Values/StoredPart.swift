/// A part that a store has.
package struct StoredPart: Sendable, Equatable {
    /// 1 to 10,000.
    package var number: Int
    /// The entity tag, with its quotes.
    package var tag: String
    /// The length in bytes.
    package var length: Int64
    /// The checksum of the part, base 64; nil for none.
    ///
    /// `complete` needs it of each part where the location wants SHA-256. A store that does not
    /// tell it in its list of parts, such as SeaweedFS, has verified it: the caller computes it
    /// again from the file.
    package var checksum: String?

    /// Creates a part without a checksum.
    package init(number: Int, tag: String, length: Int64) {
        self.number = number
        self.tag = tag
        self.length = length
    }
}
