/// A file that is complete and digested.
package struct WholeFile: Equatable, Sendable {
    /// The length in bytes.
    package var length: Int64
    /// Its SHA-256 in hexadecimal digits.
    package var sha256: String
    /// The other digests that were wanted, in hexadecimal digits.
    package var others: [DigestAlgorithm: String]

    /// Creates a value with all its members.
    package init(length: Int64, sha256: String, others: [DigestAlgorithm: String] = [:]) {
        self.length = length
        self.sha256 = sha256
        self.others = others
    }

    /// The digest by an algorithm; nil for one that was not wanted.
    package func digest(_ algorithm: DigestAlgorithm) -> String? {
        algorithm == .sha256 ? sha256 : others[algorithm]
    }
}
