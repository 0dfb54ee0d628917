// A digest that an answer gives for a part of the file.

/// A digest of some of the file's bytes, from the answer that brought them.
package struct PartDigest: Equatable, Sendable {
    /// The bytes.
    package let range: Range<Int64>
    /// Their digest.
    package let digest: ExpectedDigest

    /// Creates a pair of both values.
    package init(_ range: Range<Int64>, _ digest: ExpectedDigest) {
        self.range = range
        self.digest = digest
    }
}
