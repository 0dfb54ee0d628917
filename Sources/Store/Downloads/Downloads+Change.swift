// Values of a download change while it waits; its place in the queue follows.
internal import Base
package import Downloads
internal import Postgres
internal import Scheduling

extension Downloads {
    /// Changes members of a download.
    ///
    /// - Parameters:
    ///   - old: the download as it was read.
    ///   - new: the same with other values of those that may change.
    ///   - origins: those of its addresses in their order, where they change; nil leaves them and
    ///     the place of the row as they are.
    ///   - request: what it is asked for with from now on; nil leaves it as it is.
    ///   - app: the app's number.
    ///   - condition: judges the download under its lock, so that nothing changes before this.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func change(
        _ old: Download, to new: Download, origins: [String]?, request: SealedRequest? = nil,
        app: Int64, where condition: @escaping @Sendable (Download) -> Bool = { _ in true }
    ) async throws(StoreError) -> ChangeOutcome {
        let outcome = try await sorting { () throws(PostgresError) in
            let keys = try await Downloads.ensureGates(origins: origins ?? [], sessions: [], pool)
            let originKey = origins?.first.flatMap { keys[$0] }
            return try await pool.transaction { transaction throws(PostgresError) in
                let id = UUIDValue(old.id)
                try await Downloads.lock(id, app: app, in: transaction)
                let rows = try await transaction.query(Downloads.findStatement, [id, app])
                guard let row = rows.first else { return ChangeOutcome.notFound }
                let record = try DownloadRecord(row)
                let current = record.download
                guard condition(current) else { return .refused(record) }
                guard current.sequence == old.sequence, current.state == old.state else {
                    return .stale
                }
                try await Downloads.materializeEvents(of: id, in: transaction)
                // The keys that bind downloads to a transfer are not compared here, so a changed
                // request counts as different.
                let leavesFlight = request != nil || !new.sharesFlight(with: current)
                try await write(
                    new, originKey, replacing: current, app: app,
                    leavesFlight: leavesFlight, in: transaction)
                if let request {
                    try await Downloads.replace(request, of: old.id, in: transaction)
                }
                let changed = try await transaction.query(Downloads.findStatement, [id, app])
                return .done(try DownloadRecord(changed[0]))
            }
        }
        if case .done = outcome { changes.changed([old.id]) }
        return outcome
    }

    /// Locks a download's rows: queue, request, and result.
    static func lock(
        _ id: UUIDValue, app: Int64, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query("SELECT 1 FROM queue WHERE id = $1 FOR UPDATE", [id])
        _ = try await transaction.query(
            "SELECT 1 FROM download_requests WHERE id = $1 AND app_no = $2 FOR UPDATE", [id, app])
        _ = try await transaction.query(
            "SELECT 1 FROM download_results WHERE id = $1 FOR UPDATE", [id])
    }

    /// Creates the gates of origins and sessions.
    ///
    /// - Returns: the keys of the origins, by name.
    static func ensureGates(
        origins: [String], sessions: [Int64], _ pool: ConnectionPool
    ) async throws(PostgresError) -> [String: Int64] {
        guard !origins.isEmpty || !sessions.isEmpty else { return [:] }
        let rows = try await pool.query(
            "SELECT origin, origin_key FROM lull_origins($1, $2)", [origins, sessions])
        var keys: [String: Int64] = [:]
        for row in rows { keys[try row.get(0)] = try row.get(1, as: Int64.self) }
        return keys
    }

    private func write(
        _ new: Download, _ origin: Int64?, replacing current: Download, app: Int64,
        leavesFlight: Bool, in transaction: Transaction
    ) async throws(PostgresError) {
        let id = UUIDValue(new.id)
        let old = try await transaction.query(
            """
            SELECT d.session_no, d.origin_key, d.url, q.origin_key,
                coalesce(q.resume, k.resume)::text, clock_timestamp()
            FROM downloads d LEFT JOIN queue q ON q.id = d.id
                LEFT JOIN kept_parts k ON k.id = d.id
            WHERE d.id = $1
            """, [id])[0]
        let oldOrigin = try old.get(1, as: Int64.self)
        let oldURL = try old.get(2, as: String.self)
        let originKey = origin ?? oldOrigin
        // Unless the addresses change, the row stays with its next mirror.
        let queued = try old.get(3, as: Int64?.self)
        let rowOrigin = origin == nil ? queued ?? originKey : originKey
        let lane = LaneKey(
            of: new, app: app, session: try old.get(0), origin: rowOrigin,
            facets: facets.scheme, at: try old.get(5, as: TimestampValue.self).timestamp)
        let facet = try await facets.number(of: lane.facet, in: transaction)
        let isOtherURL = origin != nil
        // A pause of its origin is kept by the gate of the origin.
        let forgetsBackoff = isOtherURL && !current.addresses.contains(new.url)
        let keepsQuestion = new.asksTheSame(as: current)
        let isSamePlace = originKey == oldOrigin && ResumePoint.isSamePlace(oldURL, new.url)
        let stored = ResumePoint(stored: try DownloadRecord.object(old, 4))
        var point = stored?.withoutMirrors
        if isOtherURL, !isSamePlace, new.spec.expectedDigest.provesContent {
            point = point ?? stored
            point?.claims.forgetWeakValidators()
        }
        let earliest = new.earliestBeginDate.map { TimestampValue($0) }
        // Bytes are kept for another URL if more than a date can prove that they fit; void ones
        // keep their file's place until the next attempt takes the file over. The queue row is
        // changed first, because the downloads row still has the old date. A download that waits
        // for another attempt continues to wait for it, one that waits for its date only waits for
        // the new one. The time limit counts from the new date, as it did from the old one.
        _ = try await transaction.query(
            Downloads.writeQueued,
            [
                id, lane.network, lane.schedulingClass.rawValue, lane.rank, rowOrigin, earliest,
                isOtherURL, isSamePlace, ResumePoint.elsewhere,
                point.map { JSONText(JSON.object($0.json).text) }, new.spec.resourceTimeout,
                facet, lane.dueBucket.map { TimestampValue($0) },
                lane.beginBucket.map { TimestampValue($0) },
                new.spec.completeBy.map { TimestampValue($0) },
                new.spec.beginDeadline.map { TimestampValue($0) }, new.spec.webhookURL,
                new.spec.webhookMask, forgetsBackoff, leavesFlight,
                keepsQuestion,
            ])
        if isOtherURL {
            _ = try await transaction.query(
                Downloads.writeKept,
                [
                    id, isSamePlace, ResumePoint.elsewhere,
                    point.map { JSONText(JSON.object($0.json).text) },
                ])
        }
        try await Downloads.enterLanes([id], in: transaction)
        try await Downloads.endFlights(of: [id], in: transaction)
        if oldURL != new.url {
            try await Downloads.keepAddress(oldURL, ofAttempts: id, in: transaction)
        }
        try await Downloads.writeWide(new, originKey, in: transaction)
    }

    private static let writeQueued = """
        UPDATE queue q SET class = $3,
            network = CASE WHEN $21 AND q.hook_asked_at IS NOT NULL THEN $2 # 48 ELSE $2 END,
            rank = $4, facet = $12,
            due_bucket = coalesce($13, 'infinity'),
            begin_bucket = coalesce($14, 'infinity'), complete_by = $15, begin_deadline = $16,
            at_risk_since = CASE WHEN q.complete_by IS NOT DISTINCT FROM $15
                AND q.begin_deadline IS NOT DISTINCT FROM $16 THEN q.at_risk_since END,
            sequence = q.sequence + 1,
            deadline = CASE WHEN d.earliest_begin_at IS NOT DISTINCT FROM $6
                AND d.spec->'timeout_interval_for_resource' = to_jsonb($11::bigint) THEN q.deadline
                ELSE greatest(q.life_since, $6) + $11 * interval '1 second' END,
            run_at = CASE WHEN q.hook_asked_at IS NOT NULL AND $21 THEN q.run_at
                -- Its row named the end of the question.
                WHEN q.hook_asked_at IS NOT NULL
                    THEN greatest(clock_timestamp(), q.state_since, $6, q.wake_until)
                WHEN $19 AND q.attempt > 0
                    THEN greatest(least(q.run_at, greatest(clock_timestamp(), q.state_since)), $6,
                        q.wake_until)
                WHEN d.earliest_begin_at IS NOT DISTINCT FROM $6 THEN q.run_at
                WHEN q.attempt = 0 OR q.run_at = d.earliest_begin_at
                    THEN greatest(q.life_since, $6, q.wake_until)
                ELSE greatest(q.run_at, $6) END,
            hook_asked_at = CASE WHEN $21 THEN q.hook_asked_at END,
            hook_sequence = CASE WHEN $21 THEN q.hook_sequence END,
            attempts_without_progress = CASE WHEN $19 THEN 0 ELSE q.attempts_without_progress END,
            -- What asks for other bytes, or at another time, is fetched by itself.
            flight = CASE WHEN NOT k.leaves THEN q.flight END,
            joined_to = CASE WHEN NOT k.leaves THEN q.joined_to END,
            fence = q.fence + (k.leaves AND q.joined_to IS NOT NULL)::int,
            state = CASE WHEN k.leaves AND q.joined_to IS NOT NULL THEN lull_live_state('waiting')
                ELSE q.state END,
            webhook_url = $17, webhook_events = $18,
            origin_key = $5,
            resume = CASE WHEN NOT $7 THEN q.resume
                WHEN k.fits THEN coalesce($10, q.resume)
                    - '{void,mismatches,furthest,patience}'::text[]
                ELSE coalesce($10, q.resume) || jsonb_build_object('void', $9::text) END,
            bytes = CASE WHEN NOT $7 THEN q.bytes
                WHEN k.fits THEN coalesce((q.resume->>'offset')::bigint, 0) ELSE 0 END,
            total_bytes = CASE WHEN NOT $7 OR k.fits THEN q.total_bytes END
        FROM downloads d, LATERAL (
            SELECT $8 OR coalesce(x.resume ? 'etag', false)
                OR coalesce(d.spec->>'expected_digest' NOT LIKE 'crc%', false) AS fits,
                $20 AND x.state <> lull_live_state('running') AS leaves
            FROM queue x WHERE x.id = d.id) k
        WHERE q.id = $1 AND d.id = q.id
        """

    /// The kept bytes of a failed download are treated like those of a live one when its URL
    /// changes.
    private static let writeKept = """
        UPDATE kept_parts k SET resume = CASE
            WHEN $2 OR k.resume ? 'etag'
                    OR coalesce(d.spec->>'expected_digest' NOT LIKE 'crc%', false)
                THEN coalesce($4, k.resume) - '{void,mismatches,furthest}'::text[]
            ELSE coalesce($4, k.resume) || jsonb_build_object('void', $3::text) END
        FROM download_requests d WHERE k.id = $1 AND d.id = k.id
        """

    /// Stored attempts leave out the address of their download until that has another one.
    private static func keepAddress(
        _ url: String, ofAttempts id: UUIDValue, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            UPDATE attempts SET detail = detail || jsonb_build_object('url', $2::text,
                'resumed_from', coalesce(detail->'resumed_from', '0'),
                'bytes_discarded', coalesce(detail->'bytes_discarded', '0'),
                'lookup_us', coalesce(detail->'lookup_us', '0'),
                'connect_us', coalesce(detail->'connect_us', '0'),
                'tls_us', coalesce(detail->'tls_us', '0'))
            WHERE id = $1 AND detail ? 'http_status' AND NOT detail ? 'url'
            """, [id, url])
    }

    private static func writeWide(
        _ new: Download, _ originKey: Int64, in transaction: Transaction
    ) async throws(PostgresError) {
        // The row is locked, and `new` was made from it.
        _ = try await transaction.query(
            """
            WITH result_rows AS (
                UPDATE download_results r SET
                    -- A result does not repeat the address either.
                    result = CASE WHEN d.url <> $5 AND r.result ? 'response'
                            AND NOT r.result->'response' ? 'url'
                        THEN jsonb_set(r.result, '{response,url}', to_jsonb(d.url))
                        ELSE r.result END,
                    sequence = CASE WHEN r.state = lull_end_state('live') THEN r.sequence
                        ELSE r.sequence + 1 END
                FROM download_requests d WHERE r.id = $1 AND d.id = r.id)
            UPDATE download_requests SET priority = $2, class = $3, earliest_begin_at = $4,
                url = $5, origin_key = $6, spec = $7
            WHERE id = $1
            """,
            [
                UUIDValue(new.id), new.priority, new.schedulingClass.rawValue,
                new.earliestBeginDate.map { TimestampValue($0) }, new.url, originKey,
                JSONText(new.spec.text(as: .stored)),
            ])
    }
}

extension Downloads {
    /// Seconds for which the secrets that an ended download was given for a retry are kept.
    static let secretsKeptFor: Int64 = 86_400

    /// Replaces the request of a download; the secrets of an ended one are kept for its retry.
    static func replace(
        _ request: SealedRequest, of id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        let row = try await transaction.query(
            "SELECT spec FROM download_requests WHERE id = $1", [UUIDValue(id)])[0]
        var spec = try row.stored(0, as: DownloadSpec.self) ?? .blank
        spec.request = request.shape
        _ = try await transaction.query(
            "UPDATE download_requests SET spec = $2 WHERE id = $1",
            [UUIDValue(id), JSONText(spec.text(as: .stored))])
        guard let sealed = request.sealed else {
            _ = try await transaction.query(
                "DELETE FROM download_secrets WHERE id = $1", [UUIDValue(id)])
            return
        }
        _ = try await transaction.query(
            """
            INSERT INTO download_secrets (id, sealed, kept_until)
            SELECT $1, $2, CASE WHEN NOT EXISTS (SELECT 1 FROM queue q WHERE q.id = $1)
                THEN clock_timestamp() + $3 * interval '1 second' END
            ON CONFLICT (id) DO UPDATE
                SET sealed = excluded.sealed, kept_until = excluded.kept_until
            """, [UUIDValue(id), sealed, secretsKeptFor])
    }
}
