internal import CPlatform
internal import Platform

/// A file that is on disk under its final name, also after a loss of power.
package struct PublishedContent: Hashable, Sendable {
    /// The name to open it by.
    package let name: ContentName
    /// Its length in bytes.
    package let length: Int64
}
