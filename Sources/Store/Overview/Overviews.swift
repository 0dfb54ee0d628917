// Reads the sums of one app: from counters and small indexes, and of what has ended a bounded part.
package import Base
internal import Downloads
internal import Postgres

/// Reads what an overview of an app shows, over connections for reads of many rows.
package struct Overviews: Sendable {
    let pool: ConnectionPool

    /// The sums of an app.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - since: the instant from which failures are grouped.
    /// - Returns: the sums at one instant.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func figures(
        of app: Int64, failuresSince since: Timestamp
    ) async throws(StoreError) -> AppFigures {
        try await sorting { () throws(PostgresError) in
            let results = try await pool.query(batch: [
                Statement(Overviews.live, [app]),
                Statement(Overviews.running, [app]),
                Statement(Overviews.resting, [app, AppFigures.endedAtMost]),
                Statement(Overviews.receiving, [app, AppFigures.endedAtMost]),
                Statement(Overviews.ended(uploads: false), [app, AppFigures.endedAtMost]),
                Statement(Overviews.ended(uploads: true), [app, AppFigures.endedAtMost]),
                Statement(
                    Overviews.failures,
                    [app, since, AppFigures.endedAtMost, AppFigures.groupsAtMost]),
                Statement(Overviews.attention, [app, AppFigures.groupsAtMost]),
            ])
            var figures = AppFigures()
            let live: Int64
            (live, figures.runningOfAll) = try results[0][0].values()
            for row in results[1] {
                let (isUpload, isCanceling, count, speed): (Bool, Bool, Int64, Int64) =
                    try row.values()
                figures.add(count, isCanceling ? .canceling : .running, uploads: isUpload)
                figures.bytesPerSecond += speed
            }
            for row in results[2] {
                let (number, isUpload, count): (Int16, Bool, Int64) = try row.values()
                if number == DownloadState.joinedNumber {
                    figures.joined = count
                } else if let state = DownloadState(number: Int64(number)) {
                    figures.add(count, state, uploads: isUpload)
                }
            }
            for row in results[3] {
                let (isReceiving, count): (Bool, Int64) = try row.values()
                figures.add(count, isReceiving ? .receiving : .waiting, uploads: true)
            }
            let others = [figures.downloads, figures.uploads].reduce(Int64(0)) {
                $0 + $1.values.reduce(0, +)
            }
            figures.add(max(0, live - others), .waiting, uploads: false)
            for (place, isUpload) in [(4, false), (5, true)] {
                var all: Int64 = 0
                for row in results[place] {
                    let (number, count): (Int16?, Int64) = try row.values()
                    all += count
                    guard let state = number.flatMap({ DownloadState(number: Int64($0)) }) else {
                        continue
                    }
                    figures.add(count, state, uploads: isUpload)
                }
                if all >= AppFigures.endedAtMost { figures.isComplete = false }
            }
            for row in results[6] {
                let (code, origin, count, id): (String?, String?, Int64, Identifier) =
                    try row.values()
                figures.failures.append(
                    AppFigures.Failure(code: code, origin: origin, count: count, id: id))
            }
            for row in results[7] {
                let download = try DownloadRecord(row).download
                figures.attention.append(
                    AppFigures.Attention(
                        download: download, since: try row.behind(DownloadColumn.self).only()))
            }
            return figures
        }
    }

    private static let live = """
        SELECT coalesce(sum(change), 0)::bigint, lull_running() FROM queued_counts
        WHERE app_no = $1
        """

    private static let running = """
        SELECT lull_is_upload(q.id), q.control = lull_order('cancel'), count(*),
            coalesce(sum(q.bytes_per_second), 0)::bigint
        FROM queue q
        WHERE q.state = lull_state('running') AND q.replica_no IS NOT NULL AND q.app_no = $1
        GROUP BY 1, 2
        """

    private static let resting = """
        SELECT z.state, lull_is_upload(z.id), count(*) FROM (
            SELECT q.state, q.id FROM queue q WHERE q.state > 1 AND q.app_no = $1 LIMIT $2) z
        GROUP BY 1, 2
        """

    private static let receiving = """
        SELECT z.lane_flags & lull_lane_flag('stages') <> 0, count(*) FROM (
            SELECT q.lane_flags, q.state FROM queue q
            WHERE get_byte(uuid_send(q.id), 6) >> 4 = 8 AND q.app_no = $1 LIMIT $2) z
        WHERE z.state = lull_state('waiting') GROUP BY 1
        """

    /// Ends of downloads, or of uploads, the last ones first.
    private static func ends(uploads: Bool, _ rest: String) -> String {
        """
        SELECT x.id, x.state FROM download_results x
        WHERE x.app_no = $1 AND (get_byte(uuid_send(x.id), 6) >> 4 = 8) = \(uploads)
            AND x.finished_at IS NOT NULL \(rest)
        """
    }

    private static func ended(uploads: Bool) -> String {
        """
        SELECT z.state, count(*) FROM (
            \(ends(uploads: uploads, "ORDER BY x.finished_at DESC, x.id DESC LIMIT $2"))) z
        GROUP BY 1
        """
    }

    private static let failures = """
        SELECT r.result->'error'->>'code', o.origin, count(*),
            (array_agg(r.id ORDER BY r.finished_at DESC))[1]
        FROM (\(ends(
            uploads: false,
            "AND x.finished_at >= $2 ORDER BY x.finished_at DESC, x.id DESC LIMIT $3"))) z
        CROSS JOIN LATERAL (SELECT * FROM download_results r WHERE r.id = z.id OFFSET 0) r
        CROSS JOIN LATERAL (SELECT * FROM download_requests d WHERE d.id = z.id OFFSET 0) d
        LEFT JOIN origins o ON o.origin_key = d.origin_key
        WHERE z.state = lull_state('failed')
        GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT $4
        """

    private static let attention = """
        SELECT \(DownloadRecord.columns), q.state_since FROM (
            SELECT x.id FROM queue x
            WHERE x.state > 1 AND x.app_no = $1 AND x.state = lull_state('attention_required')
            ORDER BY x.app_no, x.state, x.id DESC LIMIT $2) w
        CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = w.id OFFSET 0) d
        LEFT JOIN queue q ON q.id = d.id \(DownloadRecord.gates)
        """
}

extension AppFigures {
    fileprivate mutating func add(_ count: Int64, _ state: DownloadState, uploads: Bool) {
        guard count > 0 else { return }
        if uploads {
            self.uploads[state, default: 0] += count
        } else {
            downloads[state, default: 0] += count
        }
    }
}

extension Downloads {
    /// The reads for overviews of apps.
    package var overviews: Overviews { Overviews(pool: lists) }
}
