package import Core

/// Where a file is kept.
package struct ContentHolder: Sendable, Equatable {
    /// The data directory.
    package let instance: Identifier
    /// Whether a replica with a lease works on it.
    package let works: Bool
    /// Where other replicas reach that one, HOST:PORT; nil if it gave no address.
    package let address: String?
}
