package import Core
internal import Postgres

/// A policy document as the store holds it.
package struct StoredPolicy: Sendable {
    /// Rises with every replacement.
    package let version: Int64
    /// The document.
    package let document: JSONObject
    /// When it was stored.
    package let updatedAt: Timestamp
}
