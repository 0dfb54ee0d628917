// The ends of looks: each is taken in by its source in one transaction, with its version and event.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

extension Sources {
    /// The result of a look's download, as its source sees it.
    private struct LookResult {
        var outcome: LookOutcome
        var reason: String?
        var isGone = false
        /// The length of the content; nil without content.
        var length: Int64?
    }

    /// Takes in the looks whose downloads have ended.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - done: called behind each commit.
    /// - Returns: how many downloads were handled.
    /// - Throws: `unavailable` or `refused`.
    package func closeEnded(
        limit: Int, done: (ClosedLook) -> Void
    ) async throws(StoreError) -> Int {
        let ids: [Identifier] = try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT download_id FROM source_ends ORDER BY download_id LIMIT $1",
                [Int64(limit)]
            ).column()
        }
        for id in ids {
            let closed = try await sorting { () throws(PostgresError) in
                try await pool.transaction { transaction throws(PostgresError) in
                    try await close(id, in: transaction)
                }
            }
            if let closed { done(closed) }
        }
        return ids.count
    }

    /// Takes one look in; nil if another replica did, or its source is gone.
    private func close(
        _ id: Identifier, in transaction: Transaction
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
        let result = Sources.take(in: &source, found, id, at: now)
        let needsAttention = source.timetable.end(
            result.outcome, isGone: result.isGone, at: now, source.schedule)
        Sources.learnInterval(&source, at: now)
        try await Sources.keep(source, in: transaction)
        try await Sources.end(id, result, in: transaction)
        let closed = ClosedLook(
            source: source, outcome: result.outcome, reason: result.reason,
            needsAttention: needsAttention)
        if result.outcome == .changed {
            try await Sources.addVersion(to: source, result.length ?? 0, at: now, in: transaction)
        }
        try await Sources.boundContent(of: source, id, result.outcome, at: now, in: transaction)
        try await Sources.tell(of: closed, id, in: transaction)
        return closed
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
            if let response = result.response, running?.hasOldTemplate != true {
                (finding.etag, finding.lastModified) = (response.etag, response.lastModified)
                finding.origin = Sources.origin(of: response.url)
            }
            return LookResult(
                outcome: source.known.learn(finding, of: id, at: now),
                length: result.content?.length)
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
        let learned = LearnedInterval.seconds(changes: source.known.changes, at: now)
        guard learned != source.timetable.learned else { return }
        source.timetable.learned = learned
        guard let next = source.timetable.nextAt, next > now else { return }
        source.timetable.nextAt = source.schedule(max(now, source.timetable.begunAt ?? now))
    }

    private static func end(
        _ id: Identifier, _ result: LookResult, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            UPDATE source_looks SET outcome = $2, reason = $3, ended_at = clock_timestamp()
            WHERE download_id = $1 AND outcome IS NULL
            """, [id, result.outcome.rawValue, result.reason])
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
    private static func shorten(
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
        of closed: ClosedLook, _ id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        let source = closed.source
        var facts: JSONObject = [
            "download": .string(id.text), "outcome": .string(closed.outcome.name),
        ]
        if let reason = closed.reason { facts.append("reason", .string(reason)) }
        switch closed.outcome {
        case .changed:
            facts.append("version", .integer(source.known.version))
            facts.append("sha256", .string(source.known.sha256 ?? ""))
            try await tell(.sourceChanged, source, facts, in: transaction)
        case .unchanged304, .unchangedDigest:
            facts.append("version", .integer(source.known.version))
            try await tell(.sourceUnchanged, source, facts, in: transaction)
        case .failed, .canceled, .skipped: break
        }
        if closed.needsAttention {
            facts.append("failures", .integer(source.timetable.failures))
            try await tell(.sourceFailing, source, facts, in: transaction)
        }
        guard !closed.outcome.isSuccess || closed.outcome == .changed else { return }
        let isWoken = source.spec.notify == .wake
        let news =
            switch closed.outcome {
            case .changed where isWoken: "completed"
            case .failed where isWoken: "failed"
            default: "ended"
            }
        _ = try await transaction.query(
            """
            SELECT lull_note_sessions(ARRAY[d.session_no], ARRAY[lull_session_news($2)])
            FROM download_requests d WHERE d.id = $1
            """, [id, news])
    }
}
