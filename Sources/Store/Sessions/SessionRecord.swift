package import Core
internal import Postgres

/// A session as the store holds it.
package struct SessionRecord: Sendable {
    /// Its key, for the other tables.
    package let key: Int64
    /// The client's name for it.
    package let identifier: String
    /// Rises with every other configuration.
    package let version: Int64
    /// How far its life is.
    package let state: SessionState
    /// Its values.
    package let configuration: SessionConfiguration
    /// When it was made.
    package let createdAt: Timestamp
    /// When its configuration or its life last changed.
    package let updatedAt: Timestamp
    /// Whether its client was ended by a person and is not woken.
    package let isMuted: Bool
    /// The name of its app.
    package let appName: String
}
