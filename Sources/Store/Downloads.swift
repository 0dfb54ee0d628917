// Reading downloads, and what clients do to them.
package import Core
package import Postgres

/// The downloads of all apps, as the API asks for them.
package struct Downloads: Sendable {
    let pool: ConnectionPool
    let changes: ChangeHub

    /// Reads and writes over a pool; those who wait for a change are told.
    package init(pool: ConnectionPool, changes: ChangeHub) {
        self.pool = pool
        self.changes = changes
    }

    /// One download, or nil if the app has none of that name.
    package func find(
        _ id: Identifier, app: Int64
    ) async throws(StoreError) -> DownloadRecord? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(Downloads.findStatement, [UUIDValue(id), app])
            guard let row = rows.first else { return nil }
            return try DownloadRecord(row)
        }
    }

    /// A page of downloads, the newest first.
    ///
    /// - Parameters:
    ///   - app: whose.
    ///   - session: only of this session.
    ///   - states: only in one of these; empty means any.
    ///   - before: only older ones than this.
    ///   - limit: at most so many.
    /// - Returns: the page.
    /// - Throws: `unavailable` or `refused`.
    package func list(
        app: Int64, session: String?, states: Set<DownloadState>, before: Identifier?, limit: Int
    ) async throws(StoreError) -> [DownloadRecord] {
        let numbers = states.compactMap { DownloadRecord.statusNumbers[$0] }.sorted()
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables)
                WHERE d.app_no = $1 AND ($2::text IS NULL OR d.session = $2)
                    AND ($3::uuid IS NULL OR d.id < $3)
                    AND (cardinality($4::smallint[]) = 0 OR \(DownloadRecord.status) = ANY ($4))
                ORDER BY d.id DESC LIMIT $5
                """,
                [app, session, before.map { UUIDValue($0) }, numbers, Int64(limit)])
            var page: [DownloadRecord] = []
            for row in rows { page.append(try DownloadRecord(row)) }
            return page
        }
    }

    static let findStatement = """
        SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables)
        WHERE d.id = $1 AND d.app_no = $2
        """
}
