package import Base
internal import Platform
internal import Postgres
internal import Synchronization

/// The progress of one running download at a look.
package struct ProgressNote: Sendable, Equatable {
    /// The download.
    package let download: Identifier
    /// The event in the form of a webhook: `type`, `timestamp`, `data`.
    package let body: [UInt8]
}
