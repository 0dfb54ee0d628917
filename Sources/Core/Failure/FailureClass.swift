/// Who has to act on a failure.
package enum FailureClass: String, Sendable, MemberValue {
    /// The way to the origin; tried again.
    case network
    /// The origin asked for time; tried again.
    case pushback
    /// The origin refused.
    case server
    /// It can never work as asked.
    case permanent
    /// The client has to act.
    case attention
    /// Lull itself.
    case `internal`
}
