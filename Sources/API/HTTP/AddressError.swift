/// The reason why a setting with an address of the service or of a web page cannot be used, one
/// sentence.
package struct AddressError: Error, CustomStringConvertible, Equatable {
    /// The reason, one sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
