package import Core
internal import Postgres

/// A finished file as its row names it.
package struct ContentRow: Hashable, Sendable {
    /// The download.
    package let id: Identifier
    /// The attempt.
    package let fence: Int64
    /// In bytes.
    package let length: Int64
}
