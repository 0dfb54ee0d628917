// Records ends: outcome, attempt, event and outbox in one transaction, guarded by the fence.
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
        throw StoreError(
            .unavailable, "other changes of the ending downloads kept coming in between")
    }

    /// - Returns: those that are recorded, and those that clients have changed meanwhile.
    private func write(
        _ runs: [RunRecord.Box]
    ) async throws(StoreError) -> (recorded: Set<Identifier>, changed: Set<Identifier>) {
        let finish = FinishColumns(runs: runs, replica: replica).statement
        let erase = Ledger.erasing(runs)
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(batch: [finish] + erase)[0]
            var recorded: Set<Identifier> = []
            var changed: Set<Identifier> = []
            for row in rows {
                let id = try row.identifier(FinishColumns.Done.id)
                if try row.bool(FinishColumns.Done.isRecorded) {
                    recorded.insert(id)
                } else {
                    changed.insert(id)
                }
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
                """, [Array(ids)])
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
    package func saveResumePoint(
        _ point: ResumePoint?, for id: Identifier, fence: Int64
    ) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                UPDATE queue SET resume = $4 WHERE id = $1 AND fence = $2
                    AND state = lull_state('running') AND replica_no = $3 RETURNING 1
                """, [id, fence, replica, point.map { JSONText(JSON.object($0.json).text) }])
            return !rows.isEmpty
        }
    }
}

/// A batch of ends as the arrays of one statement.
private struct FinishColumns {
    /// The columns of the answer, a row for each end whose fence still held.
    enum Done: Int, RowColumn {
        case id, isRecorded
    }

    let runs: [RunRecord.Box]
    let replica: Int64

    var statement: Statement {
        let ends = FinishColumns.ends.values(of: self)
        return Statement(
            FinishColumns.sql, FinishColumns.kept.values(of: self, behind: ends))
    }

    private static let sql = """
        WITH done AS MATERIALIZED (SELECT * FROM lull_finish(\(ends.arguments()))),
        kept AS (
            INSERT INTO contents (\(kept.names)) SELECT u.* FROM \(kept.rows(from: ends.count + 1))
            JOIN done ON done.id = u.id AND done.is_recorded)
        SELECT \(Done.list) FROM done
        """

    /// The parameters of `lull_finish`.
    private static let ends: Parameters<FinishColumns> = [
        "replica": { $0.replica },
        "id": { $0.runs.column { $0.record.download.id } },
        "fence": { $0.runs.column { $0.record.fence } },
        "outcome": { $0.runs.column { $0.record.outcome.rawValue } },
        "at": { $0.runs.column { $0.record.at } },
        "run_at": { $0.runs.column { $0.record.runAt } },
        "cool": { $0.runs.column { $0.record.coolOrigin } },
        "bytes": { $0.runs.column { $0.record.download.bytesReceived } },
        "total": { $0.runs.column { $0.record.download.bytesTotal } },
        "attempts_without_progress": {
            $0.runs.column { Int32($0.record.attemptsWithoutProgress) }
        },
        "resume": { $0.runs.column { $0.resume } },
        "result": { $0.runs.column { $0.result } },
        "type": { $0.runs.column { $0.record.event.rawValue } },
        "data": { $0.runs.column { $0.record.eventData } },
        "detail": { $0.runs.column { $0.detail } },
        "started": { $0.runs.column { $0.record.download.startedAt } },
        "origin": { $0.runs.column { $0.record.originKey } },
        "session": { $0.runs.column { $0.record.sessionKey } },
        "app": { $0.runs.column { $0.record.appKey } },
        "next": { $0.runs.column { $0.record.nextOrigin } },
        "sequence": { $0.runs.column { Int32($0.record.download.sequence) } },
        "received": { $0.runs.column { $0.record.received } },
        "sent": { $0.runs.column { $0.record.sent } },
        "reach": { $0.runs.column { $0.record.reach?.rawValue } },
    ]

    /// The files that the ends leave.
    private static let kept: Parameters<FinishColumns> = [
        "id": { $0.kept { run, _ in run.download.id } },
        "instance": { $0.kept { $1.instance } },
        "fence": { $0.kept { run, _ in run.fence } },
        "length": { $0.kept { $1.length } },
        "expires_at": { $0.kept { $1.expiresAt } },
        "due_at": { $0.kept { $1.warnAt } },
    ]

    /// One value of each end with a file.
    private func kept<Value>(_ value: (RunRecord, KeptContent) -> Value) -> [Value] {
        runs.column { run in run.record.content.map { value(run.record, $0) } }.compactMap(\.self)
    }
}

extension RunRecord.Box {
    fileprivate var resume: JSONText? {
        (record.resume?.json ?? (record.wasSent ? Ledger.sentMark : nil))
            .map { JSONText(JSON.object($0).text) }
    }

    fileprivate var result: JSONText {
        JSONText(
            record.download.outcome.result.compacted(of: record.download.url).bytes(as: .stored))
    }

    fileprivate var detail: JSONText {
        JSONText(record.detail.compacted(of: record.download.url).bytes(as: .stored))
    }
}
