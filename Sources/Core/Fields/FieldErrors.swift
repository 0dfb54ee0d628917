// All that is wrong with a document, as far as it is listed.

/// Findings: the first hundred, and how many there are besides.
package struct FieldErrors: Error, Equatable, Sendable {
    /// How many findings are kept.
    package static let listedAtMost = 100

    /// Those that are kept.
    package private(set) var list: [FieldError] = []
    /// How many findings there are besides those that are kept.
    package private(set) var omitted = 0

    /// None.
    package init() {}

    /// Takes findings in their order.
    package init(_ list: some Sequence<FieldError>) {
        for finding in list { append(finding) }
    }

    /// How many there are, those that are not kept included.
    package var total: Int { list.count + omitted }

    /// Whether one more would be kept.
    package var hasRoom: Bool { list.count < FieldErrors.listedAtMost }

    /// Adds a finding.
    package mutating func append(_ finding: FieldError) {
        guard hasRoom else { return omit(1) }
        WorkMeter.add(1)
        list.append(finding)
    }

    /// Adds others behind these.
    package mutating func append(contentsOf others: FieldErrors) {
        for finding in others { append(finding) }
        omitted += others.omitted
    }

    /// Adds findings that were counted and not made.
    package mutating func omit(_ count: Int) {
        WorkMeter.add(1)
        omitted += count
    }
}

extension FieldErrors: RandomAccessCollection {
    /// The first of those that are kept.
    package var startIndex: Int { list.startIndex }
    /// The end of those that are kept.
    package var endIndex: Int { list.endIndex }
    /// One of those that are kept.
    package subscript(position: Int) -> FieldError { list[position] }
}

extension FieldErrors: ExpressibleByArrayLiteral {
    /// These.
    package init(arrayLiteral elements: FieldError...) { self.init(elements) }
}
