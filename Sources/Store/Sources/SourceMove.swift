/// The result of a change of a source that exists.
package enum SourceMove: Sendable {
    /// It was done.
    case done(SourceRecord)
    /// The caller's condition does not hold for it.
    case refused(SourceRecord)
    /// The app has no such source.
    case notFound
}
