/// What is wrong with a list of destinations.
package struct DestinationsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The entry as it was written.
    package let entry: String
    /// One sentence: what to change.
    package let description: String
}
