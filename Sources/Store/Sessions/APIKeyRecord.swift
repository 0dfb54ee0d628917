package import Base
internal import Postgres

/// A key in the form for people.
package struct APIKeyRecord: Sendable {
    /// The number, by which it is revoked.
    package let number: Int64
    /// The app that it belongs to.
    package let app: String
    /// The time at which it was created.
    package let createdAt: Timestamp
    /// The time at which it was revoked.
    package let revokedAt: Timestamp?
    /// Its scopes, by name.
    package let scopes: [String]
    /// The time at which it was last used, to the minute.
    package let lastUsedAt: Timestamp?
    /// The limits of its app.
    package let limits: AppLimits
}
