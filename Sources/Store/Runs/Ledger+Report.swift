// The progress of running downloads: written to their rows, with an event on request.
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
                """, [UUIDValue(id), fence, replica])
            return try rows.first?.get(0, as: TimestampValue.self).timestamp
        }
    }

    /// - Returns: those whose fence held, and those of them whose event was not written because a
    ///   client has changed the download.
    private func write(
        _ runs: [RunProgress]
    ) async throws(StoreError) -> (accepted: Set<Identifier>, changed: Set<Identifier>) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                Ledger.progressStatement,
                [
                    replica, runs.map { UUIDValue($0.download.id) }, runs.map(\.fence),
                    runs.map(\.download.bytesReceived), runs.map(\.download.bytesTotal),
                    runs.map { $0.resume.map { JSONText(JSON.object($0.json).text) } },
                    runs.map { $0.emitsEvent ? $0.download.eventData() : nil },
                    runs.map { Int32($0.download.sequence) },
                    runs.map(\.download.bytesPerSecond), runs.map { TimestampValue($0.at) },
                ])
            var accepted: Set<Identifier> = []
            var changed: Set<Identifier> = []
            for row in rows {
                let id = try row.get(0, as: UUIDValue.self).identifier
                accepted.insert(id)
                if try row.get(1, as: Bool.self) { changed.insert(id) }
            }
            return (accepted, changed)
        }
    }

    private static let progressStatement = """
        SELECT id, is_changed FROM lull_report_progress($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """
}
