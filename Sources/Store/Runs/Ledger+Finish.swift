// Recording: outcome, attempt, event and outbox in one transaction, guarded by the fence.
package import Base
package import Downloads
internal import Postgres
internal import Scheduling

extension Download {
    /// Takes the members that a client may change while the download runs.
    mutating func take(_ now: Download) {
        priority = now.priority
        earliestBeginDate = now.earliestBeginDate
        spec = now.spec
    }
}

extension Ledger {
    /// Records ends; see `finish(_:)` for records in boxes.
    package func finish(_ runs: [RunRecord]) async throws(StoreError) -> Set<Identifier> {
        try await finish(runs.map { RunRecord.Box($0) })
    }

    /// Records ends.
    ///
    /// An end is recorded only with the download's present members: if a client changed some while
    /// it ran they are read again, and the event shows the present ones.
    ///
    /// - Parameter runs: ends of different downloads.
    /// - Returns: those whose fence still held.
    /// - Throws: `unavailable`, after which the outcome may be unknown, or `refused`.
    package func finish(_ runs: [RunRecord.Box]) async throws(StoreError) -> Set<Identifier> {
        var accepted: Set<Identifier> = []
        var rest = runs
        for _ in 0..<16 {
            let written = try await write(rest)
            accepted.formUnion(written.recorded)
            guard !written.changed.isEmpty else {
                changes.changed(accepted)
                return accepted
            }
            let now = try await current(written.changed)
            rest = rest.compactMap { run in
                var record = run.record
                guard let download = now[record.download.id] else { return nil }
                record.take(download)
                return RunRecord.Box(record)
            }
        }
        changes.changed(accepted)
        throw StoreError(.unavailable, "downloads that end are changed again and again")
    }

    /// - Returns: those that are recorded, and those that clients have changed meanwhile.
    private func write(
        _ runs: [RunRecord.Box]
    ) async throws(StoreError) -> (recorded: Set<Identifier>, changed: Set<Identifier>) {
        let parameters = FinishColumns(runs: runs, replica: replica).parameters
        let finish = Statement(FinishColumns.statement, parameters)
        let erase = Ledger.erasing(runs)
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(batch: [finish] + erase)[0]
            var recorded: Set<Identifier> = []
            var changed: Set<Identifier> = []
            for row in rows {
                guard let id = try row.uuid(0)?.identifier, let isRecorded = try row.bool(1) else {
                    throw PostgresError(.decoding, "the end of a run is NULL")
                }
                if isRecorded { recorded.insert(id) } else { changed.insert(id) }
            }
            return (recorded, changed)
        }
    }

    /// The present downloads by their identifiers.
    func current(
        _ ids: Set<Identifier>
    ) async throws(StoreError) -> [Identifier: Download] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables)
                WHERE d.id = ANY ($1)
                """, [ids.map { UUIDValue($0) }])
            var found: [Identifier: Download] = [:]
            for row in rows {
                let download = try DownloadRecord(row).download
                found[download.id] = download
            }
            return found
        }
    }

    /// Writes a resume point at once; nil for none.
    ///
    /// - Returns: whether the fence still held.
    package func remember(
        _ point: ResumePoint?, for id: Identifier, fence: Int64
    ) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                UPDATE queue SET resume = $4 WHERE id = $1 AND fence = $2
                    AND state = lull_live_state('running') AND replica_no = $3 RETURNING 1
                """,
                [
                    UUIDValue(id), fence, replica,
                    point.map { JSONText(JSON.object($0.json).text) },
                ])
            return !rows.isEmpty
        }
    }
}

/// A batch of ends as the arrays of one statement.
private struct FinishColumns {
    static let statement = """
        WITH done AS MATERIALIZED (
            SELECT * FROM lull_finish($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
                $14, $15, $16, $17, $18, $27, $25, $26, p_received => $28, p_sent => $29,
                p_reach => $30)),
        kept AS (
            INSERT INTO contents (id, instance, fence, length, expires_at, due_at)
            SELECT u.* FROM unnest($19::uuid[], $20::uuid[], $21::bigint[], $22::bigint[],
                $23::timestamptz[], $24::timestamptz[])
                u(id, instance, fence, length, expires_at, due_at)
            JOIN done ON done.id = u.id AND done.is_recorded)
        SELECT id, is_recorded FROM done
        """

    let runs: [RunRecord.Box]
    let replica: Int64

    var parameters: [any ColumnValue] {
        [
            replica,
            runs.column { UUIDValue($0.record.download.id) },
            runs.column { $0.record.fence },
            runs.column { $0.record.outcome.recorded.rawValue },
            runs.column { TimestampValue($0.record.at) },
            runs.column { $0.record.runAt.map { TimestampValue($0) } },
            runs.column { $0.record.coolOrigin.map { TimestampValue($0) } },
            runs.column { $0.record.download.bytesReceived },
            runs.column { $0.record.download.bytesTotal },
            runs.column { Int32($0.record.attemptsWithoutProgress) },
            runs.column { run in
                (run.record.resume?.json ?? (run.record.wasSent ? Ledger.sentMark : nil))
                    .map { JSONText(JSON.object($0).text) }
            },
            runs.column {
                JSONText(
                    $0.record.download.outcome.result.compacted(of: $0.record.download.url).bytes(
                        as: .stored))
            },
            runs.column { $0.record.event.rawValue },
            runs.column { $0.record.eventData },
            runs.column {
                JSONText($0.record.detail.compacted(of: $0.record.download.url).bytes(as: .stored))
            },
            runs.column { $0.record.download.startedAt.map { TimestampValue($0) } },
            runs.column { $0.record.originKey },
            runs.column { $0.record.sessionKey },
            kept { run, _ in UUIDValue(run.download.id) },
            kept { UUIDValue($1.instance) },
            kept { run, _ in run.fence },
            kept { $1.length },
            kept { TimestampValue($1.expiresAt) },
            kept { TimestampValue($1.warnAt) },
            runs.column { $0.record.nextOrigin },
            runs.column { Int32($0.record.download.sequence) },
            runs.column { $0.record.appKey },
            runs.column { $0.record.received },
            runs.column { $0.record.sent },
            runs.column { $0.record.reach?.rawValue },
        ]
    }

    /// One value of each end with a file.
    private func kept<Value>(_ value: (RunRecord, KeptContent) -> Value) -> [Value] {
        runs.column { run in run.record.content.map { value(run.record, $0) } }.compactMap(\.self)
    }
}
