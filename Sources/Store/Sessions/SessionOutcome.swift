internal import Core
internal import Postgres

/// What came of putting a session.
package enum SessionOutcome: Sendable {
    /// It is new.
    case made(SessionRecord)
    /// It was there; its configuration is the given one.
    case kept(SessionRecord)
    /// It is being invalidated, and its configuration stays.
    case closing(SessionRecord)
    /// It is of another kind, which never changes.
    case otherKind(SessionRecord)
    /// The caller's condition does not hold for the session as it is, nil if there is none.
    case refused(SessionRecord?)

    /// The session as it is now.
    package var record: SessionRecord? {
        switch self {
        case .made(let record), .kept(let record): record
        case .closing(let record), .otherKind(let record): record
        case .refused(let record): record
        }
    }
}
