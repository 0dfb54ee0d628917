/// The reason why a text is not a quantity, in words for its author.
package struct QuantityError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The fault and the allowed form, in one sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
