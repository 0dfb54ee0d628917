// Reading downloads, and what clients do to them.
package import Core
package import Postgres

/// The downloads of all apps, as the API asks for them.
package struct Downloads: Sendable {
    let pool: ConnectionPool
    let changes: ChangeHub
    private let reads: DownloadReads

    /// Reads and writes over a pool; waiters are woken by changes.
    package init(pool: ConnectionPool, changes: ChangeHub) {
        self.pool = pool
        self.changes = changes
        reads = DownloadReads(pool: pool)
    }

    /// One download, or nil if the app has none of that name.
    package func find(
        _ id: Identifier, app: Int64
    ) async throws(StoreError) -> DownloadRecord? {
        try await reads.find(DownloadReads.Key(id: id, app: app))
    }

    /// A page of downloads.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - filter: which.
    ///   - order: in which order.
    ///   - after: only those behind this one in the order.
    ///   - limit: at most so many.
    /// - Returns: the page.
    /// - Throws: `unavailable` or `refused`.
    package func list(
        app: Int64, _ filter: DownloadFilter, order: DownloadOrder = .newestFirst,
        after: Identifier?, limit: Int
    ) async throws(StoreError) -> [DownloadRecord] {
        let statement =
            filter.isLive ? DownloadFilter.listLive(order) : DownloadFilter.listAll(order)
        return try await sorting { () throws(PostgresError) in
            let parameters: [any ColumnValue] =
                filter.parameters(app: app) + [after.map { UUIDValue($0) }, Int64(limit)]
            let rows = try await pool.query(batch: [
                DownloadFilter.inOrder, Statement(statement, parameters, isPrepared: false),
            ])[1]
            var page: [DownloadRecord] = []
            for row in rows { page.append(try DownloadRecord(row)) }
            return page
        }
    }

    /// What keeps the queue's own tables.
    package var queue: QueueUpkeep { QueueUpkeep(pool: pool) }

    static let findStatement = """
        SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables)
        WHERE d.id = $1 AND d.app_no = $2
        """
}
