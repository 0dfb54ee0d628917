package import Base

/// Content in a store that its client has given back or whose retention is over.
package struct ReleasedObject: Sendable {
    /// The download.
    package let id: Identifier
    /// Whether the object stays, because its client wants it to.
    package let isKept: Bool
    /// The path of the object beneath the store's prefix; nil if no row tells it any more.
    package let path: String?
}
