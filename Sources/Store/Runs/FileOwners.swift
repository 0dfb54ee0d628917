package import Core
internal import Postgres

/// What the database knows of files that were found.
package struct FileOwners: Sendable {
    /// The rows of the downloads; one that is not in here has none.
    package let owners: [Identifier: FileOwner]
    /// Downloads of which no file is kept for a while: ephemeral ones, canceled ones, and those
    /// whose content was deleted or has expired.
    package let leavingNothing: Set<Identifier>
    /// The database's clock.
    package let now: Timestamp
    /// Since when the database knows the data directory.
    package let knownSince: Timestamp
}
