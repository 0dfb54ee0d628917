// Sources: put under the client's name, read, listed, changed, removed.
package import Base
internal import Downloads
internal import Postgres
package import Scheduling

/// The sources of all apps.
package struct Sources: Sendable {
    /// The most sources of an app.
    package static let countAtMost: Int64 = 1000

    let downloads: Downloads
    var pool: ConnectionPool { downloads.pool }
    var zone: @Sendable (String) -> TimeZoneRules? { downloads.zone }

    /// The sources whose looks are among downloads.
    package init(_ downloads: Downloads) { self.downloads = downloads }

    /// One source; nil if the app has none of this name.
    package func find(
        app: Int64, identifier: String
    ) async throws(StoreError) -> SourceRecord? {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                SELECT \(SourceColumn.list) FROM sources s
                WHERE s.app_no = $1 AND s.identifier = $2
                """, [app, identifier]
            ).first.map { row throws(PostgresError) in try SourceRecord(row, zone: zone) }
        }
    }

    /// The sources of an app by name.
    ///
    /// - Parameters:
    ///   - app: the app's number.
    ///   - after: only those behind this name.
    ///   - limit: at most so many.
    /// - Returns: the page.
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func list(
        app: Int64, after: String?, limit: Int
    ) async throws(StoreError) -> [SourceRecord] {
        try await sorting { () throws(PostgresError) in
            let rows = try await downloads.lists.query(
                """
                SELECT \(SourceColumn.list) FROM sources s
                WHERE s.app_no = $1 AND ($2::text IS NULL OR s.identifier > $2)
                ORDER BY s.identifier LIMIT $3
                """, [app, after, Int64(limit)])
            return try rows.map { row throws(PostgresError) in try SourceRecord(row, zone: zone) }
        }
    }

    /// Creates a source, or changes its document; an equal one changes nothing.
    ///
    /// - Parameters:
    ///   - spec: the document without values of secrets.
    ///   - identifier: the client's name for it.
    ///   - app: the app's number.
    ///   - id: the subject of its events, if it is new.
    ///   - sealed: the template with its secrets, sealed; nil without secrets.
    ///   - condition: judges the source under its lock, nil if there is none.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func put(
        _ spec: SourceSpec, as identifier: String, app: Int64, id: Identifier, sealed: [UInt8]?,
        where condition: @escaping @Sendable (SourceRecord?) -> Bool
    ) async throws(StoreError) -> SourceOutcome {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) -> SourceOutcome in
                _ = try await transaction.query(
                    "SELECT pg_advisory_xact_lock(5502, ($1::bigint % 2147483647)::int)", [app])
                guard let old = try await locked(app, identifier, in: transaction) else {
                    guard condition(nil) else { return .refused(nil) }
                    let count: Int64 = try await transaction.query(
                        "SELECT count(*) FROM sources WHERE app_no = $1", [app])[0].only()
                    guard count < Sources.countAtMost else { return .tooMany }
                    let made = try await insert(
                        spec, as: identifier, app: app, id: id, sealed: sealed, in: transaction)
                    return .made(made)
                }
                guard condition(old) else { return .refused(old) }
                guard old.spec.kind == spec.kind else { return .otherKind(old) }
                guard old.spec != spec else { return .kept(old) }
                return .kept(try await change(old, to: spec, sealed, in: transaction))
            }
        }
    }

    /// Removes a source; its downloads stay.
    ///
    /// - Parameters:
    ///   - identifier: the client's name for it.
    ///   - app: the app's number.
    ///   - condition: judges the source under its lock.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func remove(
        _ identifier: String, app: Int64,
        where condition: @escaping @Sendable (SourceRecord) -> Bool
    ) async throws(StoreError) -> SourceMove {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) -> SourceMove in
                guard let old = try await locked(app, identifier, in: transaction) else {
                    return .notFound
                }
                guard condition(old) else { return .refused(old) }
                for table in [
                    "source_looks", "source_versions", "source_items", "triggers", "sources",
                ] {
                    _ = try await transaction.query(
                        "DELETE FROM \(table) WHERE source_no = $1", [old.number])
                }
                return .done(old)
            }
        }
    }

    /// Changes the state of a source's looks.
    ///
    /// - Parameters:
    ///   - identifier: the client's name for it.
    ///   - app: the app's number.
    ///   - condition: judges the source under its lock.
    ///   - body: the change; takes the database's clock.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func move(
        _ identifier: String, app: Int64,
        where condition: @escaping @Sendable (SourceRecord) -> Bool = { _ in true },
        _ body: @escaping @Sendable (inout SourceTimetable, Timestamp) -> Void
    ) async throws(StoreError) -> SourceMove {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) -> SourceMove in
                guard let old = try await locked(app, identifier, in: transaction) else {
                    return .notFound
                }
                guard condition(old) else { return .refused(old) }
                var timetable = old.timetable
                body(&timetable, old.readAt)
                let rows = try await transaction.query(
                    """
                    UPDATE sources s SET step = s.step + 1, timetable = $2,
                        turn_at = coalesce($3::timestamptz, 'infinity'),
                        updated_at = clock_timestamp()
                    WHERE s.source_no = $1 RETURNING \(SourceColumn.list)
                    """,
                    [
                        old.number, JSONText(timetable.text(as: .stored)),
                        timetable.turnAt(after: old.readAt),
                    ])
                guard let row = rows.first else { return .notFound }
                return .done(try SourceRecord(row, zone: zone))
            }
        }
    }

    /// Suspends the sources of a session whose client was ended, or that takes no downloads.
    ///
    /// - Parameters:
    ///   - session: the session's identifier.
    ///   - app: the app's number.
    /// - Returns: their names.
    /// - Throws: `unavailable` or `refused`.
    package func suspend(
        ofSession session: String, app: Int64
    ) async throws(StoreError) -> [String] {
        let names: [String] = try await sorting { () throws(PostgresError) in
            try await pool.query(
                """
                SELECT identifier FROM sources WHERE app_no = $1 AND session = $2
                ORDER BY identifier
                """, [app, session]
            ).column()
        }
        var suspended: [String] = []
        for name in names {
            let change = try await move(
                name, app: app,
                where: { $0.spec.session == session && !$0.timetable.isSuspended },
                { timetable, _ in timetable.suspend() })
            if case .done = change { suspended.append(name) }
        }
        return suspended
    }

    /// A source, with its row locked.
    func locked(
        _ app: Int64, _ identifier: String, in transaction: Transaction
    ) async throws(PostgresError) -> SourceRecord? {
        try await transaction.query(
            """
            SELECT \(SourceColumn.list) FROM sources s
            WHERE s.app_no = $1 AND s.identifier = $2 FOR UPDATE OF s
            """, [app, identifier]
        ).first.map { row throws(PostgresError) in try SourceRecord(row, zone: zone) }
    }

    private func insert(
        _ spec: SourceSpec, as identifier: String, app: Int64, id: Identifier, sealed: [UInt8]?,
        in transaction: Transaction
    ) async throws(PostgresError) -> SourceRecord {
        let now: Timestamp = try await transaction.query("SELECT clock_timestamp()")[0].only()
        var timetable = SourceTimetable()
        timetable.plan(spec, of: identifier, at: now)
        return try SourceRecord(
            try await transaction.query(
                """
                INSERT INTO sources AS s (app_no, identifier, id, session, spec, sealed, timetable,
                    turn_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8::timestamptz, 'infinity'))
                RETURNING \(SourceColumn.list)
                """,
                [
                    app, identifier, id, spec.session, JSONText(JSON.object(spec.stored).text),
                    sealed, JSONText(timetable.text(as: .stored)), timetable.turnAt(after: now),
                ])[0], zone: zone)
    }

    private func change(
        _ old: SourceRecord, to spec: SourceSpec, _ sealed: [UInt8]?, in transaction: Transaction
    ) async throws(PostgresError) -> SourceRecord {
        var (timetable, known) = (old.timetable, old.known)
        if old.spec.schedule != spec.schedule {
            timetable.plan(spec, of: old.identifier, at: old.readAt)
        }
        if !old.spec.asks(as: spec) {
            known.forgetValidators(of: spec.kind)
            timetable.replaceRequest(isOtherURL: old.spec.url != spec.url, at: old.readAt)
        }
        return try SourceRecord(
            try await transaction.query(
                """
                UPDATE sources s SET version = s.version + 1, session = $2, spec = $3, sealed = $4,
                    step = s.step + 1, timetable = $5,
                    turn_at = coalesce($6::timestamptz, 'infinity'), known = $7,
                    updated_at = clock_timestamp()
                WHERE s.source_no = $1 RETURNING \(SourceColumn.list)
                """,
                [
                    old.number, spec.session, JSONText(JSON.object(spec.stored).text), sealed,
                    JSONText(timetable.text(as: .stored)), timetable.turnAt(after: old.readAt),
                    JSONText(known.text(as: .stored)),
                ])[0], zone: zone)
    }
}

extension Downloads {
    /// The sources whose looks are among these downloads.
    package var sources: Sources { Sources(self) }
}
