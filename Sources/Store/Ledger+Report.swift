// How far running downloads are: written for everybody who asks, and an event where one is wanted.
package import Core
internal import Postgres

/// How far a running download is.
package struct RunProgress: Sendable {
    /// The download as it is now.
    package var download: Download
    /// The attempt's fence.
    package var fence: Int64
    /// When it was measured; not before an earlier event of the run.
    package var at: Timestamp
    /// Where a later attempt may go on, if the bytes are synced.
    package var resume: ResumePoint?
    /// Whether to write a progress event; then the download's sequence is that of the event.
    package var isTold: Bool

    /// Names all of it.
    package init(
        download: Download, fence: Int64, at: Timestamp, resume: ResumePoint?, isTold: Bool
    ) {
        self.download = download
        self.fence = fence
        self.at = at
        self.resume = resume
        self.isTold = isTold
    }
}

extension Ledger {
    /// Writes how far running downloads are, and the progress events that were asked for.
    ///
    /// - Returns: those whose fence still held.
    package func report(_ runs: [RunProgress]) async throws(StoreError) -> Set<Identifier> {
        let (accepted, changed) = try await write(runs)
        if !changed.isEmpty {
            // Clients have changed them meanwhile: the event shows what holds now. One that is
            // changed once more has another progress event soon.
            let now = try await current(changed)
            let again = runs.compactMap { run -> RunProgress? in
                guard run.isTold, let download = now[run.download.id] else { return nil }
                var run = run
                run.download.take(download)
                run.download.sequence = download.sequence + 1
                return run
            }
            _ = try await write(again)
        }
        changes.changed(accepted)
        return accepted
    }

    /// When the time of a running download is over; nil if the fence does not hold any more.
    package func deadline(
        of id: Identifier, fence: Int64
    ) async throws(StoreError) -> Timestamp? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT deadline FROM queue WHERE id = $1 AND fence = $2 AND replica_no = $3
                """, [UUIDValue(id), fence, replica])
            return try rows.first?.get(0, as: TimestampValue.self).timestamp
        }
    }

    /// - Returns: those whose fence held, and those of them whose event was not written because a
    ///   client has changed the download.
    private func write(
        _ runs: [RunProgress]
    ) async throws(StoreError) -> (accepted: Set<Identifier>, changed: Set<Identifier>) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                Ledger.progressStatement,
                [
                    replica, runs.map { UUIDValue($0.download.id) }, runs.map(\.fence),
                    runs.map(\.download.bytesReceived), runs.map(\.download.bytesTotal),
                    runs.map { $0.resume.map { JSONText(JSON.object($0.json).text) } },
                    runs.map { $0.isTold ? $0.download.eventData() : nil },
                    runs.map { Int32($0.download.sequence) },
                    runs.map(\.download.bytesPerSecond), runs.map { TimestampValue($0.at) },
                ])
            var accepted: Set<Identifier> = []
            var changed: Set<Identifier> = []
            for row in rows {
                let id = try row.get(0, as: UUIDValue.self).identifier
                accepted.insert(id)
                if try row.get(1, as: Bool.self) { changed.insert(id) }
            }
            return (accepted, changed)
        }
    }

    private static let progressStatement = """
        WITH i AS MATERIALIZED (
            SELECT * FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[],
                $6::jsonb[], $7::text[], $8::int[], $9::bigint[], $10::timestamptz[])
            u(id, fence, bytes, total, resume, payload, sequence, speed, at)),
        o AS MATERIALIZED (
            SELECT i.*, i.payload IS NOT NULL AND i.sequence = q.sequence + 1 AS is_told
            FROM queue q JOIN i ON i.id = q.id
            -- A row with a replica is running; see lull_finish for why that is not said.
            WHERE q.fence = i.fence AND q.replica_no = $1 ORDER BY q.id FOR UPDATE OF q),
        w AS (
            UPDATE queue q SET bytes = i.bytes,
                total_bytes = coalesce(i.total, q.total_bytes),
                resume = coalesce(i.resume, q.resume),
                bytes_per_second = i.speed,
                measured_at = greatest(i.at, q.state_since, q.measured_at),
                sequence = CASE WHEN i.is_told THEN i.sequence ELSE q.sequence END
            FROM o i WHERE q.id = i.id
            RETURNING q.id, q.session_no, q.attempt, q.webhook_url, q.webhook_events,
                i.sequence, i.payload, i.is_told, q.measured_at AS at),
        e AS (
            INSERT INTO events (at, session_no, download_id, type, sequence, attempt, payload)
            SELECT at, session_no, w.id, 4, sequence, attempt, payload FROM w
            WHERE is_told RETURNING events.id, download_id, at),
        t AS (
            INSERT INTO deliveries (event_id, download_id, session_no, type, at, sequence,
                event_attempt, lane, url, body)
            SELECT e.id, w.id, w.session_no, 4, e.at, w.sequence, w.attempt,
                lull_receiver(w.webhook_url), w.webhook_url, w.payload
            FROM e JOIN w ON w.id = e.download_id
            WHERE w.webhook_url IS NOT NULL AND (w.webhook_events & (1 << 4)) <> 0)
        SELECT id, payload IS NOT NULL AND NOT is_told FROM w
        """
}
