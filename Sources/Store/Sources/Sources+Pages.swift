// The looks and versions of a source, in pages, and their end.
package import Base
internal import Downloads
internal import Postgres
internal import Scheduling

extension Sources {
    /// The time for which looks are kept.
    package static let looksKept = Duration.seconds(7 * 86_400)
    /// The most versions of a source that are kept.
    package static let versionsAtMost: Int64 = 1000

    /// The looks of a source, the latest first.
    ///
    /// - Parameters:
    ///   - source: the source's number.
    ///   - before: only those before this number; nil from the latest on.
    ///   - limit: at most so many.
    /// - Returns: the page.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func looks(
        of source: Int64, before: Int64?, limit: Int
    ) async throws(StoreError) -> [LookRecord] {
        try await page("source_looks l", LookColumn.lookNo, of: source, before, limit) {
            row throws(PostgresError) in try LookRecord(row)
        }
    }

    /// The versions of a source, the latest first.
    ///
    /// - Parameters:
    ///   - source: the source's number.
    ///   - before: only those before this number; nil from the latest on.
    ///   - limit: at most so many.
    /// - Returns: the page.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func versions(
        of source: Int64, before: Int64?, limit: Int
    ) async throws(StoreError) -> [SourceVersionRecord] {
        try await page("source_versions v", VersionColumn.versionNo, of: source, before, limit) {
            row throws(PostgresError) in try SourceVersionRecord(row)
        }
    }

    /// The rows of a source in one of its tables, the latest first.
    ///
    /// - Parameters:
    ///   - table: the table with the alias of its columns.
    ///   - number: the column that numbers the rows of the source upwards.
    ///   - source: the source's number.
    ///   - before: only rows before this number; nil from the latest on.
    ///   - limit: at most so many.
    ///   - read: reads a row.
    /// - Returns: the page.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    func page<Column: RowColumn, Value: Sendable>(
        _ table: String, _ number: Column, of source: Int64, _ before: Int64?, _ limit: Int,
        _ read: @escaping @Sendable (Row) throws(PostgresError) -> Value
    ) async throws(StoreError) -> [Value] {
        try await sorting { () throws(PostgresError) in
            let rows = try await downloads.lists.query(
                """
                SELECT \(Column.list) FROM \(table)
                WHERE source_no = $1 AND ($2::bigint IS NULL OR \(number.sql) < $2)
                ORDER BY \(number.sql) DESC LIMIT $3
                """, [source, before, Int64(limit)])
            return try rows.map { row throws(PostgresError) in try read(row) }
        }
    }

    /// Removes the rows of looks that ended a week ago, and the downloads of those that found no
    /// change.
    ///
    /// - Parameters:
    ///   - limit: at most so many.
    ///   - until: the latest instant by which anything may end; nil while the clock is not steady.
    /// - Returns: how many.
    /// - Throws: `unavailable` or `refused`.
    package func forgetLooks(limit: Int, until: Timestamp?) async throws(StoreError) -> Int {
        guard let until else { return 0 }
        let old = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT l.look_no, CASE WHEN l.outcome IN (lull_look_outcome('unchanged_304'),
                    lull_look_outcome('unchanged_digest')) THEN l.download_id END
                FROM source_looks l WHERE l.ended_at < $2 - $3 * interval '1 second'
                ORDER BY l.ended_at LIMIT $1
                """, [Int64(limit), until, Sources.looksKept.components.seconds])
            return try rows.map { row throws(PostgresError) in
                try row.values() as (Int64, Identifier?)
            }
        }
        for case (_, let id?) in old { try await forgetUnchanged(id) }
        guard !old.isEmpty else { return 0 }
        return try await sorting { () throws(PostgresError) in
            try await pool.query(
                "DELETE FROM source_looks WHERE look_no = ANY ($1)", [old.map(\.0)]
            ).affected
        }
    }

    /// Deletes the download of a look that found no change, unless a client retried it.
    private func forgetUnchanged(_ id: Identifier) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let ended = try await transaction.query(
                    """
                    SELECT 1 FROM download_results r WHERE r.id = $1
                        AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.id = $1) FOR UPDATE OF r
                    """, [id])
                guard !ended.isEmpty else { return }
                try await Downloads.delete(id, in: transaction)
            }
        }
    }
}
