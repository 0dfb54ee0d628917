// Readers of new events, whose sessions are not woken for events that were written to them.
internal import Platform
internal import Synchronization

/// The streams and long polls of this process, which it tells other replicas about.
final class EventReaders: Sendable {
    /// The values that readers share.
    struct Scope: Hashable {
        let app: Int64
        /// The session; nil for all.
        let session: String?
        /// The types of events that they read, as bits.
        let mask: Int64
    }

    struct Group {
        var open = 0
        var place = JournalPosition(transaction: 0, number: 0)
        /// The time at which the row was written, by the boot clock in nanoseconds.
        var writtenAt: Int64?
        /// Whether the row has an older place.
        var isBehind = false
    }

    /// A number that distinguishes the rows of this process from those of others.
    let process: Int64
    private let groups = Mutex<[Scope: Group]>([:])

    init() {
        var random = SystemRandomNumberGenerator()
        process = Int64.random(in: 1...Int64.max, using: &random)
    }

    /// Changes the readers of a scope; returns the place to write, nil for none.
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
