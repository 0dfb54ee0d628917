// The values that pass into a place.

/// A complete body that is to appear in a place.
package struct FinishedContent: Sendable {
    /// The bytes, in a file of the data directory or in memory.
    package let part: CompletedPart
    /// SHA-256 of the bytes, 64 hexadecimal digits; a place that moves the bytes proves them by it.
    package let sha256: String

    /// Creates a value with all its members.
    package init(part: CompletedPart, sha256: String) {
        self.part = part
        self.sha256 = sha256
    }

    /// The name under which the content appears.
    package var name: ContentName { part.name }

    /// The length in bytes.
    package var length: Int64 { part.length }
}
