// News of one replica that others have to learn soon: a notification, backed by polls.
package import Base
package import Downloads
internal import Postgres

/// The kind of news; the raw value is sent over the channel.
package enum ReplicaNotification: String, Sendable, CaseIterable {
    /// New orders for running downloads.
    case orders
    /// A new policy.
    case policy

    /// The channel of NOTIFY.
    package static let channel = "lull_news"
}

extension Replicas {
    /// Sends news to all replicas, this one included; a hint that may be lost.
    ///
    /// In a statement of its own, because the commit of a notification takes a lock of the whole
    /// cluster.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func announce(_ news: Set<ReplicaNotification>) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                "SELECT pg_notify($1, x) FROM unnest($2::text[]) x",
                [ReplicaNotification.channel, news.map(\.rawValue)])
        }
    }

    /// The orders to a replica's downloads, and the version of the policy; 0 without one.
    ///
    /// - Parameter replica: its key.
    /// - Returns: both.
    /// - Throws: `unavailable` or `refused`.
    package func news(
        for replica: Int64
    ) async throws(StoreError) -> (orders: [(id: Identifier, order: RunOrder)], policy: Int64) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT q.id, q.control, (SELECT version FROM policies WHERE app_no = 0)
                FROM (VALUES (0)) one
                LEFT JOIN queue q ON q.replica_no = $1 AND q.control <> lull_order('none')
                """, [replica])
            var orders: [(id: Identifier, order: RunOrder)] = []
            var policy: Int64 = 0
            for row in rows {
                let (id, control, version): (Identifier?, Int16?, Int64?) = try row.values()
                policy = version ?? 0
                guard let id, let order = control.flatMap({ RunOrder(rawValue: $0) }) else {
                    continue
                }
                orders.append((id, order))
            }
            return (orders, policy)
        }
    }
}
