package import Core
internal import Postgres

/// What a reader of the journal wants.
package struct JournalQuery: Sendable {
    /// The app's number.
    package enum Scope: Sendable, Hashable {
        /// Those of an app, or of one of its sessions.
        case app(Int64, session: String?)
        /// Those of one download.
        case download(Identifier)
    }

    /// The app's number.
    package var scope: Scope
    /// Of which types; empty for all.
    package var types: Set<EventType>

    /// Whether most events may be others.
    var isPart: Bool {
        switch scope {
        case .app(_, let session): session != nil || !types.isEmpty
        case .download: false
        }
    }

    /// Names both.
    package init(scope: Scope, types: Set<EventType> = []) {
        self.scope = scope
        self.types = types
    }
}
