// Sends pings and missed events, and reads the statistics of endpoints.
package import Base
internal import Postgres

extension Endpoints {
    /// Sends a ping, also to a disabled endpoint.
    ///
    /// - Returns: the number of its delivery; nil if there is no such endpoint.
    /// - Throws: `unavailable` or `refused`.
    package func ping(_ id: Identifier, app: Int64) async throws(StoreError) -> Int64? {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_ping_endpoint($1, $2)", [app, id])[0]
                .only()
        }
    }

    /// The most events that one call of `recover` looks at, and the most deliveries that it queues.
    package static let recoveredAtMost = 10_000

    /// Sends the events of a time again that an endpoint did not receive.
    ///
    /// - Parameters:
    ///   - id: the endpoint, nil for `default`.
    ///   - app: the app's number.
    ///   - since: events from then on.
    ///   - until: up to then.
    ///   - limit: at most so many, among ten times as many events.
    /// - Returns: how many wait now, and whether the whole range was looked at; nil if there is no
    ///   such endpoint.
    /// - Throws: `unavailable` or `refused`.
    package func recover(
        _ id: Identifier?, app: Int64, since: Timestamp, until: Timestamp,
        limit: Int = Endpoints.recoveredAtMost
    ) async throws(StoreError) -> (queued: Int, isComplete: Bool)? {
        try await sorting { () throws(PostgresError) in
            let row = try await pool.query(
                "SELECT queued, is_complete FROM lull_recover_deliveries($1, $2, $3, $4, $5, $6)",
                [
                    app, id, since, until,
                    Int32(limit), Int32(limit * 10),
                ])[0]
            let (queued, isComplete): (Int?, Bool?) = try row.values()
            guard let queued, let isComplete else { return nil }
            return (queued, isComplete)
        }
    }

    /// The results of an endpoint's deliveries.
    ///
    /// - Parameters:
    ///   - record: the endpoint; nil for an app's `default` without a row.
    ///   - app: the app's number.
    /// - Returns: the counts.
    /// - Throws: `unavailable` or `refused`.
    package func statistics(
        of record: EndpointRecord?, app: Int64
    ) async throws(StoreError) -> EndpointStatistics {
        let number = record.flatMap { $0.id == nil ? nil : $0.number }
        let limit = Int64(EndpointStatistics.countedAtMost)
        return try await sorting { () throws(PostgresError) in
            let row = try await pool.query(
                """
                SELECT \(StatisticsColumn.list)
                FROM (SELECT count(*) FILTER (WHERE d.state = lull_delivery_state('exhausted'))
                            AS exhausted,
                        count(*) FILTER (WHERE d.state = lull_delivery_state('abandoned'))
                            AS abandoned
                    FROM (SELECT z.state FROM deliveries z WHERE z.app_no = $1
                            AND z.state >= lull_delivery_state('exhausted')
                            AND z.endpoint_no IS NOT DISTINCT FROM $2 LIMIT $3) d) c
                CROSS JOIN (SELECT count(*) AS waiting FROM (SELECT 1 FROM receivers r
                    JOIN deliveries d ON d.receiver_no = r.receiver_no
                        AND d.state = lull_delivery_state('pending')
                    WHERE r.receiver = lull_endpoint_receiver($2) LIMIT $3) x) p
                LEFT JOIN webhook_tallies y ON y.endpoint_no = $2
                """, [app, number, limit])[0]
            typealias Column = StatisticsColumn
            let isCounted = number != nil
            return EndpointStatistics(
                succeeded: isCounted ? try row.optionalInteger(Column.succeeded) ?? 0 : nil,
                failed: isCounted ? try row.optionalInteger(Column.failed) ?? 0 : nil,
                pending: isCounted ? try row.integer(Column.waiting) : nil,
                exhausted: try row.integer(Column.exhausted),
                abandoned: try row.integer(Column.abandoned),
                lastSuccessAt: try row.instant(Column.lastSuccessAt),
                lastFailureAt: try row.instant(Column.lastFailureAt),
                failingSince: try row.instant(Column.failingSince))
        }
    }
}

private enum StatisticsColumn: Int, RowColumn {
    case succeeded, failed, lastSuccessAt, lastFailureAt, failingSince, exhausted, abandoned
    case waiting
}
