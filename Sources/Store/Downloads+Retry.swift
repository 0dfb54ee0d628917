// A download that ended without its file begins another life under its old name.
internal import Core
internal import Postgres

extension Downloads {
    /// Puts a download that failed or was canceled back into the queue, with all of its time.
    ///
    /// Its event is left to the caller. Its fence rises above that of every attempt before, so
    /// that no late writer of an earlier life can be taken for one of this.
    static func revive(
        _ record: inout DownloadRecord, in transaction: Transaction
    ) async throws(PostgresError) {
        let id = UUIDValue(record.download.id)
        try await materializeEvents(of: id, in: transaction)
        let row = try await transaction.query(
            "SELECT session_no, origin_key FROM downloads WHERE id = $1", [id])[0]
        let session = try row.get(0, as: Int64.self)
        let origin = try row.get(1, as: Int64.self)
        let rank = LaneHead.rank(priority: record.download.priority)
        let spec = record.download.spec
        let lane = StableHash.lane(
            session: session, origin: origin,
            class: record.download.schedulingClass.rawValue, rank: rank)
        _ = try await transaction.query(
            """
            INSERT INTO gates (kind, key) VALUES (1, $1), (2, $2) ON CONFLICT DO NOTHING
            """, [origin, session])
        _ = try await transaction.query(
            """
            INSERT INTO queue (id, lane, run_at, session_no, origin_key, state_since, deadline,
                life_since, expected_bytes, fence, attempt, sequence, class, rank, webhook_url,
                webhook_events)
            SELECT id, $2, greatest(t, earliest_begin_at), session_no, origin_key, t,
                greatest(t, earliest_begin_at) + $3::bigint * interval '1 second', t,
                expected_bytes,
                coalesce((SELECT max(a.fence) FROM attempts a WHERE a.id = d.id), 0) + 1,
                attempts, sequence + 1, class, $4, $5, $6
            FROM downloads d, LATERAL (
                SELECT greatest(clock_timestamp(), d.finished_at) AS t) c
            WHERE id = $1
            """, [id, lane, spec.resourceTimeout, rank, spec.webhookURL, spec.hookMask])
        _ = try await transaction.query(
            """
            UPDATE downloads SET state = lull_end_state('live'), finished_at = NULL, bytes = 0,
                result = NULL
            WHERE id = $1
            """, [id])
        record = try DownloadRecord(try await transaction.query(reread, [id])[0])
    }
}
