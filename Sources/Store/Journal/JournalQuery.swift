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
    /// The types of events; empty for all.
    package var types: Set<EventType>

    /// Whether most events may be skipped.
    var isPart: Bool {
        switch scope {
        case .app(_, let session): session != nil || !types.isEmpty
        case .download: false
        }
    }

    /// Creates a value with both members.
    package init(scope: Scope, types: Set<EventType> = []) {
        self.scope = scope
        self.types = types
    }
}
