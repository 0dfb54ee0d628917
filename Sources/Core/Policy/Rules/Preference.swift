/// What a rule prefers: the hours in which a condition is least or most.
package struct Preference: Hashable, Sendable {
    /// The condition.
    package let condition: String
    /// Whether more is better.
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
    /// The preference as a policy has it.
    package var description: String { "\(prefersMost ? "most" : "least") \(condition)" }
}
