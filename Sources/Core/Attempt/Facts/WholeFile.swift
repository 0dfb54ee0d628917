/// A file to which nothing is added any more.
package struct WholeFile: Equatable, Sendable {
    /// Its bytes.
    package var length: Int64
    /// Its SHA-256 in hexadecimal digits.
    package var sha256: String
    /// What other digests were wanted, likewise.
    package var others: [DigestAlgorithm: String]

    /// Names all of it.
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
