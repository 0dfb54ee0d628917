// Reads the sums over the queue and the outbox.
internal import Base
internal import Downloads
internal import Postgres

/// Reads the sums, over connections for reads of many rows.
package struct QueueFigureReads: Sendable {
    let pool: ConnectionPool

    /// Reads the present sums.
    ///
    /// Single rows are read only for suspended downloads, those that need the client, receiving
    /// uploads, and some of the deliveries.
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
            figures.live = try row.get(Total.live)
            figures.running = try row.get(Total.running)
            figures.suspended = try row.get(Total.suspended)
            figures.attentionRequired = try row.get(Total.attentionRequired)
            figures.receiving = try row.get(Total.receiving)
            figures.waitingInLanes = try row.get(Total.waitingInLanes)
            figures.lanesCountedAt = try row.finiteInstant(Total.lanesCountedAt)
            figures.deliveriesPending = try row.get(Total.deliveriesPending)
            figures.deliveriesSending = try row.get(Total.deliveriesSending)
            figures.endpointsDisabled = try row.get(Total.endpointsDisabled)
            for row in results[1] {
                let (number, since): (Int16, Timestamp) = try row.values()
                guard let kind = SchedulingClass(rawValue: number) else { continue }
                figures.oldest.append(QueueFigures.Oldest(schedulingClass: kind, since: since))
            }
            for row in results[2] {
                let (name, live): (String, Int64) = try row.values()
                figures.apps.append((name, live))
            }
            for row in results[3] {
                let (standing, count, due): (Int, Int64, Timestamp?) = try row.values()
                if figures.receivers.indices.contains(standing) {
                    figures.receivers[standing] = count
                }
                figures.deliveryDueSince = [figures.deliveryDueSince, due].compactMap(\.self).min()
            }
            return figures
        }
    }

    private enum Total: Int, RowColumn {
        case live, running, suspended, attentionRequired, receiving, waitingInLanes
        case lanesCountedAt, deliveriesPending, deliveriesSending, endpointsDisabled
    }

    static let totals = """
        WITH held AS (
            SELECT state, count(*) AS count FROM queue WHERE state > lull_state('running')
            GROUP BY state)
        SELECT \(Total.list) FROM (SELECT
            (SELECT coalesce(sum(change), 0)::bigint FROM queued_counts) AS live,
            lull_running() AS running,
            coalesce((SELECT count FROM held WHERE state = lull_state('suspended')), 0)
                AS suspended,
            coalesce((SELECT count FROM held WHERE state = lull_state('attention_required')),
                0) AS attention_required,
            (SELECT count(*) FROM queue WHERE lane_flags & 256 <> 0
                AND state = lull_state('waiting')) AS receiving,
            (SELECT coalesce(sum(coalesce(w.waiting, 1)), 0)::bigint FROM lanes l
                LEFT JOIN lane_loads w ON w.lane_no = l.lane_no WHERE l.next_at < 'infinity')
                AS waiting_in_lanes,
            (SELECT begun_at FROM lane_load_rounds) AS lanes_counted_at,
            (SELECT count(*) FROM (SELECT 1 FROM deliveries
                WHERE state = lull_delivery_state('pending') LIMIT $1) z) AS deliveries_pending,
            (SELECT count(*) FROM deliveries WHERE state = lull_delivery_state('sending'))
                AS deliveries_sending,
            (SELECT count(*) FROM webhook_endpoints
                WHERE disabled_at IS NOT NULL AND deleted_at IS NULL) AS endpoints_disabled) z
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
        SELECT standing, count(*), min(next_at) FILTER (WHERE next_at <= statement_timestamp())
        FROM receivers WHERE next_at < 'infinity' GROUP BY standing
        """
}

extension Downloads {
    /// The reads of sums over the queue and the outbox.
    package var queueFigures: QueueFigureReads { QueueFigureReads(pool: lists) }
}
