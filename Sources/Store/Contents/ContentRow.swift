package import Base
internal import Postgres

/// A finished file as named in its row.
package struct ContentRow: Hashable, Sendable {
    /// The download.
    package let id: Identifier
    /// The attempt.
    package let fence: Int64
    /// The length in bytes.
    package let length: Int64
}
