// The digest that an answer gives for a part of the file.

/// A digest of some of the file's bytes, as the answer that brought them names it.
package struct PartDigest: Equatable, Sendable {
    /// Which bytes.
    package let range: Range<Int64>
    /// Their digest.
    package let digest: ExpectedDigest

    /// Creates a pair of both values.
    package init(_ range: Range<Int64>, _ digest: ExpectedDigest) {
        self.range = range
        self.digest = digest
    }
}
