/// A fault of shares, or of what a replica learns of lanes, between the world and the engine.
package enum FairMutant: String, CaseIterable, Sendable {
    /// Apps, or sessions, are taken for one.
    case ignoresApps, ignoresSessions
    /// An origin gets nothing while another one of its session waits.
    case servesOldOriginsFirst
    /// Nothing is told of what comes while all slots are taken.
    case ignoresHintsWhileFull
    /// A look does not bring what came since the one before.
    case forgetsChanges
    /// A backlog is read to the end of its first page only.
    case readsOnePage
    /// A replica that begins knows nothing of what waits already.
    case beginsWithWhatComes
    /// An app may take every slot though others wait.
    case givesAllSlotsToOneApp
}
