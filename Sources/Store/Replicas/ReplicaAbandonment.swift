package import Core

/// What came of declaring that a replica does not come back.
package enum ReplicaAbandonment: Sendable, Equatable {
    /// No data directory has the number.
    case unknown
    /// A replica works there.
    case works
    /// The content of this data directory is lost.
    case done(Identifier)
}
