internal import CPlatform
internal import Platform

/// A file that is durable under its final name.
struct PublishedContent: Hashable, Sendable {
    /// The name by which it is opened.
    let name: ContentName
    /// The length in bytes.
    let length: Int64
}
