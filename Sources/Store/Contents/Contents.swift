// Finished files that are kept for a time: the row is changed first, then the file.
package import Base
package import Downloads
internal import Postgres

/// The finished files of downloads.
package struct Contents: Sendable {
    let pool: ConnectionPool
    let changes: ChangeHub
    /// Whether a download's destinations are allowed, by the name of its app.
    let isAllowed: @Sendable (Download, String) -> Bool

    /// Warns of files that expire soon, and expires those that are due; any replica does this.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    /// - Returns: how many there were, and whether a webhook was written.
    /// - Throws: `unavailable` or `refused`.
    package func proceed(
        limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> (count: Int, emitsEvent: Bool) {
        let changed = try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                try await Contents.proceed(limit: limit, until: now, in: transaction)
            }
        }
        changes.changed(changed.map(\.download.id))
        let isHeard = !changes.listeners.isEmpty
        return (changed.count, changed.contains { $0.emitsEvent || isHeard && $0.event != nil })
    }

    /// The time at which the next file is warned of or expires; nil if none is kept.
    package func nextChange() async throws(StoreError) -> Timestamp? {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT min(due_at) FROM contents WHERE phase < lull_content_phase('released')")[0]
                .only()
        }
    }

    /// Releases a file at its client's request.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - app: the app's number.
    ///   - condition: judges the download under its lock, so that nothing changes before this.
    /// - Returns: what came of it; a file that is gone already is not released again.
    /// - Throws: `unavailable` or `refused`.
    package func release(
        _ id: Identifier, app: Int64,
        where condition: @escaping @Sendable (DownloadRecord) -> Bool = { _ in true }
    ) async throws(StoreError) -> ReleaseOutcome {
        let (record, end) = try await end(id, as: .released, app: app, where: condition)
        if end == .changed { changes.changed([id]) }
        guard let record else { return .notFound }
        guard record.contentFence != nil else { return .without(record) }
        return end == .refused ? .refused(record) : .done(record)
    }

    /// Records that a file is missing or damaged.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - instance: the data directory that was searched.
    /// - Returns: whether a file should have been there.
    /// - Throws: `unavailable` or `refused`.
    package func markLost(_ id: Identifier, instance: Identifier) async throws(StoreError) -> Bool {
        let (_, end) = try await end(id, as: .lost, instance: instance)
        if end == .changed { changes.changed([id]) }
        return end == .changed
    }

    /// Extends the time of a file that is being read.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - lease: the time.
    ///   - now: the database's clock.
    /// - Throws: `unavailable` or `refused`.
    package func extend(
        _ id: Identifier, by lease: Duration, at now: Timestamp
    ) async throws(StoreError) {
        let end = now + lease
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                WITH d AS (
                    UPDATE download_results SET result = jsonb_set(
                        jsonb_set(result, '{content,first_expires_at}', coalesce(
                            result->'content'->'first_expires_at',
                            result->'content'->'expires_at', 'null')),
                        '{content,expires_at}', to_jsonb($3::text))
                    WHERE id = $1 AND state = lull_state('succeeded')
                        AND coalesce(result->'content'->>'state', 'held') = 'held' RETURNING id)
                UPDATE contents c SET expires_at = $2,
                    due_at = CASE WHEN c.phase = lull_content_phase('warned')
                        THEN $2 ELSE c.due_at END
                FROM d WHERE c.id = d.id AND c.phase < lull_content_phase('released')
                    AND c.expires_at < $2
                """, [id, end, end.rfc3339])
        }
    }

    /// Records the facts of a placed file, and whether it has the download's bytes.
    ///
    /// - Parameters:
    ///   - facts: of the file that was digested.
    ///   - id: the download.
    ///   - fence: the attempt whose file it is; another one's row stays as it is.
    ///   - isChanged: whether the file has other bytes.
    /// - Throws: `unavailable` or `refused`.
    package func note(
        _ facts: FileFacts, of id: Identifier, fence: Int64, isChanged: Bool
    ) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                UPDATE download_results SET result = jsonb_set(
                    CASE WHEN $4 THEN result ELSE result #- '{content,changed}' END,
                    ARRAY['content', CASE WHEN $4 THEN 'changed' ELSE 'file' END], $3::jsonb)
                WHERE id = $1 AND content_fence = $2 AND result ? 'content'
                """, [id, fence, JSONText(facts.text(as: .stored)), isChanged])
        }
        changes.changed([id])
    }

    /// The recorded content of an attempt; nil if it is not the download's content.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func described(
        _ id: Identifier, fence: Int64
    ) async throws(StoreError) -> DownloadContent? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(Downloads.reread, [id])
            guard let row = rows.first else { return nil }
            let record = try DownloadRecord(row)
            return record.contentFence == fence ? record.download.result.content : nil
        }
    }

    /// The files in a data directory that were released, up to a limit.
    package func releasedFiles(
        instance: Identifier, limit: Int
    ) async throws(StoreError) -> [ContentRow] {
        try await rows(
            """
            SELECT c.id, c.fence, c.length FROM contents c
            WHERE c.instance = $1 AND c.phase = lull_content_phase('released')
                -- Others are still to get it.
                AND NOT EXISTS (SELECT 1 FROM flight_ends e
                    WHERE e.leader = c.id AND e.fence = c.fence)
            ORDER BY c.id LIMIT $2
            """, [instance, Int64(limit)])
    }

    /// The files that a data directory has to have, in the order of their names.
    ///
    /// - Parameters:
    ///   - instance: the data directory.
    ///   - after: only those behind this one.
    ///   - limit: at most so many.
    /// - Returns: the files; none behind the last.
    /// - Throws: `unavailable` or `refused`.
    package func expectedFiles(
        instance: Identifier, after: Identifier?, limit: Int
    ) async throws(StoreError) -> [ContentRow] {
        try await rows(
            """
            SELECT id, fence, length FROM contents
            WHERE instance = $1 AND phase < lull_content_phase('released')
                AND ($3::uuid IS NULL OR id > $3)
            ORDER BY id LIMIT $2
            """, [instance, Int64(limit), after])
    }

    /// Forgets files that are removed from the disk.
    package func forget(_ ids: [Identifier]) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                DELETE FROM contents
                WHERE id = ANY ($1) AND phase = lull_content_phase('released')
                """, [ids])
        }
    }

    private func rows(
        _ statement: String, _ parameters: [any ColumnValue]
    ) async throws(StoreError) -> [ContentRow] {
        try await sorting { () throws(PostgresError) in
            var list: [ContentRow] = []
            for row in try await pool.query(statement, parameters) {
                let (id, fence, length): (Identifier, Int64, Int64) = try row.values()
                list.append(ContentRow(id: id, fence: fence, length: length))
            }
            return list
        }
    }
}

extension Downloads {
    /// The finished files of these downloads.
    package var contents: Contents { Contents(pool: pool, changes: changes, isAllowed: isAllowed) }
}
