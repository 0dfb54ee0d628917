/// The result of creating a trigger.
package enum TriggerOutcome: Sendable {
    /// It was done.
    case made(TriggerRecord)
    /// The app has no such source.
    case noSource
    /// The source has as many triggers as it may have.
    case tooMany
}
