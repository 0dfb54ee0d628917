internal import Postgres

/// The result of a replacement.
package enum PolicyReplacement: Sendable {
    /// It is in force.
    case stored(StoredPolicy)
    /// The caller's condition does not hold for the current version.
    case refused(current: Int64, isStored: Bool)
    /// The limit of apps with policies is reached.
    case tooMany
}
