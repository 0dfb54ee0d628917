// The journal: every change of every download, read without loss.
internal import Downloads
internal import Postgres

/// The events of the deployment, oldest first.
package struct Journal: Sendable {
    /// The most events that are looked at for a page of some sessions or types.
    package static let scannedAtMost = 10_000

    static let horizon = "journal_horizon"

    let pool: ConnectionPool
    /// The pool for reads that look at many events.
    let lists: ConnectionPool
    let changes: ChangeHub

    /// The names of its places and events for clients.
    package var names: PublicNames { changes.names }

    /// The events behind a place.
    ///
    /// An app's events come in the order of their transactions. A transaction may commit after one
    /// with a higher number, so nothing is read above the oldest running one: a reader that
    /// continues from the last event misses none. The events of one download come in the order of
    /// its changes and at once, because its changes follow each other.
    ///
    /// - Parameters:
    ///   - query: the app, sessions and types.
    ///   - position: nil for the oldest that is kept.
    ///   - limit: at most so many.
    ///   - scanned: looks at most at so many that may fit or not.
    /// - Returns: the events, none at the end.
    /// - Throws: `unavailable` or `refused`.
    package func read(
        _ query: JournalQuery, after position: JournalPosition?, limit: Int,
        scanned: Int = Journal.scannedAtMost
    ) async throws(StoreError) -> JournalPage {
        try await sorting { () throws(PostgresError) in
            let statement = Journal.statement(query, position, limit, scanned)
            // The horizon of removed events is read second: events that are removed in between show
            // as a gap, and are not silently missing.
            let rows = try await (query.isPart ? lists : pool).query(batch: [
                statement,
                Statement("SELECT value FROM settings WHERE name = $1", [Journal.horizon]),
            ])
            var events: [JournalEvent] = []
            for row in rows[0] where try row.optionalInteger(EventColumn.journalNo) != nil {
                events.append(try JournalEvent(row, base: changes.base, names: changes.names))
            }
            // The place behind the looked at events, unless the page is full before it.
            var resumption: JournalPosition?
            if events.count < limit, query.isPart, let row = rows[0].first {
                resumption = try JournalPosition(JournalEvent.rest(row))
            }
            let horizon = try rows[1].first?.only(as: String.self)
            let lost = horizon.flatMap { JournalPosition(stored: $0) }
            let gap = position.flatMap { position in lost.flatMap { position < $0 ? $0 : nil } }
            return JournalPage(events: events, gap: gap, resumption: resumption)
        }
    }

    /// The place behind everything that can be read now.
    package func end() async throws(StoreError) -> JournalPosition {
        let text = try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")[0]
                .only(as: String.self)
        }
        guard let transaction = UInt64(text) else {
            throw StoreError(.refused, "a transaction identifier is not a number")
        }
        return JournalPosition(transaction: transaction, number: 0)
    }

    static func statement(
        _ query: JournalQuery, _ position: JournalPosition?, _ limit: Int, _ scanned: Int
    ) -> Statement {
        let place: [any ColumnValue] = [
            "\(position?.transaction ?? 0)", position?.number ?? 0, Int64(limit),
        ]
        switch query.scope {
        case .app(let app, nil) where query.events == .all: return Statement(ofApp, place + [app])
        case .app(let app, let session):
            return Statement(ofPart, place + [app, query.events.bits, session, Int64(scanned)])
        case .download(let id): return Statement(ofDownload, place + [query.events.bits, id])
        }
    }

    private static let inApp = """
        e.app_no = $4 AND (e.xid, e.journal_no) > ($1::text::xid8, $2)
            AND e.xid < pg_snapshot_xmin(pg_current_snapshot())
        """

    private static let ofApp = """
        SELECT \(JournalEvent.columns) FROM (
            SELECT * FROM events e WHERE \(inApp) ORDER BY e.xid, e.journal_no LIMIT $3) e
        \(JournalEvent.tables) ORDER BY e.xid, e.journal_no
        """

    /// The events of some sessions or types among the next `$7` of an app.
    ///
    /// Each row also has the last of these, if there are so many.
    private static let ofPart = """
        WITH b AS MATERIALIZED (
            SELECT e.xid, e.journal_no FROM events e WHERE \(inApp)
            ORDER BY e.xid, e.journal_no OFFSET $7::bigint - 1 LIMIT 1)
        SELECT \(JournalEvent.columns), b.xid::text, b.journal_no
        FROM (SELECT 1) one LEFT JOIN b ON true LEFT JOIN (
            SELECT * FROM (SELECT * FROM events e WHERE \(inApp)
                ORDER BY e.xid, e.journal_no LIMIT $7) e
            WHERE ($5::bigint & lull_event_bit(e.type, e.download_id)) <> 0
                AND ($6::text IS NULL OR e.session_no = (SELECT s.session_no FROM sessions s
                    WHERE s.app_no = $4 AND s.identifier = $6))
            ORDER BY e.xid, e.journal_no LIMIT $3) e ON true
        \(JournalEvent.tables) ORDER BY e.xid, e.journal_no
        """

    private static let ofDownload = """
        SELECT \(JournalEvent.columns) FROM (
            SELECT n.* FROM events n LEFT JOIN events m
                ON m.download_id = $5 AND m.xid = $1::text::xid8 AND m.journal_no = $2
            WHERE n.download_id = $5
                AND ($4::bigint & lull_event_bit(n.type, n.download_id)) <> 0
                AND CASE WHEN m.journal_no IS NULL THEN (n.xid, n.journal_no) > ($1::text::xid8, $2)
                    ELSE (n.sequence, n.journal_no) > (m.sequence, m.journal_no) END
            ORDER BY n.sequence, n.journal_no LIMIT $3) e
        \(JournalEvent.tables) ORDER BY e.sequence, e.journal_no
        """
}

extension Downloads {
    /// The journal of their events.
    package var journal: Journal { Journal(pool: pool, lists: lists, changes: changes) }
}
