package import Core
internal import Postgres

/// A key as people see it.
package struct APIKeyRecord: Sendable {
    /// Its number, for revoking.
    package let number: Int64
    /// The app that it belongs to.
    package let app: String
    /// When it was made.
    package let createdAt: Timestamp
    /// When it stopped to work.
    package let revokedAt: Timestamp?
    /// What it opens, by name.
    package let scopes: [String]
    /// When it was last used, to the minute.
    package let lastUsedAt: Timestamp?
}
