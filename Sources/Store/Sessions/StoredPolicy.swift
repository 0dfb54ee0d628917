package import Base
internal import Postgres

/// A policy document as the store has it.
package struct StoredPolicy: Sendable {
    /// Rises with every replacement and every deletion.
    package let version: Int64
    /// The document; empty if it was deleted.
    package let document: JSONObject
    /// Whether there is a document.
    package let isStored: Bool
    /// The time at which it was stored or deleted.
    package let updatedAt: Timestamp
}
