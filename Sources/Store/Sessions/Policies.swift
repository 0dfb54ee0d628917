// The policy document of the deployment, versioned.
package import Core
package import Postgres

/// The deployment's policy.
package struct Policies: Sendable {
    /// How many versions are kept.
    static let versionsKept = 100

    private let pool: ConnectionPool

    /// Reads and writes over a pool.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// The policy in force, or nil if none was ever set.
    package func current() async throws(StoreError) -> StoredPolicy? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT version, document::text, updated_at FROM policies WHERE app_no = 0")
            guard let row = rows.first else { return nil }
            return try Policies.policy(row)
        }
    }

    /// The versions that are kept, the newest first.
    package func versions(
        before version: Int64 = .max, limit: Int
    ) async throws(StoreError) -> [StoredPolicy] {
        try await sorting { () throws(PostgresError) in
            var versions: [StoredPolicy] = []
            for row in try await pool.query(
                """
                SELECT version, document::text, created_at FROM policy_versions
                WHERE app_no = 0 AND version < $1 ORDER BY version DESC LIMIT $2
                """, [version, Int64(limit)])
            { versions.append(try Policies.policy(row)) }
            return versions
        }
    }

    /// Replaces or deletes the policy.
    ///
    /// - Parameters:
    ///   - document: the new one, already judged; nil deletes.
    ///   - condition: judges the current version under its lock, and whether there is a document;
    ///     0 means that there was none yet.
    /// - Returns: the stored policy, or the version that was refused.
    /// - Throws: `unavailable` or `refused`.
    package func replace(
        document: JSONObject?,
        where condition: @escaping @Sendable (Int64, _ isStored: Bool) -> Bool = { _, _ in true }
    ) async throws(StoreError) -> PolicyReplacement {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                // One row at most, so the lock of the table's writers is the lock of the policy.
                try await transaction.script("LOCK TABLE policies IN SHARE ROW EXCLUSIVE MODE")
                let rows = try await transaction.query(
                    "SELECT version, document IS NOT NULL FROM policies WHERE app_no = 0")
                let current = Int64(try rows.first?.get(0, as: Int32.self) ?? 0)
                let isStored = try rows.first?.get(1, as: Bool.self) ?? false
                guard condition(current, isStored) else {
                    return .refused(current: current, isStored: isStored)
                }
                let stored = try await transaction.query(
                    """
                    INSERT INTO policies (app_no, version, document) VALUES (0, 1, $1)
                    ON CONFLICT (app_no) DO UPDATE SET version = policies.version + 1,
                        document = excluded.document, updated_at = clock_timestamp()
                    RETURNING version, document::text, updated_at
                    """, [document.map { JSONText(JSON.object($0).text) }])
                _ = try await transaction.query("UPDATE facts_version SET version = version + 1")
                _ = try await transaction.query(
                    """
                    INSERT INTO policy_versions (app_no, version, document, created_at)
                    SELECT app_no, version, document, updated_at FROM policies WHERE app_no = 0
                    ON CONFLICT (app_no, version) DO UPDATE SET
                        document = excluded.document, created_at = excluded.created_at
                    """)
                _ = try await transaction.query(
                    "DELETE FROM policy_versions WHERE app_no = 0 AND version <= $1",
                    [current + 1 - Int64(Policies.versionsKept)])
                return .stored(try Policies.policy(stored[0]))
            }
        }
    }

    private static func policy(_ row: Row) throws(PostgresError) -> StoredPolicy {
        StoredPolicy(
            version: Int64(try row.get(0, as: Int32.self)),
            document: try DownloadRecord.object(row, 1),
            isStored: try row.get(1, as: String?.self) != nil,
            updatedAt: try row.get(2, as: TimestampValue.self).timestamp)
    }
}
