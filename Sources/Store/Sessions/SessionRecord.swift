package import Base
package import Downloads
internal import Postgres

/// A session as the store holds it.
package struct SessionRecord: Sendable {
    /// Its number, for other tables.
    package let key: Int64
    /// The client's name for it.
    package let identifier: String
    /// Rises with every change of the configuration.
    package let version: Int64
    /// The state of its life.
    package let state: SessionState
    /// Its configuration.
    package let configuration: SessionConfiguration
    /// The time at which it was created.
    package let createdAt: Timestamp
    /// The time at which its configuration or its state last changed.
    package let updatedAt: Timestamp
    /// Whether a person ended its client, which is not woken then.
    package let isMuted: Bool
    /// The name of its app.
    package let appName: String
}
