package import Core
internal import Platform
internal import Postgres
internal import Synchronization

/// How far one running download was at a look.
package struct ProgressNote: Sendable, Equatable {
    /// The download.
    package let download: Identifier
    /// The event as a webhook would send it: `type`, `timestamp`, `data`.
    package let body: [UInt8]
}
