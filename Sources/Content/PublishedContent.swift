internal import CPlatform
internal import Platform

/// A file that is durable under its final name.
package struct PublishedContent: Hashable, Sendable {
    /// The name by which it is opened.
    package let name: ContentName
    /// The length in bytes.
    package let length: Int64
}
