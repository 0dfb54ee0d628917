package import Base

/// The result of a change in a session's life.
package enum SessionChange: Sendable {
    /// The session's present state, and the runs that have to be ordered to stop.
    case done(SessionRecord, stopping: [Identifier])
    /// The app has no session with this name.
    case notFound
    /// The caller's condition does not hold.
    case refused(SessionRecord)
    /// It has live downloads.
    case notEmpty(SessionRecord)
    /// It has ended, or is about to.
    case closing(SessionRecord)
}
