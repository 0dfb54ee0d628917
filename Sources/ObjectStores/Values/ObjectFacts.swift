/// Facts about an object, from a HEAD, or from the answer that confirmed its write.
package struct ObjectFacts: Sendable, Equatable {
    /// The entity tag, with its quotes.
    package var tag: String?
    /// The length in bytes; nil if the answer does not tell it.
    package var length: Int64?
    /// The download in the metadata; nil for an object of somebody else.
    package var download: String?
    /// The SHA-256 in the metadata, 64 hexadecimal digits.
    package var sha256: String?

    /// Creates facts with an entity tag only.
    package init(tag: String?) { self.tag = tag }
}
