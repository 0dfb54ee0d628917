// Reads the sums over the queue and the outbox.
internal import Downloads
internal import Postgres

/// Reads the sums, over connections for reads of many rows.
package struct QueueFigureReads: Sendable {
    let pool: ConnectionPool

    /// Reads the present sums.
    ///
    /// Single rows are read only for suspended downloads, those that need the client, and some of
    /// the deliveries.
    ///
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func read() async throws(StoreError) -> QueueFigures {
        try await sorting { () throws(PostgresError) in
            let results = try await pool.query(batch: [
                Statement(QueueFigureReads.totals, [QueueFigures.deliveriesAtMost]),
                Statement(QueueFigureReads.classes, []),
                Statement(QueueFigureReads.apps, [Int64(QueueFigures.appsAtMost)]),
                Statement(QueueFigureReads.receivers, []),
            ])
            var figures = QueueFigures()
            let row = results[0][0]
            figures.live = try row.get(0)
            figures.running = try row.get(1)
            figures.suspended = try row.get(2)
            figures.attentionRequired = try row.get(3)
            figures.waitingInLanes = try row.get(4)
            let counted = try row.get(5, as: TimestampValue?.self)
            figures.lanesCountedAt = counted == .negativeInfinity ? nil : counted?.timestamp
            figures.deliveriesPending = try row.get(6)
            figures.deliveriesSending = try row.get(7)
            figures.endpointsDisabled = try row.get(8)
            for row in results[1] {
                guard let kind = SchedulingClass(rawValue: try row.get(0)) else { continue }
                figures.oldest.append(
                    QueueFigures.Oldest(
                        schedulingClass: kind,
                        since: try row.get(1, as: TimestampValue.self).timestamp))
            }
            for row in results[2] { figures.apps.append((try row.get(0), try row.get(1))) }
            for row in results[3] {
                let standing = Int(try row.get(0, as: Int16.self))
                if figures.receivers.indices.contains(standing) {
                    figures.receivers[standing] = try row.get(1)
                }
                let due = try row.get(2, as: TimestampValue?.self)?.timestamp
                figures.deliveryDueSince = [figures.deliveryDueSince, due].compactMap(\.self).min()
            }
            return figures
        }
    }

    static let totals = """
        WITH held AS (SELECT state, count(*) AS count FROM queue WHERE state > 1 GROUP BY state)
        SELECT (SELECT coalesce(sum(change), 0)::bigint FROM queued_counts),
            lull_running(),
            coalesce((SELECT count FROM held WHERE state = lull_live_state('suspended')), 0),
            coalesce((SELECT count FROM held WHERE state = lull_live_state('attention_required')),
                0),
            (SELECT coalesce(sum(coalesce(w.waiting, 1)), 0)::bigint FROM lanes l
                LEFT JOIN lane_loads w ON w.lane_no = l.lane_no WHERE l.next_at < 'infinity'),
            (SELECT begun_at FROM lane_load_rounds),
            (SELECT count(*) FROM (SELECT 1 FROM deliveries
                WHERE state = lull_delivery_state('pending') LIMIT $1) z),
            (SELECT count(*) FROM deliveries WHERE state = lull_delivery_state('sending')),
            (SELECT count(*) FROM webhook_endpoints
                WHERE disabled_at IS NOT NULL AND deleted_at IS NULL)
        """

    private static let classes = """
        SELECT l.class, min(coalesce(w.oldest_at, least(l.next_at, clock_timestamp())))
        FROM lanes l LEFT JOIN lane_loads w ON w.lane_no = l.lane_no
        WHERE l.next_at < 'infinity' GROUP BY l.class ORDER BY l.class
        """

    private static let apps = """
        SELECT a.name, sum(q.change)::bigint AS live FROM queued_counts q
        JOIN apps a ON a.app_no = q.app_no GROUP BY a.name HAVING sum(q.change) > 0
        ORDER BY live DESC, a.name LIMIT $1
        """

    private static let receivers = """
        SELECT standing, count(*), min(next_at) FILTER (WHERE next_at <= clock_timestamp())
        FROM receivers WHERE next_at < 'infinity' GROUP BY standing
        """
}

extension Downloads {
    /// The reads of sums over the queue and the outbox.
    package var queueFigures: QueueFigureReads { QueueFigureReads(pool: lists) }
}
