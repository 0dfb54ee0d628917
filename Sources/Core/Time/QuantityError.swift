/// Why a text is not a quantity, in words for its author.
package struct QuantityError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong and what is allowed.
    package let description: String

    init(_ description: String) { self.description = description }
}
