internal import Core
internal import Postgres

/// The sealed secrets of a download and of its session.
package struct SealedSecrets: Sendable {
    /// The download's own; nil if it has none.
    package var own: [UInt8]?
    /// Those of its session, in the version that it was created under; nil if that has none.
    package var session: [UInt8]?
}
