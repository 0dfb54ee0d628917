package import Base
package import Downloads
internal import Postgres

/// The selection of a reader of the journal.
package struct JournalQuery: Sendable {
    /// The events to read.
    package enum Scope: Sendable, Hashable {
        /// The events of an app, or of one of its sessions.
        case app(Int64, session: String?)
        /// The events of one download.
        case download(Identifier)
    }

    /// The events to read.
    package var scope: Scope
    /// The events by their types.
    package var events: EventSet

    /// Whether most events may be skipped.
    var isPart: Bool {
        switch scope {
        case .app(_, let session): session != nil || events != .all
        case .download: false
        }
    }

    /// Creates a value with both members.
    package init(scope: Scope, events: EventSet = .all) {
        self.scope = scope
        self.events = events
    }
}
