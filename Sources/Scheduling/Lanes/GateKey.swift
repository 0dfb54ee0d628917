/// The key of a gate: a thing that has a limit of running downloads.
package enum GateKey: Hashable, Comparable, Sendable {
    /// An origin by its number.
    case origin(Int64)
    /// A session by its number.
    case session(Int64)
    /// An app by its number.
    case app(Int64)
    /// The connections of a session to an origin, by their numbers.
    case connections(session: Int64, origin: Int64)
    /// All replicas together.
    case deployment
}
