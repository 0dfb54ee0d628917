// The progress of running downloads for connected listeners; not in the journal.
internal import Base
internal import Downloads
internal import Platform
internal import Postgres
internal import Synchronization

/// Reads the rows of running downloads: one look for all listeners, and only while there are any.
///
/// Tasks that wait for the journal read progress as well. A download is shown from the second look
/// on that sees it running, because by then its start is usually in the journal. A look scans the
/// running rows and renders at most a hundred downloads for each kind of listener, in turn.
final class ProgressFeed: Sendable {
    /// The most downloads for one kind of listener in one look.
    static let notesAtMost = 100
    /// The most downloads that one look renders.
    static let renderedAtMost = 1000
    /// The most running downloads that one look reads.
    static let seenAtMost = 10_000

    /// A running row.
    struct Row: Sendable {
        let id: Identifier
        let app: Int64
        let session: String
        let fence: Int64
        let bytes: Int64
    }

    private struct Seen {
        let fence: Int64
        let bytes: Int64
    }

    private struct State {
        var listeners: [JournalQuery.Scope: Int] = [:]
        var seen: [Identifier: Seen] = [:]
        /// The last look with news, for each kind of listener: a late listener still gets it after
        /// a look without news.
        var news: [JournalQuery.Scope: ProgressUpdate] = [:]
        var version: UInt64 = 0
        var lookedAt = Int64.min
        var isLooking = false
        /// The download that was rendered last; the next look begins behind it.
        var turn: Identifier?
    }

    /// The time between two looks.
    let interval: Duration
    private let state = Mutex(State())

    private let base: String

    init(interval: Duration, base: String) {
        self.interval = interval
        self.base = base
    }

    func enter(_ scope: JournalQuery.Scope) {
        state.withLock { $0.listeners[scope, default: 0] += 1 }
    }

    func leave(_ scope: JournalQuery.Scope) {
        state.withLock { state in
            let left = (state.listeners[scope] ?? 1) - 1
            state.listeners[scope] = left > 0 ? left : nil
            if left <= 0 { state.news[scope] = nil }
            if state.listeners.isEmpty { state.seen = [:] }
        }
    }

    /// The last news; nil if there are none.
    func news(for scope: JournalQuery.Scope) -> ProgressUpdate? {
        state.withLock { $0.news[scope] }
    }

    /// Looks, unless the last look is within the interval.
    func look(_ pool: ConnectionPool) async throws(StoreError) {
        let now = SystemClock.bootNanoseconds()
        let pause = interval.wholeMicroseconds * 1000
        let scopes = state.withLock { state -> [JournalQuery.Scope] in
            guard !state.isLooking, !state.listeners.isEmpty, now - pause >= state.lookedAt
            else { return [] }
            state.isLooking = true
            state.lookedAt = now
            return Array(state.listeners.keys)
        }
        guard !scopes.isEmpty else { return }
        defer { state.withLock { $0.isLooking = false } }
        let rows = try await ProgressFeed.running(scopes, pool)
        let wanted = state.withLock { ProgressFeed.choose(rows, for: scopes, &$0) }
        var ids: Set<Identifier> = []
        for list in wanted.values {
            for id in list where ids.count < ProgressFeed.renderedAtMost { ids.insert(id) }
        }
        let notes = ids.isEmpty ? [:] : try await ProgressFeed.render(ids, pool, base)
        state.withLock { state in
            state.version += 1
            for (scope, ids) in wanted where state.listeners[scope] != nil {
                let found = ids.compactMap { notes[$0] }
                guard !found.isEmpty else { continue }
                state.news[scope] = ProgressUpdate(
                    version: state.version, askedAt: now, notes: found)
            }
        }
    }

    /// The downloads with new bytes, for each kind of listener.
    private static func choose(
        _ rows: [Row], for scopes: [JournalQuery.Scope], _ state: inout State
    ) -> [JournalQuery.Scope: [Identifier]] {
        var changed = rows.filter { row in
            guard let before = state.seen[row.id] else { return false }
            return before.fence == row.fence && before.bytes != row.bytes
        }.sorted { $0.id < $1.id }
        state.seen = Dictionary(
            rows.map { ($0.id, Seen(fence: $0.fence, bytes: $0.bytes)) },
            uniquingKeysWith: { first, _ in first })
        if let turn = state.turn, let place = changed.firstIndex(where: { $0.id > turn }) {
            changed = Array(changed[place...] + changed[..<place])
        }
        state.turn = changed.prefix(notesAtMost).last?.id
        var wanted: [JournalQuery.Scope: [Identifier]] = [:]
        for scope in scopes {
            wanted[scope] = Array(
                changed.lazy.filter { scope.includes($0) }.prefix(notesAtMost).map(\.id))
        }
        return wanted
    }

    private static func running(
        _ scopes: [JournalQuery.Scope], _ pool: ConnectionPool
    ) async throws(StoreError) -> [Row] {
        var apps: Set<Int64> = []
        var ids: [Identifier] = []
        for scope in scopes {
            switch scope {
            case .app(let app, _): apps.insert(app)
            case .download(let id): ids.append(id)
            }
        }
        enum Column: Int, RowColumn {
            case id, appNo, identifier, fence, bytes

            var sql: String { (self == .appNo || self == .identifier ? "s." : "q.") + columnName }
        }
        let columns = Column.list
        let tables = "queue q JOIN sessions s ON s.session_no = q.session_no"
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(columns) FROM \(tables) WHERE q.id = ANY ($1)
                    AND q.state = lull_state('running')
                UNION
                (SELECT \(columns) FROM \(tables)
                    WHERE q.state = lull_state('running') AND s.app_no = ANY ($2)
                    LIMIT $3)
                """, [ids, apps.sorted(), Int64(seenAtMost)])
            return try rows.map { row throws(PostgresError) in
                Row(
                    id: try row.get(Column.id), app: try row.get(Column.appNo),
                    session: try row.get(Column.identifier), fence: try row.get(Column.fence),
                    bytes: try row.get(Column.bytes))
            }
        }
    }

    private static func render(
        _ ids: Set<Identifier>, _ pool: ConnectionPool, _ base: String
    ) async throws(StoreError) -> [Identifier: ProgressNote] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT f.* FROM unnest($1::uuid[]) u(id) CROSS JOIN LATERAL (
                    SELECT \(DownloadRecord.columns),
                        (SELECT a.name FROM apps a WHERE a.app_no = d.app_no)
                    FROM \(DownloadRecord.tables)
                    WHERE d.id = u.id AND q.state = lull_state('running') LIMIT 1) f
                """, [Array(ids)])
            var notes: [Identifier: ProgressNote] = [:]
            for row in rows {
                let download = try DownloadRecord(row).download
                guard download.state == .running else { continue }
                let message = WebhookMessage(
                    event: download.id, type: .progress, subject: download.id,
                    at: download.measuredAt ?? download.createdAt, data: download.eventData(),
                    app: try row.behind(DownloadColumn.self).only(as: String?.self) ?? "",
                    base: base)
                notes[download.id] = ProgressNote(download: download.id, body: message.body)
            }
            return notes
        }
    }
}

extension JournalQuery.Scope {
    fileprivate func includes(_ row: ProgressFeed.Row) -> Bool {
        switch self {
        case .app(let app, let session):
            app == row.app && (session == nil || session == row.session)
        case .download(let id): id == row.id
        }
    }
}
