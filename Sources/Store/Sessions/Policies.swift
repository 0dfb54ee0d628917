// The policy document of the deployment, versioned.
package import Core
package import Postgres

/// The deployment's policy.
package struct Policies: Sendable {
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

    /// Replaces the policy.
    ///
    /// - Parameters:
    ///   - document: the new one, already judged.
    ///   - condition: judges the current version under its lock; 0 means that there is none yet.
    /// - Returns: the stored policy, or the version that was refused.
    /// - Throws: `unavailable` or `refused`.
    package func replace(
        document: JSONObject, where condition: @escaping @Sendable (Int64) -> Bool = { _ in true }
    ) async throws(StoreError) -> PolicyReplacement {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                // One row at most, so the lock of the table's writers is the lock of the policy.
                try await transaction.script("LOCK TABLE policies IN SHARE ROW EXCLUSIVE MODE")
                let rows = try await transaction.query(
                    "SELECT version FROM policies WHERE app_no = 0")
                let current = Int64(try rows.first?.get(0, as: Int32.self) ?? 0)
                guard condition(current) else { return .refused(current: current) }
                let stored = try await transaction.query(
                    """
                    INSERT INTO policies (app_no, version, document) VALUES (0, 1, $1)
                    ON CONFLICT (app_no) DO UPDATE SET version = policies.version + 1,
                        document = excluded.document, updated_at = clock_timestamp()
                    RETURNING version, document::text, updated_at
                    """, [JSONText(JSON.object(document).text)])
                return .stored(try Policies.policy(stored[0]))
            }
        }
    }

    private static func policy(_ row: Row) throws(PostgresError) -> StoredPolicy {
        StoredPolicy(
            version: Int64(try row.get(0, as: Int32.self)),
            document: try DownloadRecord.object(row, 1),
            updatedAt: try row.get(2, as: TimestampValue.self).timestamp)
    }
}
