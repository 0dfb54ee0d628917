package import Base

/// The result of declaring that a replica will not come back.
package enum ReplicaAbandonment: Sendable, Equatable {
    /// No data directory has the number.
    case unknown
    /// A replica uses it.
    case works
    /// The content of this data directory counts as lost.
    case done(Identifier)
}
