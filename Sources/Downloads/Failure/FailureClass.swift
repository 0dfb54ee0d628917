/// The party that has to act on a failure.
package enum FailureClass: String, Sendable, MemberValue {
    /// The network between Lull and the origin; tried again.
    case network
    /// The origin asked for time; tried again.
    case pushback
    /// The origin refused.
    case server
    /// The request can never succeed.
    case permanent
    /// The client has to act.
    case attention
    /// A fault of Lull itself.
    case `internal`
}
