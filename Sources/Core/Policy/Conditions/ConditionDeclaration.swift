/// A condition that a policy declares or that is built in.
package struct ConditionDeclaration: Equatable, Sendable {
    /// Its name.
    package var name: String
    /// What values it has.
    package var type: ConditionType
    /// The unit of a number, for sentences.
    package var unit: String?
    /// What counts while no value is known.
    package var standard: ConditionValue?
    /// How long a pushed value counts; nil for ever.
    package var ttl: Duration?
}
