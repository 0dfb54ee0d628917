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
        try await finish(runs.map { Shared($0) })
    }

    /// Records ends.
    ///
    /// An end is recorded only with the download's present members: if a client changed some while
    /// it ran they are read again, and the event shows the present ones.
    ///
    /// - Parameter runs: ends of different downloads.
    /// - Returns: those whose fence still held.
    /// - Throws: `unavailable`, after which the outcome may be unknown, or `refused`.
    package func finish(_ runs: [Shared<RunRecord>]) async throws(StoreError) -> Set<Identifier> {
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
                var record = run.value
                guard let download = now[record.download.id] else { return nil }
                record.take(download)
                return Shared(record)
            }
        }
        changes.changed(accepted)
        throw StoreError(
            .unavailable, "other changes of the ending downloads kept coming in between")
    }

    /// Gives the facets of lanes that downloads move to their numbers.
    private func numbered(
        _ runs: [Shared<RunRecord>]
    ) async throws(StoreError) -> [Shared<RunRecord>] {
        let wanted = Set(runs.compactMap { $0.value.nextLane?.facet })
        guard !wanted.isEmpty else { return runs }
        let numbers = try await sorting { () throws(PostgresError) in
            try await FacetBook().numbers(of: wanted, pool)
        }
        return runs.map { run in
            guard let facet = run.value.nextLane?.facet else { return run }
            var record = run.value
            record.nextLane?.number = numbers[facet] ?? 0
            return Shared(record)
        }
    }

    /// - Returns: those that are recorded, and those that clients have changed meanwhile.
    private func write(
        _ runs: [Shared<RunRecord>]
    ) async throws(StoreError) -> (recorded: Set<Identifier>, changed: Set<Identifier>) {
        let runs = try await numbered(runs)
        let finish = FinishStatement.statement(runs, by: replica)
        let erase = Ledger.erasing(runs)
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(batch: [finish] + erase)[0]
            var recorded: Set<Identifier> = []
            var changed: Set<Identifier> = []
            for row in rows {
                let id = try row.identifier(FinishStatement.Done.id)
                if try row.bool(FinishStatement.Done.isRecorded) {
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

/// The statement that records ends and the files that they leave.
private struct FinishStatement {
    /// The columns of the answer, a row for each end whose fence still held.
    enum Done: Int, RowColumn {
        case id, isRecorded
    }

    static let text = """
        WITH done AS MATERIALIZED (
            SELECT * FROM lull_finish($1, \(AttemptEnd.fields.records("attempt_end", from: 3)),
                ARRAY(SELECT p * interval '1 microsecond' FROM unnest($2) p))),
        kept AS (
            INSERT INTO contents (\(kept.names))
            SELECT u.* FROM \(kept.rows(from: AttemptEnd.fields.count + 3))
            JOIN done ON done.id = u.id AND done.is_recorded)
        SELECT \(Done.list) FROM done
        """

    static func statement(_ runs: [Shared<RunRecord>], by replica: Int64) -> Statement {
        let ends = AttemptEnd.fields.values(
            of: runs, behind: [replica, Outage.pauses.map(\.wholeMicroseconds)])
        let files = runs.column { run in
            run.value.content.map { content in
                KeptFile(id: run.value.download.id, fence: run.value.fence, content: content)
            }
        }
        return Statement(text, kept.values(of: files.compactMap(\.self), behind: ends))
    }

    /// A file that an end leaves.
    private struct KeptFile {
        let id: Identifier
        let fence: Int64
        let content: KeptContent
    }

    private static let kept: Parameters<[KeptFile]> = [
        "id": { $0.map(\.id) },
        "instance": { $0.map(\.content.instance) },
        "fence": { $0.map(\.fence) },
        "length": { $0.map(\.content.length) },
        "expires_at": { $0.map(\.content.expiresAt) },
        "due_at": { $0.map(\.content.warnAt) },
    ]
}
