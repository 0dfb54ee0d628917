package import Base

/// The value of a condition.
package enum ConditionValue: Hashable, Sendable {
    /// A number, always finite.
    case number(Double)
    /// A word.
    case word(String)
    /// True or false.
    case flag(Bool)

    /// Reads a JSON value; nil for other kinds than number, text and boolean.
    package init?(_ json: JSON) {
        switch json {
        case .integer(let number): self = .number(Double(number))
        case .number(let number) where number.isFinite: self = .number(number)
        case .string(let text) where TextForm.isWord(text) && text.utf8.count <= 128:
            self = .word(text)
        case .bool(let flag): self = .flag(flag)
        default: return nil
        }
    }

    /// The value as JSON; a whole number without a fraction.
    package var json: JSON {
        switch self {
        case .number(let number): Int64(exactly: number).map { .integer($0) } ?? .number(number)
        case .word(let word): .string(word)
        case .flag(let flag): .bool(flag)
        }
    }
}

extension ConditionValue: CustomStringConvertible {
    /// The value for sentences.
    package var description: String {
        switch self {
        case .number(let number): ConditionValue.text(number)
        case .word(let word): word
        case .flag(let flag): flag ? "true" : "false"
        }
    }

    private static func text(_ number: Double) -> String {
        if let whole = Int64(exactly: number) { return String(whole) }
        // Measured numbers are rounded to three decimals.
        let rounded = (number * 1000).rounded() / 1000
        return (rounded.isFinite && rounded != 0 ? rounded : number).description
    }
}
