/// The news that the last place of a gate was taken, or one became free.
package struct GateChange: Equatable, Sendable {
    /// A limited thing, as the history of waits names it.
    package enum Thing: Hashable, Sendable {
        /// An app by its name.
        case app(String)
        /// A session by its number.
        case session(Int64)
        /// An origin by its number.
        case origin(Int64)
        /// The connections of a session to an origin, by their numbers.
        case connections(session: Int64, origin: Int64)
    }

    /// The limited thing.
    package let thing: Thing
    /// Whether all places are taken.
    package let isFull: Bool

    /// Creates a value with both members.
    package init(thing: Thing, isFull: Bool) {
        self.thing = thing
        self.isFull = isFull
    }
}
