package import Core
internal import Postgres

/// A pushed condition as the store holds it.
package struct ConditionRecord: Equatable, Sendable {
    /// Its name.
    package let name: String
    /// The last push.
    package let push: ConditionPush
}
