/// One rule, as an explanation shows it.
package struct RuleReport: Equatable, Sendable {
    /// What it comes to.
    package enum Outcome: String, Sendable {
        /// It is not about the download.
        case notMatched = "not_matched"
        /// All that it requires holds, or is not waited for any more.
        case open
        /// Something that it requires does not hold.
        case closed
    }

    /// Its name.
    package let name: String
    /// What it comes to.
    package let outcome: Outcome
    /// Why it is not about the download.
    package let because: String?
    /// Whether it is soft.
    package let isSoft: Bool
    /// What it requires.
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
