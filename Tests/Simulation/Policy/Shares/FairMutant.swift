/// A fault in shares, or in a replica's knowledge of lanes, between the world and the engine.
package enum FairMutant: String, CaseIterable, Sendable {
    /// All apps, or all sessions, count as one.
    case ignoresApps, ignoresSessions
    /// An origin gets no turn while another one of its session waits.
    case servesOldOriginsFirst
    /// Hints are dropped while all slots are taken.
    case ignoresHintsWhileFull
    /// A look does not return the changes since the last one.
    case forgetsChanges
    /// Only the first page of a backlog is read.
    case readsOnePage
    /// A new replica knows only what arrives after its start.
    case beginsWithWhatComes
    /// An app may take every slot although others wait.
    case givesAllSlotsToOneApp
}
