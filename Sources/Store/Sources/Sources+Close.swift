// The ends of looks: each is taken in by its source in one transaction, with its version and event.
package import Base
internal import Downloads
internal import Postgres
internal import Scheduling

extension Sources {
    /// The result of a look's download, as its source sees it.
    private struct LookResult {
        var outcome: LookOutcome
        var reason: String?
        var detail: String?
        var isGone = false
        /// The length of the content; nil without content.
        var length: Int64?
        /// The number of items of a feed that were queued; nil for a file.
        var items: Int64?
        /// Whether its download has not ended and is to be canceled.
        var isLeft = false
    }

    /// The downloads of looks that have ended.
    ///
    /// - Parameters:
    ///   - last: only those behind this one; nil from the first on.
    ///   - limit: at most so many.
    /// - Returns: each with whether it is the look of a feed.
    /// - Throws: `unavailable` or `refused`.
    package func ends(
        after last: Identifier?, limit: Int
    ) async throws(StoreError) -> [(id: Identifier, isFeed: Bool)] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT e.download_id, coalesce((
                    SELECT s.spec->>'kind' = 'feed' FROM source_looks l
                        JOIN sources s ON s.source_no = l.source_no
                    WHERE l.download_id = e.download_id AND l.outcome IS NULL), false)
                FROM source_ends e WHERE $1::uuid IS NULL OR e.download_id > $1
                ORDER BY e.download_id LIMIT $2
                """, [last, Int64(limit)])
            return try rows.map { row throws(PostgresError) in
                try row.values() as (Identifier, Bool)
            }
        }
    }

    /// The source of a look that has ended, and the look's download.
    ///
    /// - Parameter id: the download.
    /// - Returns: nil if the look was taken in.
    /// - Throws: `unavailable` or `refused`.
    package func ended(
        _ id: Identifier
    ) async throws(StoreError) -> (source: SourceRecord, download: DownloadRecord?)? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(SourceColumn.list) FROM sources s WHERE s.source_no = (
                    SELECT l.source_no FROM source_looks l
                    WHERE l.download_id = $1 AND l.outcome IS NULL)
                """, [id])
            guard let row = rows.first else { return nil }
            let source = try SourceRecord(row, zone: zone)
            let found = try await pool.query(Downloads.reread, [id]).first
                .map { row throws(PostgresError) in try DownloadRecord(row) }
            return (source, found)
        }
    }

    /// Takes in a look whose download has ended.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - reading: what was read of the feed that it brought; nil for a file, and without content.
    /// - Returns: the look; nil if another replica took it in, or its source is gone.
    /// - Throws: `unavailable` or `refused`.
    package func close(
        _ id: Identifier, _ reading: FeedReading? = nil
    ) async throws(StoreError) -> ClosedLook? {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                try await close(id, reading, in: transaction)
            }
        }
    }

    private func close(
        _ id: Identifier, _ reading: FeedReading?, in transaction: Transaction
    ) async throws(PostgresError) -> ClosedLook? {
        let taken = try await transaction.query(
            "DELETE FROM source_ends WHERE download_id = $1", [id])
        guard taken.affected == 1 else { return nil }
        let rows = try await transaction.query(
            """
            SELECT \(SourceColumn.list) FROM sources s WHERE s.source_no = (
                SELECT l.source_no FROM source_looks l
                WHERE l.download_id = $1 AND l.outcome IS NULL) FOR UPDATE OF s
            """, [id])
        guard let row = rows.first else { return nil }
        var source = try SourceRecord(row, zone: zone)
        let now = source.readAt
        let found = try await transaction.query(Downloads.reread, [id]).first
            .map { row throws(PostgresError) in try DownloadRecord(row).download }
        // A person can help the look of a file; it gives up when the next one is due.
        if found?.state == .attentionRequired, source.spec.kind == .file { return nil }
        let result =
            if let found, let reading {
                try await Sources.takeIn(reading, of: &source, found, at: now, transaction)
            } else {
                Sources.take(in: &source, found, id, at: now)
            }
        let needsAttention = source.timetable.end(
            result.outcome, isGone: result.isGone, at: now, source.schedule)
        Sources.learnInterval(&source, at: now)
        try await Sources.keep(source, in: transaction)
        let askedBy = try await Sources.end(id, result, in: transaction)
        let closed = ClosedLook(
            source: source, outcome: result.outcome, reason: result.reason,
            needsAttention: needsAttention, items: result.items, detail: result.detail,
            left: result.isLeft ? id : nil)
        if source.spec.kind == .feed {
            try await Sources.boundItems(of: source, at: now, in: transaction)
        } else {
            if result.outcome == .changed {
                try await Sources.addVersion(
                    to: source, result.length ?? 0, at: now, in: transaction)
            }
            try await Sources.boundContent(of: source, id, result.outcome, at: now, in: transaction)
        }
        if let reading, reading.left > 0 {
            try await Sources.noteLeft(reading.left, of: source, id, in: transaction)
        }
        try await Sources.tell(of: closed, id, askedBy, in: transaction)
        return closed
    }

    /// Takes what was read of a feed into its source.
    private static func takeIn(
        _ reading: FeedReading, of source: inout SourceRecord, _ download: Download,
        at now: Timestamp, _ transaction: Transaction
    ) async throws(PostgresError) -> LookResult {
        let id = download.id
        if source.timetable.running?.hasOldURL == true {
            return LookResult(outcome: .canceled, reason: Sources.replacedURL)
        }
        if let fault = reading.fault {
            return LookResult(outcome: .failed, reason: fault.reason, detail: fault.detail)
        }
        try await write(reading, of: source, in: transaction)
        let items = try await itemsQueued(by: id, in: transaction)
        let response = download.result.response
        (source.timetable.told, source.timetable.quiet) = (
            [response?.maxAge, reading.told].compactMap(\.self).max(), reading.quiet
        )
        // A document that was not handled whole is read again although it has not changed.
        let isWhole =
            reading.left == 0 && reading.version == source.version
            && source.timetable.running?.hasOldTemplate != true
        let finding = SourceKnowledge.Finding(
            sha256: download.result.content?.sha256, etag: response?.etag,
            lastModified: response?.lastModified,
            origin: response.flatMap { Sources.origin(of: $0.url) })
        let outcome = source.known.learn(
            feed: isWhole ? finding : nil, items: items, of: id, at: now)
        return LookResult(outcome: outcome, items: items)
    }

    /// Takes the result of a look into the knowledge of its source.
    private static func take(
        in source: inout SourceRecord, _ download: Download?, _ id: Identifier, at now: Timestamp
    ) -> LookResult {
        let running = source.timetable.running.flatMap { $0.download == id ? $0 : nil }
        let isGivenUp = running?.isGivenUp == true
        guard let download else {
            return LookResult(
                outcome: isGivenUp ? .failed : .canceled, reason: isGivenUp ? "gave_up" : "deleted")
        }
        if running?.hasOldURL == true {
            return LookResult(outcome: .canceled, reason: Sources.replacedURL)
        }
        let result = download.result
        switch download.state {
        case .succeeded:
            var finding = SourceKnowledge.Finding(
                sha256: result.unchanged == .sameDigest
                    ? download.spec.condition?.digest : result.content?.sha256,
                etag: nil, lastModified: nil, isNotModified: result.unchanged == .notModified)
            source.timetable.told = result.response?.maxAge ?? source.timetable.told
            if source.spec.kind == .feed, let proof = result.unchanged {
                return LookResult(
                    outcome: proof == .notModified ? .unchanged304 : .unchangedDigest, items: 0)
            }
            if let response = result.response, running?.hasOldTemplate != true {
                (finding.etag, finding.lastModified) = (response.etag, response.lastModified)
                finding.origin = Sources.origin(of: response.url)
            }
            return LookResult(
                outcome: source.known.learn(finding, of: id, at: now),
                length: result.content?.length)
        case .attentionRequired:
            return LookResult(
                outcome: .failed, reason: result.error?.code.rawValue ?? "attention_required",
                isLeft: true)
        case .canceled where !isGivenUp:
            return LookResult(
                outcome: .canceled, reason: download.spec.cancelReason?.rawValue ?? "canceled")
        default:
            let reason = isGivenUp ? "gave_up" : result.error?.code.rawValue ?? "failed"
            return LookResult(
                outcome: .failed, reason: reason, isGone: result.response?.statusCode == 410)
        }
    }

    /// The reason of a look that ends after the source got another URL.
    private static let replacedURL = "url_changed"

    /// The origin of a URL; nil for one that cannot be read.
    private static func origin(of url: String) -> String? {
        do throws(SourceURLError) {
            return try SourceURL(parsing: url).origin
        } catch {
            return nil
        }
    }

    /// Learns the interval of a source from its changes, and plans its next look by it.
    private static func learnInterval(_ source: inout SourceRecord, at now: Timestamp) {
        guard source.spec.schedule.isLearned else { return }
        let learned = LearnedInterval.seconds(
            changes: source.known.changes, at: now, told: source.timetable.told)
        source.timetable.learned = learned
        guard let next = source.timetable.nextAt, next > now else { return }
        source.timetable.nextAt = source.schedule(max(now, source.timetable.begunAt ?? now))
    }

    /// - Returns: the trigger that asked for the look; nil for none.
    private static func end(
        _ id: Identifier, _ result: LookResult, in transaction: Transaction
    ) async throws(PostgresError) -> JSON? {
        let ended = try await transaction.query(
            """
            UPDATE source_looks SET outcome = $2, reason = $3, detail = $4, items = $5,
                ended_at = clock_timestamp()
            WHERE download_id = $1 AND outcome IS NULL RETURNING asked_by::text
            """, [id, result.outcome.rawValue, result.reason, result.detail, result.items])
        return try ended.first.flatMap { row throws(PostgresError) in
            try Triggers.caller(try row.only(as: String?.self))
        }
    }

    /// Records the items for which the app has no room as an instant without a look.
    private static func noteLeft(
        _ count: Int64, of source: SourceRecord, _ look: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        let due: Timestamp? = try await transaction.query(
            "SELECT due_at FROM source_looks WHERE download_id = $1 ORDER BY look_no DESC LIMIT 1",
            [look]
        ).first?.only()
        var skip = SkippedInstants(.quota, due ?? source.readAt)
        skip.count = count
        try await note(skip, of: source, in: transaction)
    }

    private static func addVersion(
        to source: SourceRecord, _ length: Int64, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            INSERT INTO source_versions (source_no, version_no, download_id, sha256, length,
                seen_at) VALUES ($1, $2, $3, $4, $5, $6)
            """,
            [
                source.number, source.known.version, source.known.download,
                source.known.sha256 ?? "", length, now,
            ])
        _ = try await transaction.query(
            "DELETE FROM source_versions WHERE source_no = $1 AND version_no <= $2",
            [source.number, source.known.version - Sources.versionsAtMost])
    }

    /// Ends the retention of versions that are no longer among the last ones, and of the copy of an
    /// unchanged file.
    private static func boundContent(
        of source: SourceRecord, _ look: Identifier, _ outcome: LookOutcome, at now: Timestamp,
        in transaction: Transaction
    ) async throws(PostgresError) {
        if outcome == .unchangedDigest {
            let end = now + Sources.looksKept
            try await shorten([look], to: [end], in: transaction)
        }
        guard outcome == .changed, let keep = source.spec.keep, let last = keep.last else {
            return
        }
        let rows = try await transaction.query(
            """
            SELECT v.download_id, v.seen_at FROM source_versions v
            WHERE v.source_no = $1 AND v.version_no <= $2
            """, [source.number, source.known.version - last])
        var (ids, ends): ([Identifier], [Timestamp]) = ([], [])
        for row in rows {
            let (id, seen): (Identifier, Timestamp) = try row.values()
            guard let end = keep.end(seenAt: seen, isAmongLast: false, at: now) else { continue }
            ids.append(id)
            ends.append(end)
        }
        try await shorten(ids, to: ends, in: transaction)
    }

    /// Lets content expire earlier.
    static func shorten(
        _ ids: [Identifier], to ends: [Timestamp], in transaction: Transaction
    ) async throws(PostgresError) {
        guard !ids.isEmpty else { return }
        try await Contents.lockDownloads(ids, in: transaction)
        _ = try await transaction.query(
            """
            WITH given AS MATERIALIZED (
                SELECT u.* FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) u(id, at, text)
                JOIN contents c ON c.id = u.id AND c.expires_at > u.at
                    AND c.phase < lull_content_phase('released')),
            shown AS (
                UPDATE download_results r
                SET result = jsonb_set(r.result, '{content,expires_at}', to_jsonb(g.text))
                FROM given g WHERE r.id = g.id AND r.result ? 'content')
            UPDATE contents c SET expires_at = g.at, due_at = least(c.due_at, g.at)
            FROM given g WHERE c.id = g.id
            """, [ids, ends, ends.map(\.rfc3339)])
    }

    /// Tells the receivers and, if the source asks for it, wakes its session.
    private static func tell(
        of closed: ClosedLook, _ id: Identifier, _ askedBy: JSON?, in transaction: Transaction
    ) async throws(PostgresError) {
        let source = closed.source
        var facts: JSONObject = [
            "download": .string(id.text), "outcome": .string(closed.outcome.name),
        ]
        if let reason = closed.reason { facts.append("reason", .string(reason)) }
        if let items = closed.items { facts.append("items", .integer(items)) }
        if let detail = closed.detail { facts.append("detail", .string(detail)) }
        if let askedBy { facts.append("trigger", askedBy) }
        switch closed.outcome {
        case .changed:
            facts.append("version", .integer(source.known.version))
            if let sha256 = source.known.sha256 { facts.append("sha256", .string(sha256)) }
            try await tell(.sourceChanged, source, facts, in: transaction)
        case .unchanged304, .unchangedDigest:
            if source.known.version > 0 {
                facts.append("version", .integer(source.known.version))
            }
            try await tell(.sourceUnchanged, source, facts, in: transaction)
        case .failed, .canceled, .skipped: break
        }
        if closed.needsAttention {
            facts.append("failures", .integer(source.timetable.failures))
            try await tell(.sourceFailing, source, facts, in: transaction)
        }
        let isWoken = source.spec.notify == .wake
        let news =
            switch closed.outcome {
            case .changed where isWoken: "completed"
            case .failed where isWoken: "failed"
            default: "ended"
            }
        // A look that found no change is news only if it may be the last one of an ending session.
        let isNews = !closed.outcome.isSuccess || closed.outcome == .changed
        _ = try await transaction.query(
            """
            SELECT lull_note_sessions(ARRAY[d.session_no], ARRAY[lull_session_news($2)])
            FROM download_requests d WHERE d.id = $1 AND ($3 OR EXISTS (
                SELECT 1 FROM sessions s WHERE s.session_no = d.session_no
                    AND s.state = lull_session_state('invalidating')))
            """, [id, news, isNews])
    }
}
