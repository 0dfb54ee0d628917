/// A name that is no event's.
package struct UnknownEventName: Error, Equatable, Sendable {
    /// The name as given.
    package let name: String
}
