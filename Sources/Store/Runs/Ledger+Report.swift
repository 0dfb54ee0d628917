// Writes the progress of running downloads, with an event on request.
package import Base
internal import Downloads
internal import Postgres

extension Ledger {
    /// Writes the progress of running downloads, and the requested progress events.
    ///
    /// - Returns: those whose fence still held.
    package func report(_ runs: [RunProgress]) async throws(StoreError) -> Set<Identifier> {
        let (accepted, changed) = try await write(runs)
        if !changed.isEmpty {
            // Clients have changed these downloads meanwhile, so their events show the present
            // members. A download that is changed once more gets another progress event soon.
            let now = try await current(changed)
            let again = runs.compactMap { run -> RunProgress? in
                guard run.emitsEvent, let download = now[run.download.id] else { return nil }
                var run = run
                run.download.take(download)
                run.download.sequence = download.sequence + 1
                return run
            }
            _ = try await write(again)
        }
        changes.changed(accepted)
        return accepted
    }

    /// The deadline of a running download; nil if the fence is no longer valid.
    package func deadline(
        of id: Identifier, fence: Int64
    ) async throws(StoreError) -> Timestamp? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT deadline FROM queue WHERE id = $1 AND fence = $2 AND replica_no = $3
                """, [id, fence, replica])
            return try rows.first?.only()
        }
    }

    /// - Returns: those whose fence held, and those of them whose event was not written because a
    ///   client has changed the download.
    private func write(
        _ runs: [RunProgress]
    ) async throws(StoreError) -> (accepted: Set<Identifier>, changed: Set<Identifier>) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                Ledger.progressStatement, ProgressRow.fields.values(of: runs, behind: [replica]))
            var accepted: Set<Identifier> = []
            var changed: Set<Identifier> = []
            for row in rows {
                let id = try row.identifier(Column.id)
                accepted.insert(id)
                if try row.bool(Column.isChanged) { changed.insert(id) }
            }
            return (accepted, changed)
        }
    }

    private enum Column: Int, RowColumn {
        case id, isChanged
    }

    private static let progressStatement = """
        SELECT \(Column.list) FROM lull_report_progress($1,
            \(ProgressRow.fields.records("run_progress", from: 2)))
        """
}
