// The conditions that back ends push, for all replicas.
internal import Base
internal import Downloads
package import Postgres
package import Scheduling

/// The pushed conditions of the deployment.
package struct Conditions: Sendable {
    /// The most names that are kept.
    package static let namesAtMost = 1024
    /// The time for which the history of a condition is kept.
    static let kept = Duration.seconds(8 * 86_400)

    private let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// The number that rises with every change of a condition or a policy.
    package func version() async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT version FROM facts_version")[0].only()
        }
    }

    /// All pushed conditions, by name, with their version.
    package func all() async throws(StoreError) -> (version: Int64, records: [ConditionRecord]) {
        try await sorting { () throws(PostgresError) in
            var records: [ConditionRecord] = []
            // One statement, so that the version is that of the rows.
            let rows = try await pool.query(
                """
                SELECT \(Column.list), c.name IS NOT NULL, v.version
                FROM facts_version v LEFT JOIN conditions c ON true ORDER BY c.name
                """)
            var version: Int64 = 0
            for row in rows {
                let (isThere, number): (Bool, Int64) = try row.behind(Column.self).values()
                version = number
                guard isThere else { continue }
                // A row that an operator wrote by hand and that has no valid value is ignored.
                if let record = try Conditions.record(row) { records.append(record) }
            }
            return (version, records)
        }
    }

    /// The measurements of replicas with a lease, by the numbers of their data directories.
    ///
    /// - Parameter replica: the key of the one that asks.
    /// - Returns: its own number and name, and the readings of the others.
    /// - Throws: `unavailable` or `refused`.
    package func readings(
        besides replica: Int64
    ) async throws(StoreError) -> (own: (number: Int64, node: String)?, others: [ReplicaReadings]) {
        try await sorting { () throws(PostgresError) in
            var own: (Int64, String)?
            var others: [ReplicaReadings] = []
            for row in try await pool.query(
                """
                SELECT r.replica_no, i.instance_no, r.node, r.readings::text, r.measured_at
                FROM replicas r JOIN instances i ON i.instance = r.instance
                WHERE r.expires_at > clock_timestamp() ORDER BY i.instance_no
                """)
            {
                let (holder, number, node, text, at): (Int64, Int64, String, String?, Timestamp?) =
                    try row.values()
                if holder == replica {
                    own = (number, node)
                } else if let at, let json = text.flatMap({ Conditions.json($0) }) {
                    others.append(
                        ReplicaReadings(json, number: number, node: node, measuredAt: at))
                }
            }
            return (own, others)
        }
    }

    /// Stores a value; the last writer wins, by the database's clock.
    ///
    /// - Parameters:
    ///   - name: which.
    ///   - push: what; its instant is not looked at.
    /// - Returns: what is stored and the version that has it, nil if there are too many names.
    /// - Throws: `unavailable` or `refused`.
    package func put(
        _ name: String, _ push: ConditionPush
    ) async throws(StoreError) -> (record: ConditionRecord, version: Int64)? {
        let schedule = JSON.array(
            push.schedule.map {
                ["from": .string($0.from.rfc3339Microseconds), "value": $0.value.json]
            })
        return try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let version = try await Conditions.nextVersion(transaction)
                let rows = try await transaction.query(
                    """
                    INSERT INTO conditions AS c (name, value, ttl, source, schedule, pushed_at)
                    SELECT $1, $2, $3 * interval '1 microsecond', $4, $5, clock_timestamp()
                    WHERE (SELECT count(*) FROM conditions o WHERE o.name <> $1) < $6
                    ON CONFLICT (name) DO UPDATE SET value = excluded.value, ttl = excluded.ttl,
                        source = excluded.source, schedule = excluded.schedule,
                        pushed_at = greatest(excluded.pushed_at, c.pushed_at)
                    RETURNING \(Column.list)
                    """,
                    [
                        name, JSONText(push.value.json.text), push.ttl.map(\.wholeMicroseconds),
                        push.source, JSONText(schedule.text), Int64(Conditions.namesAtMost),
                    ])
                guard let row = rows.first, let record = try Conditions.record(row) else {
                    return nil
                }
                _ = try await transaction.query(
                    """
                    INSERT INTO condition_changes (name, value, source, changed_at)
                    SELECT $1, $2, $3, pushed_at FROM conditions WHERE name = $1
                    """, [name, JSONText(push.value.json.text), push.source])
                return (record, version)
            }
        }
    }

    /// Takes the next version; writers wait for each other, so that versions are in order.
    private static func nextVersion(_ transaction: Transaction) async throws(PostgresError) -> Int64
    {
        try await transaction.query(
            "UPDATE facts_version SET version = version + 1 RETURNING version")[0].only()
    }

    /// Removes a pushed value.
    ///
    /// - Returns: the version without it; nil if there was nothing.
    package func remove(_ name: String) async throws(StoreError) -> Int64? {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let version = try await Conditions.nextVersion(transaction)
                let rows = try await transaction.query(
                    """
                    WITH gone AS (DELETE FROM conditions WHERE name = $1 RETURNING name)
                    INSERT INTO condition_changes (name, changed_at)
                        SELECT name, clock_timestamp() FROM gone RETURNING 1
                    """, [name])
                return rows.first == nil ? nil : version
            }
        }
    }

    /// The last changes of a condition, the newest first.
    package func changes(
        of name: String, limit: Int = 100
    ) async throws(StoreError) -> [ConditionChange] {
        try await sorting { () throws(PostgresError) in
            var changes: [ConditionChange] = []
            for row in try await pool.query(
                """
                SELECT value::text, source, changed_at FROM condition_changes
                WHERE name = $1 ORDER BY change_no DESC LIMIT $2
                """, [name, Int64(limit)])
            {
                changes.append(try Conditions.change(row))
            }
            return changes
        }
    }

    /// The last changes of all conditions, the oldest first, after the values that were in force
    /// before them.
    ///
    /// - Parameter limit: how many changes at most.
    /// - Returns: names with what was pushed, nil for a removal.
    /// - Throws: `unavailable` or `refused`.
    package func allChanges(
        limit: Int = 4096
    ) async throws(StoreError) -> [(name: String, change: ConditionChange)] {
        try await sorting { () throws(PostgresError) in
            var changes: [(name: String, change: ConditionChange)] = []
            for row in try await pool.query(
                """
                WITH last AS (
                    SELECT name, value, source, changed_at, change_no FROM condition_changes
                    ORDER BY change_no DESC LIMIT $1)
                SELECT z.value::text, z.source, z.changed_at, z.name FROM (
                    SELECT name, value, source, changed_at, change_no FROM last
                    UNION ALL SELECT c.name, c.value, c.source, c.pushed_at, 0 FROM conditions c
                        WHERE NOT EXISTS (SELECT 1 FROM last l WHERE l.name = c.name)) z
                ORDER BY z.change_no, z.changed_at
                """, [Int64(limit)])
            {
                let change = try Conditions.change(row)
                changes.append((try row.get(Changed.name), change))
            }
            return changes
        }
    }

    /// Removes history after its retention, and values that were pushed more than a day ago under
    /// names that no policy declares.
    ///
    /// - Parameter declared: the names that stay.
    /// - Returns: how many rows of history are gone, at most a thousand.
    /// - Throws: `unavailable` or `refused`.
    package func forget(keeping declared: [String]) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                DELETE FROM conditions WHERE pushed_at < statement_timestamp() - interval '1 day'
                    AND name <> ALL ($1::text[])
                """, [declared])
            return try await pool.query(
                """
                DELETE FROM condition_changes WHERE change_no IN (
                    SELECT change_no FROM condition_changes
                    WHERE changed_at < statement_timestamp() - $1 * interval '1 microsecond'
                    ORDER BY changed_at LIMIT 1000) RETURNING 1
                """, [Conditions.kept.wholeMicroseconds]
            ).count
        }
    }

    /// A column of `c`, which is `conditions`.
    private enum Column: Int, RowColumn {
        case name, value, ttl, source, schedule, pushedAt

        var sql: String {
            switch self {
            case .name, .source, .pushedAt: "c." + columnName
            case .value, .schedule: "c." + columnName + "::text"
            case .ttl: "(extract(epoch FROM c.ttl) * 1000000)::bigint"
            }
        }
    }

    /// The columns of a change, with its condition where the changes of several are read.
    private enum Changed: Int, RowColumn {
        case value, source, changedAt, name
    }

    private static func change(_ row: Row) throws(PostgresError) -> ConditionChange {
        let value = try row.get(Changed.value, as: String?.self).flatMap { json($0) }
        return ConditionChange(
            value: value.flatMap { ConditionValue($0) }, source: try row.get(Changed.source),
            changedAt: try row.requiredInstant(Changed.changedAt))
    }

    private static func record(_ row: Row) throws(PostgresError) -> ConditionRecord? {
        let ttl = try row.optionalInteger(Column.ttl)
        let steps = json(try row.text(Column.schedule))?.arrayValue ?? []
        guard let value = json(try row.text(Column.value)).flatMap({ ConditionValue($0) })
        else { return nil }
        return ConditionRecord(
            name: try row.text(Column.name),
            push: ConditionPush(
                value: value, pushedAt: try row.requiredInstant(Column.pushedAt),
                ttl: ttl.map { .microseconds($0) }, source: try row.get(Column.source),
                schedule: steps.compactMap { step in
                    guard let from = step["from"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }),
                        let value = step["value"].flatMap({ ConditionValue($0) })
                    else { return nil }
                    return ConditionPush.Step(from: from, value: value)
                }))
    }

    private static func json(_ text: String) -> JSON? { StoredJSON(text).tree }
}
