package import Base
internal import Downloads

/// A rule in an explanation.
package struct RuleReport: Equatable, Sendable {
    /// The result for a rule.
    package enum Outcome: String, Sendable {
        /// It does not match the download.
        case notMatched = "not_matched"
        /// All its requirements are met or waived.
        case open
        /// A requirement is not met.
        case closed
    }

    /// Its name.
    package let name: String
    /// The result.
    package let outcome: Outcome
    /// The reason why it does not match the download.
    package let because: String?
    /// Whether it is soft.
    package let isSoft: Bool
    /// The results for its requirements.
    package let requirements: [RequirementReport]

    /// Writes the rule as clients see it.
    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", name)
        writer.member("verdict", outcome.rawValue)
        if outcome == .notMatched {
            writer.member("because", because)
        } else {
            writer.member("is_soft", isSoft)
            writer.key("requirements")
            writer.beginArray()
            for requirement in requirements {
                writer.beginObject()
                writer.member("text", requirement.text)
                writer.member("verdict", requirement.outcome.rawValue)
                writer.key("value")
                writer.write(requirement.value?.json ?? .null)
                writer.member("until", requirement.until)
                writer.endObject()
            }
            writer.endArray()
        }
        writer.endObject()
    }
}
