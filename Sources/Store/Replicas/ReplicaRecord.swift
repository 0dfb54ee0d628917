package import Base

/// A data directory, with the replica that uses it.
package struct ReplicaRecord: Sendable, Equatable {
    /// The number for people; it belongs to the data directory.
    package let number: Int64
    /// The data directory.
    package let instance: Identifier
    /// The machine's name, if known.
    package let node: String?
    /// The address of the replica for others; nil without a replica, or if it gave none.
    package let address: String?
    /// Whether a replica with a lease uses it.
    package let works: Bool
    /// The time at which its replica began, or was seen last.
    package let since: Timestamp
    /// The number of its files.
    package let files: Int64
    /// The length of these files in bytes.
    package let bytes: Int64
    /// The number of missing files that do not count as lost until somebody says so.
    package let missing: Int64
}
