package import Core

/// A data directory, with the replica that works on it.
package struct ReplicaRecord: Sendable, Equatable {
    /// The number for people; it stays with the data directory.
    package let number: Int64
    /// The data directory.
    package let instance: Identifier
    /// The machine's name, as far as it is known.
    package let node: String?
    /// Where other replicas reach it; nil without a replica, or if that gave no address.
    package let address: String?
    /// Whether a replica with a lease works on it.
    package let works: Bool
    /// When its replica began, or was seen last.
    package let since: Timestamp
    /// How many files it keeps.
    package let files: Int64
    /// How many bytes they have.
    package let bytes: Int64
    /// How many of them are missing and do not count as lost until somebody says so.
    package let missing: Int64
}
