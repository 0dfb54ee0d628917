// The replicas of the deployment by their data directories: listed, and forgotten when gone.
package import Base
package import Postgres

/// The replicas, absent ones included.
package struct Replicas: Sendable {
    let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    private enum Column: Int, RowColumn {
        case instanceNo, instance, node, address, works, since, files, bytes, missing
    }

    /// All data directories by number; counts all kept files.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func list() async throws(StoreError) -> [ReplicaRecord] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(Column.list) FROM (SELECT i.instance_no, i.instance,
                    coalesce(r.node, i.node) AS node, r.address,
                    coalesce(r.expires_at > clock_timestamp(), false) AS works,
                    coalesce(r.started_at, i.last_seen_at) AS since,
                    coalesce(c.files, 0) AS files, coalesce(c.bytes, 0) AS bytes, i.missing
                FROM instances i
                LEFT JOIN LATERAL (SELECT * FROM replicas x WHERE x.instance = i.instance
                    ORDER BY x.replica_no DESC LIMIT 1) r ON true
                LEFT JOIN (SELECT instance, count(*) AS files, sum(length)::bigint AS bytes
                    FROM contents WHERE phase < lull_content_phase('released')
                    GROUP BY instance) c ON c.instance = i.instance
                WHERE i.gone_at IS NULL
                ORDER BY i.instance_no) z
                """)
            var list: [ReplicaRecord] = []
            for row in rows {
                list.append(
                    ReplicaRecord(
                        number: try row.get(Column.instanceNo),
                        instance: try row.get(Column.instance), node: try row.get(Column.node),
                        address: try row.get(Column.address), works: try row.get(Column.works),
                        since: try row.get(Column.since), files: try row.get(Column.files),
                        bytes: try row.get(Column.bytes), missing: try row.get(Column.missing)))
            }
            return list
        }
    }

    /// A data directory that has had no replica for some time.
    ///
    /// - Parameters:
    ///   - duration: for how long at least.
    ///   - after: only one with a higher number.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    /// - Returns: the one with the lowest number; nil if there is none.
    /// - Throws: `unavailable` or `refused`.
    package func findGone(
        for duration: Duration, after: Int64 = 0, until now: Timestamp? = nil
    ) async throws(StoreError) -> (number: Int64, instance: Identifier)? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT instance_no, instance FROM instances i
                WHERE instance_no > $2 AND gone_at IS NULL
                    AND last_seen_at < least(statement_timestamp(), $3::timestamptz)
                        - $1 * interval '1 microsecond'
                    AND NOT EXISTS (SELECT FROM replicas r WHERE r.instance = i.instance)
                ORDER BY instance_no LIMIT 1
                """, [duration.wholeMicroseconds, after, now])
            guard let row = rows.first else { return nil }
            let (number, instance): (Int64, Identifier) = try row.values()
            return (number, instance)
        }
    }

    /// Forgets data directories that have been gone for a month, with the files that they should
    /// have removed.
    ///
    /// - Parameters:
    ///   - limit: at most so many rows of files.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    /// - Throws: `unavailable` or `refused`.
    package func forgetGone(limit: Int, until now: Timestamp? = nil) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                WITH buried AS (
                    SELECT instance FROM instances i
                    WHERE gone_at < least(statement_timestamp(), $2::timestamptz)
                        - interval '30 days'
                        AND NOT EXISTS (SELECT FROM contents c WHERE c.instance = i.instance
                            AND c.phase <> lull_content_phase('released'))
                    LIMIT 10),
                doomed AS (
                    DELETE FROM contents WHERE id IN (
                        SELECT c.id FROM buried b JOIN contents c ON c.instance = b.instance
                        WHERE c.phase = lull_content_phase('released') LIMIT $1) RETURNING 1)
                DELETE FROM instances i USING buried b
                WHERE i.instance = b.instance AND NOT EXISTS (SELECT FROM doomed)
                """, [Int64(limit), now])
        }
    }

    /// Declares that a replica will not come back; every replica then takes its content for lost.
    ///
    /// A replica whose lease has ended is released by this.
    ///
    /// - Parameter number: the number of its data directory.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func abandon(_ number: Int64) async throws(StoreError) -> ReplicaAbandonment {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let rows = try await transaction.query(
                    """
                    SELECT i.instance, r.replica_no,
                        coalesce(r.expires_at > clock_timestamp(), false)
                    FROM instances i LEFT JOIN replicas r ON r.instance = i.instance
                    WHERE i.instance_no = $1 AND i.gone_at IS NULL
                    """, [number])
                var instance: Identifier?
                for row in rows {
                    let (holder, replica, works): (Identifier, Int64?, Bool) = try row.values()
                    instance = holder
                    guard let replica else { continue }
                    if works { return .works }
                    // A concurrent heartbeat finds its lease ended, or the row locked.
                    let late = try await transaction.query(
                        """
                        SELECT 1 FROM replicas
                        WHERE replica_no = $1 AND expires_at < clock_timestamp() FOR UPDATE
                        """, [replica])
                    guard !late.isEmpty else { return .works }
                    while try await transaction.query(
                        "SELECT lull_release_replica($1, 1000)", [replica])[0]
                        .only(as: Int.self) > 0
                    {}
                }
                guard let instance else { return .unknown }
                _ = try await transaction.query(
                    "UPDATE instances SET last_seen_at = 'epoch' WHERE instance_no = $1",
                    [number])
                return .done(instance)
            }
        }
    }
}

extension Downloads {
    /// The store of replicas.
    package var replicas: Replicas { Replicas(pool: pool) }
}
