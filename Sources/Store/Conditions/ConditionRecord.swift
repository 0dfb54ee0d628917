internal import Postgres
package import Scheduling

/// A pushed condition as the store holds it.
package struct ConditionRecord: Equatable, Sendable {
    /// Its name.
    package let name: String
    /// The last push.
    package let push: ConditionPush
}
