// The policy documents of the deployment and of its apps, versioned.
package import Base
package import Postgres
internal import Scheduling

/// The policies; app 0 is the deployment.
package struct Policies: Sendable {
    /// The number of versions that are kept.
    static let versionsKept = 100
    /// The most apps with policies, because every replica keeps all of them.
    package static let appsAtMost = 1000

    private enum Column: Int, RowColumn {
        case version, document, updatedAt
    }

    private let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// The policy in force, or nil if none was ever set.
    package func current(of app: Int64 = 0) async throws(StoreError) -> StoredPolicy? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT \(Column.list) FROM policies WHERE app_no = $1", [app])
            guard let row = rows.first else { return nil }
            return try Policies.policy(row)
        }
    }

    /// All documents, at one instant.
    package func documents() async throws(StoreError) -> PolicyDocuments {
        try await sorting { () throws(PostgresError) in
            var documents = PolicyDocuments()
            for row in try await pool.query(
                """
                SELECT \(Column.list(of: "p")), n.name
                FROM policies p LEFT JOIN apps n ON n.app_no = p.app_no
                WHERE p.app_no = 0 OR n.name IS NOT NULL ORDER BY p.app_no
                """)
            {
                let policy = try Policies.policy(row)
                documents.version += policy.version
                if let name = try row.behind(Column.self).only(as: String?.self) {
                    guard policy.isStored else { continue }
                    documents.apps.append(
                        Policy.AppDocument(app: name, document: policy.document))
                } else {
                    documents.deployment = policy
                }
            }
            return documents
        }
    }

    /// The number of an app by its name; nil if there is none.
    package func number(ofApp name: String) async throws(StoreError) -> Int64? {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT app_no FROM apps WHERE name = $1", [name]).first?.only()
        }
    }

    /// The kept versions, the newest first.
    package func versions(
        of app: Int64 = 0, before version: Int64 = .max, limit: Int
    ) async throws(StoreError) -> [StoredPolicy] {
        try await sorting { () throws(PostgresError) in
            var versions: [StoredPolicy] = []
            for row in try await pool.query(
                """
                SELECT version, document, created_at FROM policy_versions
                WHERE app_no = $3 AND version < $1 ORDER BY version DESC LIMIT $2
                """, [version, Int64(limit), app])
            { versions.append(try Policies.policy(row)) }
            return versions
        }
    }

    /// A change of a policy: the instant, the app's name or nil for the deployment, and the
    /// document or nil for a deletion.
    package typealias Change = (at: Timestamp, app: String?, document: JSONObject?)

    /// The changes of all policies since an instant, in order, after the documents that were in
    /// force then.
    ///
    /// - Parameter start: the instant.
    /// - Returns: the last changes, at most some hundred; those of apps that are gone are left out.
    /// - Throws: `unavailable` or `refused`.
    package func changes(since start: Timestamp) async throws(StoreError) -> [Change] {
        try await sorting { () throws(PostgresError) in
            var changes: [Change] = []
            for row in try await pool.query(
                """
                SELECT z.version, z.document, z.created_at, z.name FROM (
                    SELECT n.name, v.document, v.created_at, v.app_no, v.version
                    FROM policy_versions v LEFT JOIN apps n ON n.app_no = v.app_no
                    WHERE (v.app_no = 0 OR n.name IS NOT NULL) AND v.version >= coalesce((
                        SELECT max(o.version) FROM policy_versions o
                        WHERE o.app_no = v.app_no AND o.created_at <= $1), 0)
                    ORDER BY v.created_at DESC, v.app_no, v.version DESC LIMIT 1000) z
                ORDER BY z.created_at, z.app_no, z.version
                """, [start])
            {
                let policy = try Policies.policy(row)
                changes.append(
                    (
                        at: policy.updatedAt, app: try row.behind(Column.self).only(),
                        document: policy.isStored ? policy.document : nil
                    ))
            }
            return changes
        }
    }

    /// Replaces or deletes a policy.
    ///
    /// - Parameters:
    ///   - app: whose; 0 for the deployment's.
    ///   - document: the new one, already judged; nil deletes.
    ///   - condition: judges the current version under its lock, and whether there is a document;
    ///     0 means that there was none yet.
    /// - Returns: the stored policy, or the version that was refused.
    /// - Throws: `unavailable` or `refused`.
    package func replace(
        of app: Int64 = 0, document: JSONObject?,
        where condition: @escaping @Sendable (Int64, _ isStored: Bool) -> Bool = { _, _ in true }
    ) async throws(StoreError) -> PolicyReplacement {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                // Writes are few, so the lock of the table's writers serves as the lock of all
                // policies.
                try await transaction.script("LOCK TABLE policies IN SHARE ROW EXCLUSIVE MODE")
                let rows = try await transaction.query(
                    "SELECT version, document IS NOT NULL FROM policies WHERE app_no = $1", [app])
                let (current, isStored): (Int64, Bool) = try rows.first?.values() ?? (0, false)
                guard condition(current, isStored) else {
                    return .refused(current: current, isStored: isStored)
                }
                if app != 0, document != nil, !isStored {
                    let others = try await transaction.query(
                        "SELECT count(*) FROM policies WHERE app_no <> 0 AND document IS NOT NULL")
                    guard try others[0].only(as: Int64.self) < Policies.appsAtMost else {
                        return .tooMany
                    }
                }
                let stored = try await transaction.query(
                    """
                    INSERT INTO policies (app_no, version, document) VALUES ($2, 1, $1)
                    ON CONFLICT (app_no) DO UPDATE SET version = policies.version + 1,
                        document = excluded.document, updated_at = clock_timestamp()
                    RETURNING \(Column.list)
                    """, [document.map { JSONText(JSON.object($0).text) }, app])
                _ = try await transaction.query("UPDATE facts_version SET version = version + 1")
                _ = try await transaction.query(
                    """
                    INSERT INTO policy_versions (app_no, version, document, created_at)
                    SELECT app_no, version, document, updated_at FROM policies WHERE app_no = $1
                    ON CONFLICT (app_no, version) DO UPDATE SET
                        document = excluded.document, created_at = excluded.created_at
                    """, [app])
                _ = try await transaction.query(
                    "DELETE FROM policy_versions WHERE app_no = $2 AND version <= $1",
                    [current + 1 - Int64(Policies.versionsKept), app])
                return .stored(try Policies.policy(stored[0]))
            }
        }
    }

    private static func policy(_ row: Row) throws(PostgresError) -> StoredPolicy {
        StoredPolicy(
            version: try row.integer(Column.version),
            document: try row.object(Column.document),
            isStored: try row.get(Column.document, as: String?.self) != nil,
            updatedAt: try row.requiredInstant(Column.updatedAt))
    }
}
