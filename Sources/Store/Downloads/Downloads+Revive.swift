// Makes ended downloads live again, for a retry or for content that was lost.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

extension Downloads {
    /// Puts a download back into the queue that failed, was canceled, or lost its content, with its
    /// full time limit.
    ///
    /// The caller records its event and enters its lane. Its fence rises above that of every
    /// attempt before, so that a late writer from before the retry is not taken for a present one.
    static func revive(
        _ record: inout DownloadRecord, through gate: inout QueueGate, facets: FacetBook,
        delayedUntil: Timestamp?? = nil, in transaction: Transaction
    ) async throws(PostgresError) {
        gate.pass(record.download.id)
        let id = record.download.id
        try await materializeEvents(of: id, in: transaction)
        record.download.asksHookAgain()
        if delayedUntil != nil { record.download.spec.forceDiscretionary() }
        if delayedUntil != nil || record.download.spec.asksHook {
            _ = try await transaction.query(
                "UPDATE download_requests SET class = $2, spec = $3 WHERE id = $1",
                [
                    id, record.download.schedulingClass.rawValue,
                    JSONText(record.download.spec.text(as: .stored)),
                ])
        }
        let (session, known, app, now): (Int64, Int64, Int64, Timestamp) =
            try await transaction.query(
                """
                SELECT session_no, origin_key, app_no, clock_timestamp() FROM downloads
                WHERE id = $1
                """, [id])[0].values()
        let kept = try await transaction.query(
            "SELECT resume::text FROM kept_parts WHERE id = $1", [id]
        ).first
        if record.download.shared.value.isSentOn {
            let point = try kept.flatMap { row throws(PostgresError) in
                ResumePoint(stored: try row.object(OnlyColumn.value))
            }
            record.download.holder = point?.holder
        }
        let origin = try await holdOrigin(
            of: record.download, known: known, session: session, in: transaction)
        let lane = LaneKey(
            of: record.download, app: app, session: session, origin: origin,
            facets: facets.scheme, at: now)
        let facet = try await facets.number(of: lane.facet, in: transaction)
        _ = try await transaction.query(
            """
            WITH counted AS (INSERT INTO queued_counts (app_no, change) VALUES ($2, 1)),
            kept AS (DELETE FROM kept_parts WHERE id = $1 RETURNING resume)
            \(RevivedRow.queueRow)
            FROM \(RevivedRow.given.row(from: 3)), downloads d LEFT JOIN kept k ON true, LATERAL (
                SELECT greatest(clock_timestamp(), d.finished_at) AS t) c
            WHERE d.id = $1
            """,
            RevivedRow.given.values(
                of: RevivedRow(
                    spec: record.download.spec, lane: lane, facet: facet,
                    delayedUntil: delayedUntil), behind: [id, app]))
        try await forgetEnd(of: id, in: transaction)
        record = try DownloadRecord(try await transaction.query(reread, [id])[0])
    }

    /// Clears the end, the content and the cancel reason of a download that is put back.
    private static func forgetEnd(
        of id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            WITH lost AS (DELETE FROM contents WHERE id = $1),
            live AS (
                UPDATE download_results SET state = NULL, finished_at = NULL,
                    bytes = 0, content_fence = NULL, result = NULL
                WHERE id = $1)
            UPDATE download_requests SET spec = spec - 'cancel_reason'
            WHERE id = $1 AND spec ? 'cancel_reason'
            """, [id])
    }

    /// The number of the origin in whose lane a download waits, held until the commit, and its
    /// gates: that of its receiver if its file is here, else its own.
    ///
    /// Its own differs from the row's number if the origin was removed meanwhile.
    private static func holdOrigin(
        of download: Download, known: Int64, session: Int64, in transaction: Transaction
    ) async throws(PostgresError) -> Int64 {
        var own: String?
        do throws(SourceURLError) {
            own = try SourceURL(parsing: download.url).origin
        } catch {
            // The first attempt fails with this URL.
        }
        let receiver = download.isSending ? download.shared.value.sendTarget?.origin : nil
        var keys: [String: Int64] = [:]
        for row in try await transaction.query(
            "SELECT origin, origin_key FROM lull_origins($1, $2)",
            [[own, receiver].compactMap(\.self), [session]])
        {
            let (name, key): (String, Int64) = try row.values()
            keys[name] = key
        }
        let origin = own.flatMap { keys[$0] } ?? known
        if origin != known {
            _ = try await transaction.query(
                "UPDATE download_requests SET origin_key = $2 WHERE id = $1",
                [download.id, origin])
        }
        if let receiver, let key = keys[receiver] { return key }
        return origin
    }
}
