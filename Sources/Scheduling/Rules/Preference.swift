/// A preference of a rule: hours in which a condition is lowest or highest.
package struct Preference: Hashable, Sendable {
    /// The condition.
    package let condition: String
    /// Whether the highest value is preferred.
    package let prefersMost: Bool

    /// Reads `least NAME` or `most NAME`; nil for anything else.
    init?(_ text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, words[0] == "least" || words[0] == "most" else { return nil }
        condition = String(words[1])
        prefersMost = words[0] == "most"
    }
}

extension Preference: CustomStringConvertible {
    /// The preference as it is written in a policy.
    package var description: String { "\(prefersMost ? "most" : "least") \(condition)" }
}
