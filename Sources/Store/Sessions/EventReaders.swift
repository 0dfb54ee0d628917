// Who reads the journal as it grows: their sessions are not woken for what was written to them.
internal import Core
internal import Platform
internal import Synchronization

/// The streams and long polls of this process, as other replicas are to know of them.
final class EventReaders: Sendable {
    /// What readers have in common.
    struct Scope: Hashable {
        let app: Int64
        /// nil for all sessions.
        let session: String?
        /// The types that they admit, as bits.
        let mask: Int32
    }

    struct Group {
        var open = 0
        var place = JournalPosition(transaction: 0, number: 0)
        /// When the row was written, by the boot clock.
        var writtenAt: Int64?
        /// Whether the row has an older place.
        var isBehind = false
    }

    /// Tells the rows of one process from those of others.
    let process: Int64
    private let groups = Mutex<[Scope: Group]>([:])

    init() {
        var random = SystemRandomNumberGenerator()
        process = Int64.random(in: 1...Int64.max, using: &random)
    }

    /// Changes what is known of readers; answers what is to be written, nil for nothing.
    func change(_ scope: Scope, _ body: (inout Group) -> Bool) -> JournalPosition? {
        groups.withLock { groups in
            var group = groups[scope] ?? Group()
            let isWritten = body(&group)
            if isWritten {
                group.writtenAt = SystemClock.bootNanoseconds()
                group.isBehind = false
            }
            groups[scope] = group.open > 0 ? group : nil
            return isWritten ? group.place : nil
        }
    }
}
