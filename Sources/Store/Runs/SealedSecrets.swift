internal import Postgres

/// The sealed secrets of a download and of its session.
package struct SealedSecrets: Sendable {
    /// The download's own secrets; nil if it has none.
    package var own: [UInt8]?
    /// The secrets of its session, in the version under which it was created; nil if that has none.
    package var session: [UInt8]?
}
