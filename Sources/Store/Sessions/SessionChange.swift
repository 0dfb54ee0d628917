package import Core

/// What came of a change of a session's life.
package enum SessionChange: Sendable {
    /// The session as it is now, and the runs that have to be ordered to stop.
    case done(SessionRecord, stopping: [Identifier])
    /// The app has none of that name.
    case notFound
    /// The caller's condition does not hold.
    case refused(SessionRecord)
    /// It has live downloads.
    case notEmpty(SessionRecord)
    /// It is over, or about to be.
    case closing(SessionRecord)
}
