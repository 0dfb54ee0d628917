// Reads the values that a replica needs to use only its part of a shared rate.
package import Base
internal import Downloads
internal import Postgres
package import Scheduling

extension Ledger {
    /// Counts the runs of all replicas, and reads limits that were changed anywhere.
    ///
    /// - Parameters:
    ///   - sessions: the sessions to report, by key.
    ///   - origins: the origins, by key.
    ///   - apps: the apps, by key; with any of them running downloads are counted by class, too.
    ///   - downloads: the downloads whose own limits are wanted.
    /// - Returns: the counts and the limits.
    /// - Throws: `unavailable` or `refused`.
    package func rateCensus(
        sessions: [Int64], origins: [Int64], apps: [Int64] = [], downloads: [Identifier]
    ) async throws(StoreError) -> RateCensus {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT 0::smallint, 0::bigint,
                    (SELECT count(*) FROM replicas WHERE expires_at > clock_timestamp()),
                    (SELECT count(*) FROM queue
                        WHERE state = lull_state('running')), NULL::uuid
                UNION ALL
                SELECT 2, s.session_no, coalesce(g.running, 0),
                    \(Ledger.limit(in: "s.configuration")), NULL
                FROM sessions s
                    LEFT JOIN gates g ON g.kind = lull_gate('session') AND g.key = s.session_no
                WHERE s.session_no = ANY ($1)
                UNION ALL
                SELECT 3, key, running, NULL, NULL FROM gates
                    WHERE kind = lull_gate('origin') AND key = ANY ($2)
                UNION ALL
                SELECT 4, 0, NULL, \(Ledger.limit(in: "spec")), id
                FROM download_requests WHERE id = ANY ($3) AND spec ? 'max_bytes_per_second'
                UNION ALL
                SELECT 5, key, running, NULL, NULL FROM gates
                    WHERE kind = lull_gate('app') AND key = ANY ($4)
                UNION ALL
                SELECT 6, class, count(*), NULL, NULL FROM queue
                    WHERE state = lull_state('running') AND cardinality($4) > 0 GROUP BY class
                """, [sessions, origins, downloads, apps])
            var census = RateCensus()
            if !apps.isEmpty { census.runningOfClasses = [:] }
            for row in rows { try Ledger.add(row, to: &census) }
            return census
        }
    }

    /// A limit in bytes a second, NULL for none: a value that cannot be read affects its own row
    /// only.
    private static func limit(in column: String) -> String {
        let value = "\(column)->'max_bytes_per_second'"
        return """
            CASE WHEN jsonb_typeof(\(value)) = 'number'
                THEN least((\(value))::numeric, 9000000000000000000)::bigint END
            """
    }

    private static func add(_ row: Row, to census: inout RateCensus) throws(PostgresError) {
        let (kind, key, some, limit, download): (Int16, Int64, Int?, Int64?, Identifier?) =
            try row.values()
        let count = some ?? 0
        switch kind {
        case 0:
            census.replicas = max(1, count)
            census.running = Int(limit ?? 0)
        case 2:
            census.runningOfSessions[key] = count
            census.limitsOfSessions[key] = limit
        case 3: census.runningOfOrigins[key] = count
        case 5: census.runningOfApps[key] = count
        case 6:
            if let kind = SchedulingClass(rawValue: Int16(truncatingIfNeeded: key)) {
                census.runningOfClasses?[kind] = count
            }
        default:
            if let download { census.limitsOfDownloads[download] = limit }
        }
    }

    /// The time until which an app may not send requests to origins.
    ///
    /// - Parameters:
    ///   - origins: `scheme://host:port` each.
    ///   - app: the app's number.
    /// - Returns: those of them that asked for time which is not over.
    /// - Throws: `unavailable` or `refused`.
    package func pushbacks(
        _ origins: [String], app: Int64
    ) async throws(StoreError) -> [String: Timestamp] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT o.origin, z.until
                FROM origins o JOIN gates g ON g.kind = lull_gate('origin') AND g.key = o.origin_key
                CROSS JOIN LATERAL (
                    SELECT lull_not_before(g.not_before, o.origin_key, $2) AS until) z
                WHERE o.origin = ANY ($1) AND z.until > statement_timestamp()
                """, [origins, app])
            var cooling: [String: Timestamp] = [:]
            for row in rows {
                let (origin, until): (String, Timestamp) = try row.values()
                cooling[origin] = until
            }
            return cooling
        }
    }
}
