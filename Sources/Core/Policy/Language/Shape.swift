// What a document may look like: the one table from which it is judged and described.

/// The form of a JSON value.
///
/// `ShapeCheck` judges a document by it, `Shape+Schema` writes it as JSON Schema, and the words
/// that it names are those that a misspelt one is compared with.
package indirect enum Shape: Sendable {
    /// True or false.
    case flag
    /// A whole number in a range.
    case integer(ClosedRange<Int64>)
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// One of some words.
    case word([String])
    /// A text of a form.
    case text(TextForm)
    /// A list of so many values.
    case list(Shape, count: ClosedRange<Int>)
    /// Named members, some of which are needed.
    case object([ShapeMember])
    /// Values by names that the author chooses: at most so many, with names of a form.
    case map(Shape, names: TextForm, atMost: Int)
    /// Any of several, which differ in their kinds of JSON value.
    case any([Shape])

    /// What it is, in words for the author of a document.
    var phrase: String {
        switch self {
        case .flag: "true or false"
        case .integer(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .word(let words): "one of " + words.joined(separator: ", ")
        case .text(let form): form.phrase
        case .list(let item, let count):
            "a list of \(count.lowerBound) to \(count.upperBound) values, each \(item.phrase)"
        case .object(let members):
            "an object with " + members.map(\.name).joined(separator: ", ")
        case .map(let value, _, let atMost):
            "an object of at most \(atMost) values by name, each \(value.phrase)"
        case .any(let shapes): shapes.map(\.phrase).joined(separator: ", or ")
        }
    }
}
