// Recording: outcome, attempt, event and outbox in one transaction, guarded by the fence.
package import Core
internal import Postgres

/// How an attempt ended, for the record.
package struct FinishedRun: Sendable {
    /// What becomes of the download; the raw value is the number in the store.
    package enum Outcome: Int16, Sendable {
        /// The file is published.
        case succeeded = 1
        /// It is over.
        case failed = 2
        /// It waits for another attempt.
        case retry = 3
        /// The client canceled it.
        case canceled = 4
        /// The client suspended it.
        case suspended = 5
        /// The client has to act.
        case attentionRequired = 6
    }

    /// The download as it is after this.
    package var download: Download
    /// The attempt's fence.
    package var fence: Int64
    /// What becomes of it.
    package var outcome: Outcome
    /// The event that tells it.
    package var event: EventType
    /// When.
    package var at: Timestamp
    /// When the next attempt may begin.
    package var runAt: Timestamp?
    /// Nobody asks this origin before.
    package var coolOrigin: Timestamp?
    /// Attempts without progress, this one included.
    package var barren: Int
    /// Where a later attempt may go on.
    package var resume: ResumePoint?
    /// The origin of the mirror that is next, nil without mirrors.
    ///
    /// `scheme://host:port`; its gate was made when the download came in.
    package var nextOrigin: String?
    /// The code of the failure for which another mirror is asked at once.
    package var switchCode: String?
    /// Its file, if it has one now.
    package var content: KeptContent?
    /// Whether the request may have done its work, so that nobody sends it again.
    package var wasSent = false
    /// What the attempt's record keeps beside its times.
    package var detail: JSONObject
    /// The keys of the gates that it held.
    package var originKey: Int64
    /// The session's key.
    package var sessionKey: Int64

    /// What every end of a claimed download has.
    package init(
        _ claimed: ClaimedDownload, outcome: Outcome, event: EventType, at: Timestamp
    ) {
        download = claimed.download
        fence = claimed.fence
        self.outcome = outcome
        self.event = event
        self.at = at
        barren = claimed.barren
        resume = nil
        content = nil
        detail = JSONObject()
        originKey = claimed.originKey
        sessionKey = claimed.sessionKey
    }
}

/// How far a running download is.
package struct RunProgress: Sendable {
    /// The download as it is now.
    package var download: Download
    /// The attempt's fence.
    package var fence: Int64
    /// Where a later attempt may go on, if the bytes are synced.
    package var resume: ResumePoint?
    /// Whether to write a progress event.
    package var isTold: Bool

    /// Names all of it.
    package init(download: Download, fence: Int64, resume: ResumePoint?, isTold: Bool) {
        self.download = download
        self.fence = fence
        self.resume = resume
        self.isTold = isTold
    }
}

