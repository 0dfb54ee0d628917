// The answer to a reader of the journal.
internal import Postgres

/// Consecutive events.
package struct JournalPage: Sendable {
    /// The events in the order of the journal, or of one download's changes.
    package let events: [JournalEvent]
    /// If events behind the reader's place are no longer kept: the place behind the last removed
    /// one.
    package let gap: JournalPosition?
    /// The position at which to continue if only a part was looked at, because few events match;
    /// nil if all were.
    package let resumption: JournalPosition?

    /// Creates a value with all its members.
    package init(
        events: [JournalEvent], gap: JournalPosition?, resumption: JournalPosition? = nil
    ) {
        self.events = events
        self.gap = gap
        self.resumption = resumption
    }
}
