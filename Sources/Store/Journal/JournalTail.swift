// Tells readers of the journal that there are new events, without a question of each to the
// database.
internal import Platform
internal import Postgres
internal import Synchronization

/// The end of the journal as this process knows it.
///
/// One reader at a time looks, for all; the cost does not depend on the number of events.
final class JournalTail: Sendable {
    /// The result of a look.
    struct TailReading: Sendable {
        /// The number of event numbers that were given.
        var given: Int64
        /// The oldest running transaction.
        var oldest: UInt64
        /// The next transaction's number.
        var next: UInt64
    }

    private struct State {
        /// Rises when there may be more to read.
        var version: UInt64 = 0
        var given: Int64 = -1
        /// Whether some events may not be readable yet.
        var isUnsettled = false
        /// The oldest running transaction from which on all of them are readable.
        var settles: UInt64?
        var lookedAt = Int64.min
        var isLooking = false
    }

    /// The interval at which the journal is read while a task waits, in nanoseconds.
    private static let pause: Int64 = 200_000_000

    private let state = Mutex(State())

    /// Rises when there may be more to read; taken before reading.
    var version: UInt64 { state.withLock { $0.version } }

    /// Reads the end of the journal, unless it was read a moment ago.
    func look(_ pool: ConnectionPool) async throws(StoreError) {
        let now = SystemClock.bootNanoseconds()
        let isMine = state.withLock { state in
            guard !state.isLooking, now - JournalTail.pause >= state.lookedAt else { return false }
            state.isLooking = true
            return true
        }
        guard isMine else { return }
        let reading: Result<TailReading, StoreError>
        do throws(StoreError) {
            reading = .success(try await JournalTail.read(pool))
        } catch {
            reading = .failure(error)
        }
        state.withLock { state in
            state.isLooking = false
            state.lookedAt = SystemClock.bootNanoseconds()
            if case .success(let reading) = reading { JournalTail.apply(reading, &state) }
        }
        _ = try reading.get()
    }

    /// Takes the result of a look.
    ///
    /// A number is given before its transaction is visible, so the transactions that may have
    /// events are counted only at the next look without a new number.
    private static func apply(_ reading: TailReading, _ state: inout State) {
        if reading.given != state.given {
            state.given = reading.given
            state.isUnsettled = true
            state.settles = nil
            state.version += 1
        } else if state.isUnsettled {
            state.version += 1
            let settles = state.settles ?? reading.next
            state.settles = settles
            state.isUnsettled = reading.oldest < settles
        }
    }

    private static func read(_ pool: ConnectionPool) async throws(StoreError) -> TailReading {
        let (given, oldest, next) = try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                SELECT s.last_value + s.is_called::int, pg_snapshot_xmin(n.now)::text,
                    pg_snapshot_xmax(n.now)::text
                FROM events_journal_no_seq s, (SELECT pg_current_snapshot() AS now) n
                """)[0].values() as (Int64, String, String)
        }
        guard let oldest = UInt64(oldest), let next = UInt64(next) else {
            throw StoreError(.refused, "a transaction identifier is not a number")
        }
        return TailReading(given: given, oldest: oldest, next: next)
    }
}
