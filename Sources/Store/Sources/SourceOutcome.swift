/// The result of putting a source.
package enum SourceOutcome: Sendable {
    /// It is new.
    case made(SourceRecord)
    /// It existed; its document is the given one.
    case kept(SourceRecord)
    /// The caller's condition does not hold for it, nil if there is none.
    case refused(SourceRecord?)
    /// It existed, and is of another kind, which cannot change.
    case otherKind(SourceRecord)
    /// The app has as many sources as it may have.
    case tooMany
}
