internal import Postgres

/// The result of putting a session.
package enum SessionOutcome: Sendable {
    /// It is new.
    case made(SessionRecord)
    /// It existed; its configuration is the given one.
    case kept(SessionRecord)
    /// It is being invalidated, and its configuration is unchanged.
    case closing(SessionRecord)
    /// It has another kind, which cannot change.
    case otherKind(SessionRecord)
    /// The caller's condition does not hold for the session, nil if there is none.
    case refused(SessionRecord?)

    /// The session's present state.
    package var record: SessionRecord? {
        switch self {
        case .made(let record), .kept(let record): record
        case .closing(let record), .otherKind(let record): record
        case .refused(let record): record
        }
    }
}
