// What a reader of the journal gets.
internal import Core
internal import Postgres

/// Some events in a row.
package struct JournalPage: Sendable {
    /// In the order of the journal, or of one download's changes.
    package let events: [JournalEvent]
    /// If events behind the reader's place are no longer kept: the place behind the last of them.
    package let gap: JournalPosition?
    /// Where to go on if only a part was looked at, because few events fit; nil if all was.
    package let resumption: JournalPosition?

    /// Names all of it.
    package init(
        events: [JournalEvent], gap: JournalPosition?, resumption: JournalPosition? = nil
    ) {
        self.events = events
        self.gap = gap
        self.resumption = resumption
    }
}
