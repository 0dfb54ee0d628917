package import Base

/// The place where a file is kept.
package struct ContentHolder: Sendable, Equatable {
    /// The data directory.
    package let instance: Identifier
    /// Whether a replica with a lease uses it.
    package let works: Bool
    /// The address of that replica for others, HOST:PORT; nil if it gave none.
    package let address: String?
}
