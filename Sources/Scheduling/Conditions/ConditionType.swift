/// The type of a condition's values.
package enum ConditionType: Hashable, Sendable {
    /// A number.
    case number
    /// One of the listed words; any word if none is listed.
    case word([String])
    /// True or false.
    case boolean

    /// The name of the type in documents.
    package var name: String {
        switch self {
        case .number: "number"
        case .word: "word"
        case .boolean: "boolean"
        }
    }

    /// The error of a value that does not fit; nil if it fits.
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
