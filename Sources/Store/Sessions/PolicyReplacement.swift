internal import Core
internal import Postgres

/// What came of a replacement.
package enum PolicyReplacement: Sendable {
    /// It is in force.
    case stored(StoredPolicy)
    /// The caller's condition does not hold for the current version.
    case refused(current: Int64, isStored: Bool)
    /// As many apps have policies as may.
    case tooMany
}
