// The shapes of documents: the one table from which they are checked and described.

/// The form of a JSON value.
///
/// `ShapeCheck` checks a document by it, `Shape+Schema` writes it as JSON Schema, and misspelt
/// words are compared with those that it names.
package indirect enum Shape: Sendable {
    /// A boolean.
    case flag
    /// A whole number in a range.
    case integer(ClosedRange<Int64>)
    /// A number in a range.
    case number(ClosedRange<Double>)
    /// One of the listed words.
    case word([String])
    /// A text of one form.
    case text(TextForm)
    /// A list with a number of values in a range.
    case list(Shape, count: ClosedRange<Int>)
    /// An object with named members, some of which are required.
    case object([ShapeMember])
    /// An object whose names are chosen by the author: at most `atMost` of them, each of one form.
    case map(Shape, names: TextForm, atMost: Int)
    /// One of several shapes, which differ in their kinds of JSON value.
    case any([Shape])

    /// A description for the author of a document.
    var phrase: String {
        switch self {
        case .flag: "true or false"
        case .integer(let range):
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .word(let words): "one of " + words.joined(separator: ", ")
        case .text(let form): form.phrase
        case .list(let item, let count):
            "a list of \(count.lowerBound) to \(count.upperBound) values, each of them "
                + "\(item.phrase)"
        case .object(let members):
            "an object with " + members.map(\.name).joined(separator: ", ")
        case .map(let value, _, let atMost):
            "an object of at most \(atMost) values by name, each of them \(value.phrase)"
        case .any(let shapes): shapes.map(\.phrase).joined(separator: ", or ")
        }
    }
}
