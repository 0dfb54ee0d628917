// Ends kept files, and warns before that: each in one transaction with its event.
internal import Base
internal import Downloads
internal import Postgres

/// A change of a download's content.
struct ContentChange {
    var download: Download
    /// The event, if there is one.
    let event: EventType?
    let phase: ContentPhase

    /// Gives the download the next event number, and its content the state.
    init(_ record: DownloadRecord, event: EventType?, state: ContentState, phase: ContentPhase) {
        download = record.download
        self.event = event
        self.phase = phase
        download.sequence += 1
        download.result.content?.state = state
    }

    /// Whether a webhook is sent.
    var emitsEvent: Bool {
        event.map { download.spec.webhookSet.contains($0, of: download.id) } ?? false
    }
}

extension Contents {
    static func proceed(
        limit: Int, until now: Timestamp?, in transaction: Transaction
    ) async throws(PostgresError) -> [ContentChange] {
        let bound = now
        // A lost file is given up after its retention.
        _ = try await transaction.query(
            """
            UPDATE contents SET phase = lull_content_phase('released') WHERE id IN (
                SELECT id FROM contents WHERE phase = lull_content_phase('lost')
                    AND expires_at <= least(statement_timestamp(), $2::timestamptz)
                ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)
            """, [Int64(limit), bound])
        let due = try await transaction.query(
            """
            SELECT id FROM contents WHERE phase < lull_content_phase('released')
                AND due_at <= least(statement_timestamp(), $2::timestamptz)
            ORDER BY due_at LIMIT $1
            """, [Int64(limit), bound])
        let ids: [Identifier] = try due.column()
        guard !ids.isEmpty else { return [] }
        var list: [ContentChange] = []
        for (record, phase, isOver) in try await lock(ids, until: now, in: transaction) {
            // A file whose time a reader has extended meanwhile, or that another replica has
            // handled, is not due.
            if isOver {
                list.append(
                    ContentChange(record, event: .contentExpired, state: .expired, phase: .released)
                )
            } else if phase == .held {
                list.append(
                    ContentChange(record, event: .contentExpiring, state: .held, phase: .warned))
            }
        }
        try await write(list, in: transaction)
        return list
    }

    /// The result of ending a file.
    enum End {
        case changed
        /// It had ended before, or is not in this data directory.
        case same
        case refused
    }

