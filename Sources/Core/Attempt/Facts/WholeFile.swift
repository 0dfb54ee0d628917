/// A file to which nothing is added any more.
package struct WholeFile: Equatable, Sendable {
    /// Its bytes.
    package var length: Int64
    /// Its digests in hexadecimal digits, SHA-256 among them.
    package var digests: [DigestAlgorithm: String]

    /// Names both.
    package init(length: Int64, digests: [DigestAlgorithm: String]) {
        self.length = length
        self.digests = digests
    }
}
