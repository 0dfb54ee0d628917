// Puts downloads back to fetching whose files waited for object stores on a replica that is gone.
package import Base
internal import Downloads
internal import Postgres
internal import Scheduling

extension Downloads {
    private enum Column: Int, RowColumn {
        case id, session, origin, app, now, resume, lane
    }

    /// Puts downloads back to fetching whose received files lay in a data directory that is gone,
    /// and were to go to a store.
    ///
    /// The upload that the last owner has begun stays in the row, so that the next one aborts it.
    /// A file for a receiver waits on, because it may have been taken.
    ///
    /// - Parameters:
    ///   - instance: the data directory.
    ///   - limit: at most so many.
    /// - Returns: how many.
    /// - Throws: `unavailable` or `refused`.
    package func refetchReceived(
        from instance: Identifier, limit: Int
    ) async throws(StoreError) -> Int {
        let ids = try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let rows = try await transaction.query(
                    """
                    SELECT q.id, d.session_no::bigint, d.origin_key, q.app_no::bigint,
                        clock_timestamp(), q.resume, q.lane_no
                    FROM queue q JOIN downloads d ON d.id = q.id
                    WHERE q.resume->>'instance' = $1 AND q.resume ? 'received'
                        AND q.state IN (lull_state('waiting'), lull_state('suspended'),
                            lull_state('attention_required'))
                        AND d.spec->'destination'->'store' IS NOT NULL AND NOT d.is_upload
                    ORDER BY q.id LIMIT $2 FOR UPDATE OF q SKIP LOCKED
                    """, [instance.hexadecimal, Int64(limit)])
                var ids: [Identifier] = []
                for row in rows { ids.append(try await refetch(row, in: transaction)) }
                try await Downloads.enterLanes(ids, in: transaction)
                let left = try rows.map { row throws(PostgresError) in
                    try row.optionalInteger(Column.lane)
                }
                _ = try await transaction.query(
                    "SELECT count(*) FROM lull_settle_lanes($1)", [left.compactMap(\.self)])
                return ids
            }
        }
        changes.changed(ids)
        return ids.count
    }

    private func refetch(
        _ row: Row, in transaction: Transaction
    ) async throws(PostgresError) -> Identifier {
        let id: Identifier = try row.get(Column.id)
        var download = try DownloadRecord(
            try await transaction.query(Downloads.reread, [id])[0]
        ).download
        let old = ResumePoint(stored: try row.object(Column.resume))
        download.holder = nil
        let origin = try row.integer(Column.origin)
        let lane = LaneKey(
            of: download, app: try row.integer(Column.app),
            session: try row.integer(Column.session), origin: origin, facets: facets.scheme,
            at: try row.requiredInstant(Column.now))
        let facet = try await facets.number(of: lane.facet, in: transaction)
        let point = old.flatMap { Downloads.memory(of: $0) }
        _ = try await transaction.query(
            """
            UPDATE queue SET resume = $2, origin_key = $3, facet = $4, lane_flags = $5, bytes = 0
            WHERE id = $1
            """,
            [
                id, point.map { JSONText(JSON.object($0.json).text) }, origin, facet,
                lane.laneFlags.rawValue,
            ])
        return id
    }

    /// A point without bytes that remembers the upload and the mirrors; nil without either.
    private static func memory(of old: ResumePoint) -> ResumePoint? {
        guard old.upload != nil || old.mirrors != nil else { return nil }
        var point = ResumePoint(mismatches: 0, fence: old.fence, instance: old.instance)
        (point.upload, point.mirrors) = (old.upload, old.mirrors)
        return point
    }
}
