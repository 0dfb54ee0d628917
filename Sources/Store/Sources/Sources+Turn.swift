// The turns of sources: read those that are due, record what each turn decided.
package import Base
internal import Downloads
internal import Postgres
internal import Scheduling

extension Sources {
    /// The time for which a replica that took a due source is waited for.
    private static let hold = Duration.seconds(30)

    /// Takes sources that are due; another replica takes them only if nothing is recorded for a
    /// while.
    ///
    /// - Parameter limit: at most so many.
    /// - Returns: the sources that can be read, and how many were taken.
    /// - Throws: `unavailable` or `refused`.
    package func due(
        limit: Int
    ) async throws(StoreError) -> (sources: [SourceRecord], taken: Int) {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                UPDATE sources s SET turn_at = clock_timestamp() + $2 * interval '1 second'
                FROM (SELECT z.source_no FROM sources z
                    WHERE z.turn_at <= statement_timestamp() AND z.turn_at < 'infinity'
                    ORDER BY z.turn_at LIMIT $1 FOR UPDATE SKIP LOCKED) d
                WHERE s.source_no = d.source_no RETURNING \(SourceColumn.list)
                """, [Int64(limit), Sources.hold.components.seconds])
            var sources: [SourceRecord] = []
            for row in rows {
                do throws(PostgresError) {
                    sources.append(try SourceRecord(row, zone: zone))
                } catch {
                    // A source that cannot be read is taken again later; the others go on.
                }
            }
            return (sources, rows.count)
        }
    }

    /// The time of the next turn of any source; nil for none.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func nextTurn() async throws(StoreError) -> Timestamp? {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                SELECT turn_at FROM sources WHERE turn_at < 'infinity' ORDER BY turn_at LIMIT 1
                """
            ).first?.only()
        }
    }

    /// Whether a look of any source has not ended.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func haveOpenLooks() async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT EXISTS (SELECT 1 FROM source_looks WHERE outcome IS NULL)"
            )[0].only()
        }
    }

    /// Records a step without a download.
    ///
    /// - Parameters:
    ///   - step: the step; if it begins a look, that has failed without a download.
    ///   - failure: the reason why the look that it begins has no download; nil for a step without
    ///     a look.
    /// - Returns: whether the source was still as it was read.
    /// - Throws: `unavailable` or `refused`.
    package func record(
        _ step: SourceStep, failure: String? = nil
    ) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                guard try await Sources.take(step, as: nil, in: transaction) else { return false }
                guard let failure else { return true }
                var source = step.source
                source.timetable = step.timetable
                source.timetable.begunAt = source.readAt
                let needsAttention = source.timetable.end(
                    .failed, at: source.readAt, source.schedule)
                if let start = step.start {
                    _ = try await transaction.query(
                        """
                        INSERT INTO source_looks (source_no, due_at, last_due_at, outcome, reason,
                            begun_at, ended_at, is_asked)
                        VALUES ($1, $2, $2, lull_look_outcome('failed'), $3, clock_timestamp(),
                            clock_timestamp(), $4)
                        """, [source.number, start.dueAt, failure, start.isAsked])
                }
                try await Sources.keep(source, in: transaction)
                if needsAttention {
                    try await Sources.tell(
                        .sourceFailing, source, ["reason": .string(failure)], in: transaction)
                }
                return true
            }
        }
    }

    /// Moves the sources on whose looks are among new downloads, in the order of their numbers.
    ///
    /// - Returns: the downloads whose source another transaction has moved on.
    static func take(
        _ batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) -> Set<Identifier> {
        var stale: Set<Identifier> = []
        let looks = batch.compactMap { new in new.look.map { (step: $0, id: new.download.id) } }
        for look in looks.sorted(by: { $0.step.source.number < $1.step.source.number }) {
            if try await !take(look.step, as: look.id, in: transaction) { stale.insert(look.id) }
        }
        return stale
    }

    /// Moves a source on, unless another transaction did.
    ///
    /// - Parameters:
    ///   - step: the step.
    ///   - download: the download of the look that it begins; nil for none.
    ///   - transaction: the transaction.
    /// - Returns: whether the source was still as it was read.
    /// - Throws: what the database answered.
    static func take(
        _ step: SourceStep, as download: Identifier?, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        let source = step.source
        let moved = try await transaction.query(
            """
            UPDATE sources SET step = step + 1, timetable = $3, running = $4,
                turn_at = coalesce($5::timestamptz, 'infinity')
            WHERE source_no = $1 AND step = $2
            """,
            [
                source.number, source.step, JSONText(step.timetable.text(as: .stored)),
                step.timetable.running?.download, step.nextTurn,
            ])
        guard moved.affected == 1 else { return false }
        for skip in step.skips { try await note(skip, of: source, in: transaction) }
        guard let download, let start = step.start else { return true }
        _ = try await transaction.query(
            """
            INSERT INTO source_looks (source_no, due_at, last_due_at, download_id, begun_at,
                is_asked, is_full)
            VALUES ($1, $2, $2, $3, clock_timestamp(), $4, $5)
            """, [source.number, start.dueAt, download, start.isAsked, start.isFull])
        if source.timetable.askedAt != nil, step.timetable.askedAt == nil {
            try await Triggers.pass(toLook: download, of: source.number, in: transaction)
        }
        return true
    }

    /// Records instants without a look; adjacent ones with one reason are one row and one event.
    static func note(
        _ skip: SkippedInstants, of source: SourceRecord, in transaction: Transaction
    ) async throws(PostgresError) {
        let fresh = try await transaction.query(
            """
            WITH merged AS (
                UPDATE source_looks SET count = count + $5, last_due_at = $4,
                    ended_at = clock_timestamp()
                WHERE look_no = (SELECT max(look_no) FROM source_looks WHERE source_no = $1)
                    AND outcome = lull_look_outcome('skipped') AND reason = $2 RETURNING look_no)
            INSERT INTO source_looks (source_no, due_at, last_due_at, count, outcome, reason,
                ended_at)
            SELECT $1, $3::timestamptz, $4, $5, lull_look_outcome('skipped'), $2, clock_timestamp()
            WHERE NOT EXISTS (SELECT 1 FROM merged) RETURNING look_no
            """, [source.number, skip.reason.rawValue, skip.first, skip.last, skip.count])
        guard !fresh.isEmpty else { return }
        try await tell(
            .sourceSkipped, source,
            [
                "reason": .string(skip.reason.rawValue), "due_at": .string(skip.first.rfc3339),
                "last_due_at": .string(skip.last.rfc3339), "count": .integer(skip.count),
            ], in: transaction)
    }

    /// Stores the state of a source whose row is locked.
    static func keep(
        _ source: SourceRecord, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            UPDATE sources SET step = step + 1, timetable = $2, running = $3, known = $4,
                turn_at = coalesce($5::timestamptz, 'infinity')
            WHERE source_no = $1
            """,
            [
                source.number, JSONText(source.timetable.text(as: .stored)),
                source.timetable.running?.download, JSONText(source.known.text(as: .stored)),
                source.timetable.turnAt(after: source.readAt),
            ])
    }

    /// Records an event of a source, for the receivers of its session and the endpoints that want
    /// it.
    static func tell(
        _ type: EventType, _ source: SourceRecord, _ facts: JSONObject,
        in transaction: Transaction
    ) async throws(PostgresError) {
        var data: JSONObject = [
            "id": .string(source.id.text(.source)), "identifier": .string(source.identifier),
            "session": .string(source.spec.session), "url": .string(source.spec.url),
        ]
        for (name, value) in facts.members { data.append(name, value) }
        _ = try await transaction.query(
            """
            WITH told AS (
                UPDATE sources SET sequence = sequence + 1 WHERE source_no = $1
                RETURNING app_no, session, id, sequence)
            SELECT lull_record_session_event((SELECT x.session_no FROM sessions x
                WHERE x.app_no = t.app_no AND x.identifier IN (t.session, 'default')
                ORDER BY x.identifier = t.session DESC LIMIT 1), $2, t.id, t.sequence, $3)
            FROM told t
            """, [source.number, type.rawValue, JSON.object(data).text])
    }
}
