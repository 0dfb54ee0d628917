package import Base
package import Downloads
internal import Postgres

/// The database's knowledge about found files.
package struct FileOwners: Sendable {
    /// The owners of files by download; a download without an entry has no row.
    package let owners: [Identifier: FileOwner]
    /// Downloads of which no file is kept in quarantine: ephemeral and canceled ones, and those
    /// whose content was deleted or has expired.
    package let leavingNothing: Set<Identifier>
    /// The database's clock.
    package let now: Timestamp
    /// The time at which the database first knew the data directory.
    package let knownSince: Timestamp
}
