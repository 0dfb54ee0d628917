// Reads which files the rows need, and whether an end was recorded.
package import Base
internal import Downloads
internal import Postgres

extension Ledger {
    /// The owners of the files of some downloads.
    ///
    /// - Parameters:
    ///   - ids: the downloads.
    ///   - instance: the data directory; resume points of others count as none.
    /// - Returns: what the database knows of them.
    /// - Throws: `unavailable` or `refused`.
    package func owners(
        of ids: [Identifier], instance: Identifier
    ) async throws(StoreError) -> FileOwners {
        try await sorting { () throws(PostgresError) in
            let (now, knownSince): (Timestamp, Timestamp) = try await pool.query(
                """
                WITH i AS (
                    INSERT INTO instances (instance) VALUES ($1) ON CONFLICT DO NOTHING
                    RETURNING first_seen_at)
                SELECT clock_timestamp(), least(
                    (SELECT first_seen_at FROM instances WHERE instance = $1),
                    (SELECT first_seen_at FROM i))
                """, [instance])[0].values()
            let rows = try await pool.query(
                """
                SELECT \(OwnerColumn.list) FROM (SELECT d.id, q.fence AS live_fence,
                    CASE WHEN q.resume->>'instance' = $2
                        AND jsonb_typeof(q.resume->'fence') = 'number'
                        THEN least((q.resume->>'fence')::numeric, 9000000000000000000)::bigint
                        END AS kept_fence,
                    coalesce(q.resume ? 'whole', false) AS is_whole,
                    CASE WHEN d.state = lull_state('succeeded')
                        AND (coalesce(d.result->'content'->>'state', 'held') = 'held'
                            OR e.fence = d.content_fence)
                        THEN d.content_fence END AS content,
                    coalesce(CASE WHEN replace(k.instance::text, '-', '') = $2 THEN k.fence END,
                        CASE WHEN e.resume->>'instance' = $2
                            THEN (e.resume->>'fence')::bigint END) AS part,
                    (SELECT c.fence FROM contents c
                        WHERE c.id = d.id AND c.phase = lull_content_phase('lost')) AS lost,
                    d.spec ? 'ephemeral' OR d.state IS NOT DISTINCT FROM lull_state('canceled')
                        OR coalesce(d.result->'content'->>'state', 'held')
                            NOT IN ('held', 'lost')
                        OR EXISTS (SELECT FROM contents c WHERE c.id = d.id
                            AND c.phase = lull_content_phase('released')) AS leaves_nothing
                FROM downloads d LEFT JOIN queue q ON q.id = d.id
                    LEFT JOIN flight_ends e ON e.leader = d.id
                    LEFT JOIN kept_parts k ON k.id = d.id
                WHERE d.id = ANY ($1)) z
                """, [ids, instance.hexadecimal])
            var owners: [Identifier: FileOwner] = [:]
            var leavingNothing: Set<Identifier> = []
            for row in rows {
                let id = try row.identifier(OwnerColumn.id)
                let part = try row.optionalInteger(OwnerColumn.part)
                if try row.bool(OwnerColumn.leavesNothing) { leavingNothing.insert(id) }
                if let fence = try row.optionalInteger(OwnerColumn.liveFence) {
                    let kept = try row.optionalInteger(OwnerColumn.keptFence)
                    owners[id] = .live(
                        fence: fence, kept: kept, isWhole: try row.bool(OwnerColumn.isWhole))
                } else if let lost = try row.optionalInteger(OwnerColumn.lost) {
                    owners[id] = .lost(content: lost, part: part)
                } else {
                    let content = try row.optionalInteger(OwnerColumn.content)
                    owners[id] = .ended(content: content, part: part)
                }
            }
            return FileOwners(
                owners: owners, leavingNothing: leavingNothing, now: now, knownSince: knownSince)
        }
    }

    /// Gives up kept bytes of failed downloads in a data directory, those that ended first.
    ///
    /// - Parameters:
    ///   - instance: the data directory.
    ///   - now: the latest instant by which anything may end; nil for the database's clock alone.
    ///   - retention: seconds for which bytes are kept whose download names no time.
    ///   - room: so many bytes are given up as well, although their time is not over.
    ///   - limit: at most so many files.
    /// - Returns: the unfinished files, which the caller removes then.
    /// - Throws: `unavailable` or `refused`.
    package func giveUpParts(
        in instance: Identifier, until now: Timestamp? = nil, retention: Int64, room: Int64 = 0,
        limit: Int
    ) async throws(StoreError) -> [(download: Identifier, fence: Int64)] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT id, fence FROM lull_give_up_parts($1, $2, $3, $4, $5)",
                [
                    instance, now, retention, room,
                    Int32(limit),
                ])
            var files: [(download: Identifier, fence: Int64)] = []
            for row in rows {
                let (id, fence): (Identifier, Int64) = try row.values()
                files.append((id, fence))
            }
            return files
        }
    }

    /// The kept bytes of failed downloads in a data directory.
    ///
    /// - Parameter instance: the data directory.
    /// - Returns: their sum.
    /// - Throws: `unavailable` or `refused`.
    package func keptBytes(in instance: Identifier) async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT coalesce(sum(bytes), 0)::bigint FROM kept_parts WHERE instance = $1",
                [instance])
            return try rows[0].only()
        }
    }

    /// The least bytes by which a due download of some lanes waits for room on the volume.
    ///
    /// - Parameters:
    ///   - lanes: the lanes; of each, its first 256 due downloads are read.
    ///   - room: a lane with a download that needs no more bytes waits for something else.
    ///   - most: downloads that need more are left out.
    /// - Returns: the bytes that the download needs; nil if none waits for room.
    /// - Throws: `unavailable` or `refused`.
    package func leastNeed(
        of lanes: [Int64], above room: Int64, atMost most: Int64
    ) async throws(StoreError) -> Int64? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT lull_least_need($1, $2, $3)", [lanes, room, most])
            return try rows.first?.only(as: Int64?.self) ?? nil
        }
    }

    /// Whether an attempt's end is recorded; asked after a commit without an answer.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - fence: the attempt's fence.
    /// - Returns: true if this replica's end of that attempt was committed.
    /// - Throws: `unavailable` or `refused`.
    package func hasRecorded(
        _ id: Identifier, fence: Int64
    ) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT 1 FROM attempts WHERE id = $1 AND fence = $2 AND replica_no = $3
                    AND outcome <> lull_outcome('given_back') LIMIT 1
                """, [id, fence, replica])
            return !rows.isEmpty
        }
    }
}

private enum OwnerColumn: Int, RowColumn {
    case id, liveFence, keptFence, isWhole, content, part, lost, leavesNothing
}
