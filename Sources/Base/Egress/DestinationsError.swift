/// The error in a list of destinations.
package struct DestinationsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The entry as it was written.
    package let entry: String
    /// A sentence that says what to change.
    package let description: String
}
