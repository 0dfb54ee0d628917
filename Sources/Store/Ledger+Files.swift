// Which files the rows remember, and whether an end was recorded.
package import Core
internal import Postgres

/// A file that a row names.
package struct KeptFile: Hashable, Sendable {
    /// The download.
    package let download: Identifier
    /// The attempt.
    package let fence: Int64
    /// Whether it is unfinished.
    package let isPart: Bool

    /// Names a file.
    package init(download: Identifier, fence: Int64, isPart: Bool) {
        self.download = download
        self.fence = fence
        self.isPart = isPart
    }
}

extension Ledger {
    /// The files that the rows of some downloads name.
    ///
    /// - Parameters:
    ///   - ids: the downloads.
    ///   - instance: the data directory; resume points of others count as none.
    /// - Returns: finished files of succeeded downloads, part files that an attempt may go on with.
    /// - Throws: `unavailable` or `refused`.
    package func keptFiles(
        of ids: [Identifier], instance: String
    ) async throws(StoreError) -> Set<KeptFile> {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT d.id, d.win_fence, false FROM downloads d
                WHERE d.id = ANY ($1) AND d.state = 1
                UNION ALL
                SELECT q.id, (q.resume->>'fence')::bigint, true FROM queue q
                WHERE q.id = ANY ($1) AND q.resume->>'instance' = $2
                """, [ids.map { UUIDValue($0) }, instance])
            var kept: Set<KeptFile> = []
            for row in rows {
                guard let fence = try row.get(1, as: Int64?.self) else { continue }
                kept.insert(
                    KeptFile(
                        download: try row.get(0, as: UUIDValue.self).identifier, fence: fence,
                        isPart: try row.get(2)))
            }
            return kept
        }
    }

    /// Whether an attempt's end is in the record: asked when a commit's outcome was unknown.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - fence: the attempt's fence.
    /// - Returns: true if this replica's end of that attempt was committed.
    /// - Throws: `unavailable` or `refused`.
    package func hasRecorded(
        _ id: Identifier, fence: Int64
    ) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT 1 FROM attempts WHERE id = $1 AND fence = $2 AND replica_no = $3
                    AND outcome <> 9 LIMIT 1
                """, [UUIDValue(id), fence, replica])
            return !rows.isEmpty
        }
    }
}
