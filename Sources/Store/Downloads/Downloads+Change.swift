// Changes members of a download; its place in the queue follows.
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
            // The receiver's origin is that of a row that waits to send.
            let receiver = new.isSending ? new.shared.value.sendTarget?.origin : nil
            let keys = try await Downloads.ensureGates(
                origins: (origins ?? []) + (receiver.map { [$0] } ?? []), sessions: [], pool)
            let receiverKey = receiver.flatMap { keys[$0] }
            let originKey = origins?.first.flatMap { keys[$0] }
            return try await pool.transaction { transaction throws(PostgresError) in
                let id = old.id
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
                    new, originKey, receiverKey, replacing: current, app: app,
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
        _ id: Identifier, app: Int64, in transaction: Transaction
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
        for row in rows {
            let (origin, key): (String, Int64) = try row.values()
            keys[origin] = key
        }
        return keys
    }

    private func write(
        _ new: Download, _ origin: Int64?, _ receiver: Int64?, replacing current: Download,
        app: Int64,
        leavesFlight: Bool, in transaction: Transaction
    ) async throws(PostgresError) {
        let id = new.id
        let old = try await transaction.query(
            """
            SELECT \(ChangingColumn.list) FROM (SELECT d.session_no, d.origin_key, d.url,
                q.origin_key AS queued_origin_key, coalesce(q.resume, k.resume) AS resume,
                clock_timestamp() AS now
            FROM downloads d LEFT JOIN queue q ON q.id = d.id
                LEFT JOIN kept_parts k ON k.id = d.id
            WHERE d.id = $1) z
            """, [id])[0]
        let oldOrigin = try old.integer(ChangingColumn.originKey)
        let oldURL = try old.text(ChangingColumn.url)
        let originKey = origin ?? oldOrigin
        // Unless the addresses change, the row stays with its next mirror.
        let queued = try old.optionalInteger(ChangingColumn.queuedOriginKey)
        var rowOrigin = origin == nil ? queued ?? originKey : originKey
        // A row that waited to send and has no receiver any more goes back to its source's lane.
        if current.isSending || new.isSending { rowOrigin = receiver ?? originKey }
        var new = new
        if !new.shared.value.isSentOn { new.holder = nil }
        let lane = LaneKey(
            of: new, app: app, session: try old.integer(ChangingColumn.sessionNo),
            origin: rowOrigin, facets: facets.scheme,
            at: try old.requiredInstant(ChangingColumn.now))
        let facet = try await facets.number(of: lane.facet, in: transaction)
        let isOtherURL = origin != nil
        // A pause of its origin is kept by the gate of the origin.
        let forgetsBackoff = isOtherURL && !current.addresses.contains(new.url)
        let keepsQuestion = new.asksTheSame(as: current)
        let isSamePlace = originKey == oldOrigin && ResumePoint.isSamePlace(oldURL, new.url)
        let stored = ResumePoint(stored: try old.object(ChangingColumn.resume))
        var point = stored?.withoutMirrors
        if isOtherURL, !isSamePlace, new.spec.expectedDigest.provesContent {
            point = point ?? stored
            point?.claims.forgetWeakValidators()
        }
        // Bytes are kept for another URL if more than a date can prove that they fit; void ones
        // keep their file's place until the next attempt takes the file over. The queue row is
        // changed first, because the downloads row still has the old date. A download that waits
        // for another attempt continues to wait for it, one that waits for its date only waits for
        // the new one. The time limit counts from the new date, as it did from the old one.
        _ = try await transaction.query(
            QueuedChange.statement,
            QueuedChange.given.values(
                of: QueuedChange(
                    download: new, lane: lane, facet: facet, origin: rowOrigin, point: point,
                    isOtherURL: isOtherURL, isSamePlace: isSamePlace,
                    forgetsBackoff: forgetsBackoff, leavesFlight: leavesFlight,
                    keepsQuestion: keepsQuestion)))
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
        _ url: String, ofAttempts id: Identifier, in transaction: Transaction
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
                    sequence = CASE WHEN r.state IS NULL THEN r.sequence
                        ELSE r.sequence + 1 END
                FROM download_requests d WHERE r.id = $1 AND d.id = r.id)
            UPDATE download_requests SET priority = $2, class = $3, earliest_begin_at = $4,
                url = $5, origin_key = $6, spec = $7
            WHERE id = $1
            """,
            [
                new.id, new.priority, new.schedulingClass.rawValue,
                new.earliestBeginDate, new.url, originKey,
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
            "SELECT spec FROM download_requests WHERE id = $1", [id])[0]
        var spec = try row.stored(OnlyColumn.value, as: DownloadSpec.self) ?? .blank
        spec.request = request.shape
        _ = try await transaction.query(
            "UPDATE download_requests SET spec = $2 WHERE id = $1",
            [id, JSONText(spec.text(as: .stored))])
        guard let sealed = request.sealed else {
            _ = try await transaction.query(
                "DELETE FROM download_secrets WHERE id = $1", [id])
            return
        }
        _ = try await transaction.query(
            """
            INSERT INTO download_secrets (id, sealed, kept_until)
            SELECT $1, $2, CASE WHEN NOT EXISTS (SELECT 1 FROM queue q WHERE q.id = $1)
                THEN clock_timestamp() + $3 * interval '1 second' END
            ON CONFLICT (id) DO UPDATE
                SET sealed = excluded.sealed, kept_until = excluded.kept_until
            """, [id, sealed, secretsKeptFor])
    }
}

private enum ChangingColumn: Int, RowColumn {
    case sessionNo, originKey, url, queuedOriginKey, resume, now
}

/// The consequences of a change for a live row.
private struct QueuedChange {
    let download: Download
    let lane: LaneKey
    let facet: Int32
    let origin: Int64
    let point: ResumePoint?
    let isOtherURL: Bool
    let isSamePlace: Bool
    let forgetsBackoff: Bool
    let leavesFlight: Bool
    let keepsQuestion: Bool

    static let given: Parameters<QueuedChange> = [
        "id": { $0.download.id },
        "lane_flags": { $0.lane.laneFlags.rawValue },
        "class": { $0.lane.schedulingClass.rawValue },
        "rank": { $0.lane.rank },
        "origin_key": { $0.origin },
        "earliest": { $0.download.earliestBeginDate },
        "is_other_url": { $0.isOtherURL },
        "is_same_place": { $0.isSamePlace },
        "elsewhere": { _ in ResumePoint.elsewhere },
        "point": { $0.point.map { JSONText(JSON.object($0.json).text) } },
        "timeout": { $0.download.spec.resourceTimeout },
        "facet": { $0.facet },
        "due_bucket": { $0.lane.dueBucket },
        "begin_bucket": { $0.lane.beginBucket },
        "complete_by": { $0.download.spec.completeBy },
        "begin_deadline": { $0.download.spec.beginDeadline },
        "webhook_url": { $0.download.spec.webhookURL },
        "webhook_events": { $0.download.spec.webhookSet.bits },
        "forgets_backoff": { $0.forgetsBackoff },
        "leaves_flight": { $0.leavesFlight },
        "keeps_question": { $0.keepsQuestion },
    ]

    static let statement = """
        UPDATE queue q SET class = n.class,
            lane_flags = CASE WHEN n.keeps_question AND q.hook_asked_at IS NOT NULL
                THEN n.lane_flags # lull_lane_flag('hooked') ELSE n.lane_flags END,
            rank = n.rank, facet = n.facet,
            due_bucket = coalesce(n.due_bucket, 'infinity'),
            begin_bucket = coalesce(n.begin_bucket, 'infinity'),
            complete_by = n.complete_by, begin_deadline = n.begin_deadline,
            at_risk_since = CASE WHEN q.complete_by IS NOT DISTINCT FROM n.complete_by
                AND q.begin_deadline IS NOT DISTINCT FROM n.begin_deadline THEN q.at_risk_since END,
            sequence = q.sequence + 1,
            deadline = CASE WHEN d.earliest_begin_at IS NOT DISTINCT FROM n.earliest
                AND d.spec->'timeout_interval_for_resource' = to_jsonb(n.timeout) THEN q.deadline
                ELSE greatest(q.life_since, n.earliest) + n.timeout * interval '1 second' END,
            run_at = CASE WHEN q.hook_asked_at IS NOT NULL AND n.keeps_question THEN q.run_at
                -- Its row named the end of the question.
                WHEN q.hook_asked_at IS NOT NULL
                    THEN greatest(clock_timestamp(), q.state_since, n.earliest, q.wake_until)
                WHEN n.forgets_backoff AND q.attempt > 0
                    THEN greatest(least(q.run_at, greatest(clock_timestamp(), q.state_since)),
                        n.earliest, q.wake_until)
                WHEN d.earliest_begin_at IS NOT DISTINCT FROM n.earliest THEN q.run_at
                WHEN q.attempt = 0 OR q.run_at = d.earliest_begin_at
                    THEN greatest(q.life_since, n.earliest, q.wake_until)
                ELSE greatest(q.run_at, n.earliest) END,
            hook_asked_at = CASE WHEN n.keeps_question THEN q.hook_asked_at END,
            hook_sequence = CASE WHEN n.keeps_question THEN q.hook_sequence END,
            attempts_without_progress = CASE WHEN n.forgets_backoff THEN 0
                ELSE q.attempts_without_progress END,
            -- A download that now asks for other bytes, or at another time, is fetched by itself.
            flight = CASE WHEN NOT k.leaves THEN q.flight END,
            joined_to = CASE WHEN NOT k.leaves THEN q.joined_to END,
            fence = q.fence + (k.leaves AND q.joined_to IS NOT NULL)::int,
            state = CASE WHEN k.leaves AND q.joined_to IS NOT NULL THEN lull_state('waiting')
                ELSE q.state END,
            webhook_url = n.webhook_url, webhook_events = n.webhook_events,
            origin_key = n.origin_key,
            resume = CASE WHEN NOT n.is_other_url THEN q.resume
                WHEN k.fits THEN coalesce(n.point, q.resume)
                    - '{void,mismatches,furthest,patience}'::text[]
                ELSE coalesce(n.point, q.resume) || jsonb_build_object('void', n.elsewhere) END,
            bytes = CASE WHEN NOT n.is_other_url THEN q.bytes
                WHEN k.fits THEN coalesce((q.resume->>'offset')::bigint, 0) ELSE 0 END,
            total_bytes = CASE WHEN NOT n.is_other_url OR k.fits THEN q.total_bytes END
        FROM \(given.row(as: "n")), downloads d, LATERAL (
            SELECT n.is_same_place OR coalesce(x.resume ? 'etag', false)
                OR coalesce(d.spec->>'expected_digest' NOT LIKE 'crc%', false) AS fits,
                n.leaves_flight AND x.state <> lull_state('running') AS leaves
            FROM queue x WHERE x.id = d.id) k
        WHERE q.id = n.id AND d.id = q.id
        """
}
