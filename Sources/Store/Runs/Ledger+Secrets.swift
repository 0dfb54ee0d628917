// The secrets of downloads: read for an attempt, erased at the end.
package import Base
package import Downloads
internal import Postgres

extension Ledger {
    /// The mark in place of a resume point while a request is in progress that must not be sent
    /// twice.
    static let sentMark: JSONObject = ["sent": true]

    /// Marks the row before a request is sent that must not be sent twice.
    ///
    /// - Returns: whether the fence still held.
    package func markSent(_ id: Identifier, fence: Int64) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                UPDATE queue SET resume = $4 WHERE id = $1 AND fence = $2
                    AND state = lull_state('running') AND replica_no = $3 RETURNING 1
                """, [id, fence, replica, JSONText(JSON.object(Ledger.sentMark).text)])
            return !rows.isEmpty
        }
    }

    /// Marks the row before an attempt places its complete file into a folder.
    ///
    /// - Returns: whether an earlier attempt did; nil if the fence does not hold any more.
    package func beginPlacing(_ id: Identifier, fence: Int64) async throws(StoreError) -> Bool? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH old AS MATERIALIZED (
                    SELECT q.id, q.placing_at FROM queue q
                    WHERE q.id = $1 AND q.fence = $2 AND q.replica_no = $3 FOR UPDATE)
                UPDATE queue q SET placing_at = coalesce(o.placing_at, clock_timestamp())
                FROM old o WHERE q.id = o.id RETURNING o.placing_at IS NOT NULL
                """, [id, fence, replica])
            return try rows.first?.only()
        }
    }

    /// Erases, with the ends of runs, the secrets of downloads that left the queue.
    static func erasing(_ runs: [Shared<RunRecord>]) -> [Statement] {
        let ids = runs.filter { $0.value.download.shared.value.request.hasSecrets }.map {
            $0.value.download.id
        }
        guard !ids.isEmpty else { return [] }
        return [
            Statement(
                """
                DELETE FROM download_secrets s WHERE s.id = ANY ($1)
                    AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.id = s.id)
                """, [ids])
        ]
    }
}

extension Downloads {
    /// The sealed secrets of a download's request.
    ///
    /// - Parameters:
    ///   - id: which.
    ///   - session: the key of its session.
    ///   - version: the session's version that it was created under.
    /// - Returns: what there is.
    /// - Throws: `unavailable` or `refused`.
    package func secrets(
        of id: Identifier, session: Int64, version: Int64
    ) async throws(StoreError) -> SealedSecrets {
        try await sorting { () throws(PostgresError) in
            let (own, ofSession): ([UInt8]?, [UInt8]?) = try await pool.query(
                """
                SELECT (SELECT sealed FROM download_secrets WHERE id = $1),
                    (SELECT sealed FROM session_secrets WHERE session_no = $2 AND version = $3)
                """, [id, session, Int32(clamping: version)])[0].values()
            return SealedSecrets(own: own, session: ofSession)
        }
    }

    /// A download's own sealed secrets, or nil.
    package func secrets(of id: Identifier) async throws(StoreError) -> [UInt8]? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT sealed FROM download_secrets
                WHERE id = $1 AND (kept_until IS NULL OR kept_until > statement_timestamp())
                """, [id])
            return try rows.first?.only()
        }
    }

    /// The resume point of a live download; nil for none, and for an ended download.
    package func resumePoint(of id: Identifier) async throws(StoreError) -> ResumePoint? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT resume::text FROM queue WHERE id = $1", [id])
            guard let row = rows.first else { return nil }
            return ResumePoint(stored: try row.object(OnlyColumn.value))
        }
    }

    /// Erases secrets that were given to a download after its end and that no retry has used in
    /// time.
    ///
    /// - Parameter now: the latest instant by which anything may end; nil for the database's clock.
    /// - Returns: how many.
    /// - Throws: `unavailable` or `refused`.
    package func eraseUnusedSecrets(until now: Timestamp? = nil) async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                WITH gone AS (
                    DELETE FROM download_secrets
                    WHERE kept_until < least(statement_timestamp(), $1::timestamptz) RETURNING 1)
                SELECT count(*) FROM gone
                """, [now])[0].only()
        }
    }

    /// Erases secrets without a live download or a retry to wait for; there are none unless an end
    /// failed to erase them.
    ///
    /// - Returns: how many.
    package func eraseOrphanedSecrets() async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                WITH gone AS (
                    DELETE FROM download_secrets s
                    WHERE s.kept_until IS NULL
                        AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.id = s.id) RETURNING 1)
                SELECT count(*) FROM gone
                """)[0].only()
        }
    }
}
