// The gate of the queue against the end of a session at one moment.
import Downloads
import Postgres
import Synchronization
import Testing

@testable import Store

@Suite struct QueueGateTests {
    private final class End: Sendable {
        let isReached = Mutex(false)
    }

    /// Whether another connection to the database waits for an advisory lock.
    private func isWaited(_ transaction: Transaction) async throws(PostgresError) -> Bool {
        try await transaction.query(
            """
            SELECT count(*) > 0 FROM pg_locks, pg_sleep(0.01) WHERE locktype = 'advisory'
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND NOT granted
            """)[0].get(0)
    }

    /// The look at the session and the return into the queue are one step: no end comes between.
    @Test(arguments: [SessionState.invalidating, .invalidated])
    func aRetryWaitsForTheEndOfItsSessionAndSeesIt(_ state: SessionState) async throws {
        try await StoreLab.with { lab in
            let world = try await SessionLab(lab)
            let session = try await world.put("a")
            let id = try await lab.submit(1, session: session)[0]
            _ = try await lab.downloads.perform(.cancel, on: id, app: 1)
            let end = End()
            let retry = try await lab.pool.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query(
                    """
                    WITH held AS (SELECT pg_advisory_xact_lock(5499, lull_session_lock($1)))
                    UPDATE sessions SET state = $2 FROM held WHERE session_no = $1
                    """, [session, state.rawValue])
                let retry = Task {
                    defer { end.isReached.withLock { $0 = true } }
                    return try await lab.downloads.perform(.retry, on: id, app: 1)
                }
                // The retry waits for the lock, or is through without it.
                while !end.isReached.withLock({ $0 }) {
                    if try await isWaited(transaction) { break }
                }
                return retry
            }
            guard case .sessionClosed("a", let seen) = try await retry.value else {
                Issue.record("retried in a session that had ended")
                return
            }
            #expect(seen == state)
            #expect(try await lab.state(of: id) == .canceled)
        }
    }
}