extension Ledger {
    /// Records ends.
    ///
    /// - Parameter runs: ends of different downloads.
    /// - Returns: those whose fence still held; the others are another's work now.
    /// - Throws: `unavailable`, after which the outcome may be unknown, or `refused`.
    package func finish(_ runs: [FinishedRun]) async throws(StoreError) -> Set<Identifier> {
        let parameters = FinishColumns(runs: runs, replica: replica).parameters
        let finish = Statement(FinishColumns.statement, parameters)
        let erase = Ledger.erasing(runs)
        let accepted = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(batch: [finish] + erase)[0]
            var accepted: Set<Identifier> = []
            for row in rows { accepted.insert(try row.get(0, as: UUIDValue.self).identifier) }
            return accepted
        }
        changes.changed(accepted)
        return accepted
    }

    /// Writes at once where a later attempt may go on; nil for nowhere.
    ///
    /// - Returns: whether the fence still held.
    package func remember(
        _ point: ResumePoint?, for id: Identifier, fence: Int64
    ) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                UPDATE queue SET resume = $4 WHERE id = $1 AND fence = $2 AND state = 1
                    AND replica_no = $3 RETURNING 1
                """,
                [
                    UUIDValue(id), fence, replica,
                    point.map { JSONText(JSON.object($0.json).text) },
                ])
            return !rows.isEmpty
        }
    }

    /// Writes how far running downloads are, and the progress events that were asked for.
    ///
    /// - Returns: those whose fence still held.
    package func report(_ runs: [RunProgress]) async throws(StoreError) -> Set<Identifier> {
        let accepted = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH i AS MATERIALIZED (
                    SELECT * FROM unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[],
                        $6::jsonb[], $7::text[], $8::int[])
                    u(id, fence, bytes, total, resume, payload, sequence)),
                w AS (
                    UPDATE queue q SET bytes = i.bytes,
                        total_bytes = coalesce(i.total, q.total_bytes),
                        resume = coalesce(i.resume, q.resume),
                        sequence = greatest(q.sequence, i.sequence)
                    -- A row with a replica is running; see lull_finish for why that is not said.
                    FROM i WHERE q.id = i.id AND q.fence = i.fence AND q.replica_no = $1
                    RETURNING q.id, q.session_no, q.attempt, q.webhook_url, q.webhook_events,
                        i.sequence,
                        i.payload),
                e AS (
                    INSERT INTO events (at, session_no, download_id, type, sequence, attempt,
                        payload)
                    SELECT now(), session_no, w.id, 4, sequence, attempt, payload FROM w
                    WHERE payload IS NOT NULL RETURNING events.id, download_id, at),
                t AS (
                    INSERT INTO deliveries (event_id, download_id, type, at, sequence,
                        event_attempt, lane, url, body)
                    SELECT e.id, w.id, 4, e.at, w.sequence, w.attempt, lull_receiver(w.webhook_url),
                        w.webhook_url, w.payload
                    FROM e JOIN w ON w.id = e.download_id
                    WHERE w.webhook_url IS NOT NULL AND (w.webhook_events & (1 << 4)) <> 0)
                SELECT id FROM w
                """,
                [
                    replica, runs.map { UUIDValue($0.download.id) }, runs.map(\.fence),
                    runs.map(\.download.bytesReceived), runs.map(\.download.bytesTotal),
                    runs.map { $0.resume.map { JSONText(JSON.object($0.json).text) } },
                    runs.map { $0.isTold ? $0.download.eventData() : nil },
                    runs.map { Int32($0.download.sequence) },
                ])
            var accepted: Set<Identifier> = []
            for row in rows { accepted.insert(try row.get(0, as: UUIDValue.self).identifier) }
            return accepted
        }
        changes.changed(accepted)
        return accepted
    }
}

/// A batch of ends as the arrays of one statement.
private struct FinishColumns {
    static let statement = """
        WITH done AS MATERIALIZED (
            SELECT f AS id FROM lull_finish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                $14, $15, $16, $17, $18, $25) f),
        kept AS (
            INSERT INTO contents (id, instance, fence, length, expires_at, due_at)
            SELECT u.* FROM unnest($19::uuid[], $20::uuid[], $21::bigint[], $22::bigint[],
                $23::timestamptz[], $24::timestamptz[])
                u(id, instance, fence, length, expires_at, due_at)
            JOIN done ON done.id = u.id)
        SELECT id FROM done
        """

    let runs: [FinishedRun]
    let replica: Int64

    var parameters: [any ColumnValue] {
        let kept = runs.compactMap { run in run.content.map { (run, $0) } }
        return [
            replica,
            runs.map { UUIDValue($0.download.id) },
            runs.map(\.fence),
            runs.map(\.outcome.rawValue),
            runs.map { TimestampValue($0.at) },
            runs.map { $0.runAt.map { TimestampValue($0) } },
            runs.map { $0.coolOrigin.map { TimestampValue($0) } },
            runs.map(\.download.bytesReceived),
            runs.map(\.download.bytesTotal),
            runs.map { Int32($0.barren) },
            runs.map { run in
                (run.resume?.json ?? (run.wasSent ? Ledger.sentMark : nil))
                    .map { JSON.object($0).text }
            },
            runs.map { JSON.object($0.download.result).text },
            runs.map(\.event.rawValue),
            runs.map { $0.download.eventData() },
            runs.map { JSON.object($0.detail).text },
            runs.map { $0.download.startedAt.map { TimestampValue($0) } },
            runs.map(\.originKey),
            runs.map(\.sessionKey),
            kept.map { UUIDValue($0.0.download.id) },
            kept.map { UUIDValue($0.1.instance) },
            kept.map(\.0.fence),
            kept.map(\.1.length),
            kept.map { TimestampValue($0.1.expiresAt) },
            kept.map { TimestampValue($0.1.warnAt) },
            runs.map(\.nextOrigin),
        ]
    }
}
