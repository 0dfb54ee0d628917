/// An error: no event has this name.
package struct UnknownEventName: Error, Equatable, Sendable {
    /// The name as given.
    package let name: String
}
