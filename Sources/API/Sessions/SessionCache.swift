// A cache of sessions, so that a create needs no query for its session.
internal import Base
internal import Store
internal import Synchronization

/// A bounded cache of sessions.
///
/// A configuration that another replica changed is seen after ``lifetime`` at the latest; a
/// download keeps the version of its creation.
final class SessionCache: Sendable {
    /// The time for which an entry is valid.
    static let lifetime = Duration.seconds(2)
    /// The most entries.
    static let entriesAtMost = 4096

    private struct Key: Hashable {
        let app: Int64
        let identifier: String
    }

    private struct Entry {
        let record: SessionRecord
        let readAt: Timestamp
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// Rises with every change that this process makes.
        var changes: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The session, if it was read a moment ago.
    func find(app: Int64, identifier: String, now: Timestamp) -> SessionRecord? {
        state.withLock { state in
            guard let entry = state.entries[Key(app: app, identifier: identifier)],
                entry.readAt <= now, now < entry.readAt + SessionCache.lifetime
            else { return nil }
            return entry.record
        }
    }

    /// The number of changes so far; taken before a session is read.
    var changes: UInt64 { state.withLock { $0.changes } }

    /// Keeps a session, unless one was changed since `changes` was taken.
    func keep(_ record: SessionRecord, app: Int64, readAt: Timestamp, changes: UInt64) {
        state.withLock { state in
            guard state.changes == changes else { return }
            if state.entries.count >= SessionCache.entriesAtMost { state.entries = [:] }
            state.entries[Key(app: app, identifier: record.identifier)] = Entry(
                record: record, readAt: readAt)
        }
    }

    /// Forgets a session that is being changed; called after the change is durable.
    func forget(app: Int64, identifier: String) {
        state.withLock { state in
            state.changes += 1
            state.entries[Key(app: app, identifier: identifier)] = nil
        }
    }
}
