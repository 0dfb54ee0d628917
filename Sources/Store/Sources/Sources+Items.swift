// The items of feeds: each key is written once, with the download of its file.
package import Base
internal import Downloads
internal import Postgres
internal import Scheduling

extension Sources {
    /// The items of a source, the latest first.
    ///
    /// - Parameters:
    ///   - source: the source's number.
    ///   - before: only those before this number; nil from the latest on.
    ///   - limit: at most so many.
    /// - Returns: the page.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func items(
        of source: Int64, before: Int64?, limit: Int
    ) async throws(StoreError) -> [SourceItemRecord] {
        try await page("source_items i", ItemColumn.itemNo, of: source, before, limit) {
            row throws(PostgresError) in try SourceItemRecord(row)
        }
    }

    /// The item of a source with a key; nil if the source does not know it.
    package func item(
        of source: Int64, key: String
    ) async throws(StoreError) -> SourceItemRecord? {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                SELECT \(ItemColumn.list) FROM source_items i
                WHERE i.source_no = $1 AND i.key_hash = $2
                """, [source, SourceItem.hash(of: key)]
            ).first.map { row throws(PostgresError) in try SourceItemRecord(row) }
        }
    }

    /// The keys of a feed that its source knows.
    ///
    /// A look that is read once more chooses the same items, because its own keys stand apart.
    ///
    /// - Parameters:
    ///   - keys: the keys of the feed.
    ///   - source: the source's number.
    ///   - look: the download of the look.
    /// - Returns: the keys that were known before the look, and those that it has written itself.
    /// - Throws: `unavailable` or `refused`.
    package func known(
        _ keys: Set<String>, of source: Int64, by look: Identifier
    ) async throws(StoreError) -> (before: Set<String>, written: Set<String>) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT i.key, i.look_id IS NOT DISTINCT FROM $3 FROM source_items i
                WHERE i.source_no = $1 AND i.key_hash = ANY ($2)
                """, [source, keys.map { SourceItem.hash(of: $0) }, look])
            var (before, written): (Set<String>, Set<String>) = ([], [])
            for row in rows {
                let (key, isWritten): (String, Bool) = try row.values()
                if isWritten { written.insert(key) } else { before.insert(key) }
            }
            return (before, written)
        }
    }

    /// Writes the keys of the items among new downloads, in one order for all transactions.
    ///
    /// - Returns: the downloads whose key was written before, or whose source was changed or
    ///   removed since it was read.
    static func takeItems(
        _ batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) -> Set<Identifier> {
        var taken: Set<Identifier> = []
        let items = batch.compactMap { new in new.item.map { (claim: $0, id: new.download.id) } }
        for (claim, id) in items.sorted(by: {
            ($0.claim.source, $0.claim.item.hash) < ($1.claim.source, $1.claim.item.hash)
        }) {
            let isMine =
                claim.look == nil
                ? try await replace(claim, id, in: transaction)
                : try await insert(claim, id, in: transaction)
            if !isMine { taken.insert(id) }
        }
        return taken
    }

    /// Writes a key that is new; returns whether it was.
    private static func insert(
        _ claim: ItemClaim, _ id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        let item = claim.item
        return try await transaction.query(
            """
            INSERT INTO source_items (source_no, key_hash, key, title, url, published_at,
                download_id, look_id, is_kept)
            SELECT s.source_no, t.ids[1], t.texts[1], t.texts[2], t.texts[3], $5, t.ids[2], $6, $7
            FROM sources s, (SELECT $3::uuid[] AS ids, $4::text[] AS texts) t
            WHERE s.source_no = $1 AND s.version = $2
            ON CONFLICT DO NOTHING
            """,
            [
                claim.source, claim.version, [item.hash, id], [item.key, item.title, item.url],
                item.publishedAt, claim.look, claim.isKept,
            ]
        ).affected == 1
    }

    /// Gives a known item another download; the content of the former one ends now if `keep` held
    /// it.
    private static func replace(
        _ claim: ItemClaim, _ id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        let rows = try await transaction.query(
            """
            UPDATE source_items i SET download_id = $4, is_kept = $5
            FROM (SELECT z.item_no, z.download_id, z.is_kept, clock_timestamp() AS now
                FROM source_items z JOIN sources s ON s.source_no = z.source_no
                WHERE z.source_no = $1 AND s.version = $2 AND z.key_hash = $3
                FOR UPDATE OF z) o
            WHERE i.item_no = o.item_no RETURNING o.download_id, o.is_kept, o.now
            """, [claim.source, claim.version, claim.item.hash, id, claim.isKept])
        guard let row = rows.first else { return false }
        let (former, wasKept, now): (Identifier?, Bool, Timestamp) = try row.values()
        if let former, wasKept { try await shorten([former], to: [now], in: transaction) }
        return true
    }

    /// Writes the items that are known without a download, and removes the oldest keys that the
    /// feed no longer has, beyond the most keys of a source.
    static func write(
        _ reading: FeedReading, of source: SourceRecord, in transaction: Transaction
    ) async throws(PostgresError) {
        // The newest of the feed is the latest of the list.
        for item in reading.passedOver.reversed() {
            _ = try await transaction.query(
                """
                INSERT INTO source_items (source_no, key_hash, key, title, url, published_at)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING
                """,
                [source.number, item.hash, item.key, item.title, item.url, item.publishedAt])
        }
        let count: Int = try await transaction.query(
            "SELECT count(*) FROM source_items WHERE source_no = $1", [source.number])[0].only()
        let excess = count - ItemSelection.keysAtMost
        guard excess > 0 else { return }
        let oldest: [String] = try await transaction.query(
            "SELECT key FROM source_items WHERE source_no = $1 ORDER BY item_no LIMIT $2",
            [source.number, Int64(excess + reading.keys.count)]
        ).column()
        let old = ItemSelection.excess(of: oldest, among: count, in: reading.keys, adding: 0)
        _ = try await transaction.query(
            "DELETE FROM source_items WHERE source_no = $1 AND key_hash = ANY ($2)",
            [source.number, old.map { SourceItem.hash(of: $0) }])
    }

    /// How many items a look has queued, also before a replica died.
    static func itemsQueued(
        by look: Identifier, in transaction: Transaction
    ) async throws(PostgresError) -> Int64 {
        try await transaction.query(
            "SELECT count(*) FROM source_items WHERE look_id = $1", [look])[0].only()
    }

    /// Ends the retention of items that are no longer among the last ones and whose downloads have
    /// ended.
    static func boundItems(
        of source: SourceRecord, at now: Timestamp, in transaction: Transaction
    ) async throws(PostgresError) {
        guard let keep = source.spec.keep, let last = keep.last else { return }
        let rows = try await transaction.query(
            """
            SELECT i.download_id, i.seen_at FROM source_items i
            WHERE i.source_no = $1 AND i.is_kept AND i.item_no < (SELECT min(z.item_no) FROM (
                SELECT y.item_no FROM source_items y
                WHERE y.source_no = $1 AND y.download_id IS NOT NULL
                ORDER BY y.item_no DESC LIMIT $2) z)
                AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.id = i.download_id)
            ORDER BY i.item_no LIMIT $3
            """, [source.number, last, Int64(Feed.itemsAtMost)])
        var (ids, ends): ([Identifier], [Timestamp]) = ([], [])
        for row in rows {
            let (id, seen): (Identifier, Timestamp) = try row.values()
            guard let end = keep.end(seenAt: seen, isAmongLast: false, at: now) else { continue }
            ids.append(id)
            ends.append(end)
        }
        guard !ids.isEmpty else { return }
        try await shorten(ids, to: ends, in: transaction)
        _ = try await transaction.query(
            """
            UPDATE source_items SET is_kept = false
            WHERE source_no = $1 AND download_id = ANY ($2)
            """, [source.number, ids])
    }
}
