/// A condition that a policy declares or that is built in.
package struct ConditionDeclaration: Equatable, Sendable {
    /// Its name.
    package var name: String
    /// The type of its values.
    package var type: ConditionType
    /// The unit of a number, for sentences.
    package var unit: String?
    /// The default while no value is known.
    package var standard: ConditionValue?
    /// The time for which a pushed value is valid; nil for no end.
    package var ttl: Duration?
}
