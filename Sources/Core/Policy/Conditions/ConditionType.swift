/// What kind of value a condition has.
package enum ConditionType: Hashable, Sendable {
    /// A number.
    case number
    /// One of some words; none listed means any.
    case word([String])
    /// True or false.
    case boolean

    /// Its name in documents.
    package var name: String {
        switch self {
        case .number: "number"
        case .word: "word"
        case .boolean: "boolean"
        }
    }

    /// What is wrong with a value; nil if nothing is.
    package func complaint(_ value: ConditionValue) -> String? {
        switch (self, value) {
        case (.number, .number), (.boolean, .flag): nil
        case (.word(let words), .word(let word)):
            words.isEmpty || words.contains(word)
                ? nil : "must be one of \(words.joined(separator: ", "))"
        case (.number, _): "must be a number"
        case (.word, _): "must be a word"
        case (.boolean, _): "must be true or false"
        }
    }
}
