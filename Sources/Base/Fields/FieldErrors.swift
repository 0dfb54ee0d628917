// The errors of one document, in a bounded list.

/// A list of errors: the first hundred, and the number of further ones.
package struct FieldErrors: Error, Equatable, Sendable {
    /// The most errors that are kept.
    package static let listedAtMost = 100

    /// The errors that are kept.
    package private(set) var list: [FieldError] = []
    /// The number of errors beyond those in the list.
    package private(set) var omitted = 0

    /// Creates a list without errors.
    package init() {}

    /// Creates a list from errors in their order.
    package init(_ list: some Sequence<FieldError>) {
        for finding in list { append(finding) }
    }

    /// The number of all errors, those that are not in the list included.
    package var total: Int { list.count + omitted }

    /// Whether a further error would be kept.
    package var hasRoom: Bool { list.count < FieldErrors.listedAtMost }

    /// Adds a finding.
    package mutating func append(_ finding: FieldError) {
        guard hasRoom else { return omit(1) }
        WorkMeter.add(1)
        list.append(finding)
    }

    /// Appends the errors of another list.
    package mutating func append(contentsOf others: FieldErrors) {
        for finding in others { append(finding) }
        omitted += others.omitted
    }

    /// Counts errors that were not created.
    package mutating func omit(_ count: Int) {
        WorkMeter.add(1)
        omitted += count
    }
}

extension FieldErrors: RandomAccessCollection {
    /// The index of the first error in the list.
    package var startIndex: Int { list.startIndex }
    /// The end of the list.
    package var endIndex: Int { list.endIndex }
    /// An error of the list.
    package subscript(position: Int) -> FieldError { list[position] }
}

extension FieldErrors: ExpressibleByArrayLiteral {
    /// Creates a list from a literal.
    package init(arrayLiteral elements: FieldError...) { self.init(elements) }
}