    /// Ends a file; the record is nil if there is no such download.
    func end(
        _ id: Identifier, as state: ContentState, app: Int64? = nil, instance: Identifier? = nil,
        where condition: @escaping @Sendable (DownloadRecord) -> Bool = { _ in true }
    ) async throws(StoreError) -> (record: DownloadRecord?, end: End) {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                var gate =
                    state == .lost ? try await QueueGate(for: [id], in: transaction) : .shut
                try await Contents.lockDownloads([id], in: transaction)
                let found = try await transaction.query(
                    "\(Downloads.reread) AND ($2::bigint IS NULL OR d.app_no = $2)",
                    [id, app])
                guard let row = found.first else { return (nil, .same) }
                let record = try DownloadRecord(row)
                guard record.contentFence != nil else { return (record, .same) }
                guard condition(record) else { return (record, .refused) }
                let now = record.download.result.content?.state
                // A lost file may be found again, unless its client gives it up.
                guard now == .held || now == .lost && state == .released,
                    try await Contents.mayEnd(id, at: instance, in: transaction)
                else { return (record, .same) }
                let change = ContentChange(
                    record, event: state == .lost ? .contentLost : .contentReleased,
                    state: state, phase: state == .lost ? .lost : .released)
                try await Contents.write([change], in: transaction)
                if state == .lost {
                    _ = try await refetch([record], through: &gate, in: transaction)
                }
                var after = record
                after.download = change.download
                return (after, .changed)
            }
        }
    }

    /// Whether a file may end: one in another data directory is not lost because it is missing
    /// here.
    private static func mayEnd(
        _ id: Identifier, at instance: Identifier?, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        guard let instance else { return true }
        let rows = try await transaction.query(
            """
            SELECT instance FROM contents
            WHERE id = $1 AND phase < lull_content_phase('released')
            """, [id])
        return try rows.first?.only(as: Identifier.self) == instance
    }

    static func lockDownloads(
        _ ids: [Identifier], in transaction: Transaction
    ) async throws(PostgresError) {
        for table in ["download_requests", "download_results"] {
            _ = try await transaction.query(
                "SELECT 1 FROM \(table) WHERE id = ANY ($1) ORDER BY id FOR UPDATE", [ids])
        }
    }

    /// Locks downloads in the order of their identifiers, then their contents.
    static func lock(
        _ ids: [Identifier], until now: Timestamp? = nil, in transaction: Transaction
    ) async throws(PostgresError) -> [(DownloadRecord, phase: ContentPhase, isOver: Bool)] {
        let keys = ids
        try await lockDownloads(keys, in: transaction)
        let rows = try await transaction.query(
            """
            SELECT \(DownloadRecord.columns), c.phase,
                c.expires_at <= least(clock_timestamp(), $2::timestamptz)
            FROM (SELECT * FROM contents
                WHERE id = ANY ($1) AND phase < lull_content_phase('released')
                ORDER BY id FOR UPDATE SKIP LOCKED) c
            JOIN \(DownloadRecord.tables) ON true
            WHERE d.id = c.id
            """, [keys, now])
        var list: [(DownloadRecord, phase: ContentPhase, isOver: Bool)] = []
        for row in rows {
            do throws(PostgresError) {
                let (number, isOver): (Int16, Bool) = try row.behind(DownloadColumn.self).values()
                guard let phase = ContentPhase(rawValue: number) else {
                    throw PostgresError(
                        .decoding, "content has a phase that this version of lull does not know")
                }
                list.append((try DownloadRecord(row), phase: phase, isOver: isOver))
            } catch {
                // A download that cannot be read keeps its file; the others are handled.
            }
        }
        return list
    }

    static func write(
        _ list: [ContentChange], in transaction: Transaction
    ) async throws(PostgresError) {
        guard !list.isEmpty else { return }
        _ = try await transaction.query(
            """
            WITH given AS MATERIALIZED (
                SELECT * FROM unnest($1::uuid[], $2::int[], $3::jsonb[], $4::smallint[],
                    $5::smallint[], $6::text[])
                u(id, sequence, content, phase, type, data)),
            result_rows AS (
                UPDATE download_results x SET sequence = i.sequence,
                    result = jsonb_set(x.result, '{content}', i.content)
                FROM given i WHERE x.id = i.id),
            content_rows AS (
                UPDATE contents x SET phase = i.phase, due_at = x.expires_at
                FROM given i
                WHERE x.id = i.id AND x.phase <> lull_content_phase('released'))
            SELECT lull_record_events(array_agg(ROW(
                greatest(clock_timestamp(), x.finished_at), x.session_no, x.id, i.type,
                i.sequence, x.attempts, i.data, 0, NULL, h.url, h.events)::new_event))
            FROM given i JOIN downloads x ON x.id = i.id
                JOIN unnest($1::uuid[], $7::text[], $8::bigint[]) h(id, url, events) ON h.id = i.id
            WHERE i.type IS NOT NULL
            """,
            [
                list.map(\.download.id),
                list.map { Int32($0.download.sequence) },
                list.map {
                    JSONText($0.download.outcome.value.content?.text(as: .stored) ?? "null")
                },
                list.map(\.phase.rawValue), list.map { $0.event?.rawValue },
                list.map { $0.event == nil ? nil : $0.download.eventData() },
                list.map(\.download.spec.webhookURL), list.map(\.download.spec.webhookSet.bits),
            ])
    }
}
