// Triggers: tokens by which others ask a source to look.
package import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// The triggers of all sources.
package struct Triggers: Sendable {
    /// The most triggers of a source.
    package static let countAtMost = 10
    /// The time for which the messages of senders are remembered, in seconds: longer than a
    /// signature is accepted, on both sides of its time.
    private static let messagesKept: Int64 = 900
    /// The most messages that are remembered of one trigger.
    private static let messagesAtMost = 200

    private let sources: Sources

    /// The triggers of sources.
    package init(_ sources: Sources) { self.sources = sources }

    /// Creates a trigger.
    ///
    /// - Parameters:
    ///   - new: the trigger.
    ///   - source: the name of its source.
    ///   - app: the app's number.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func make(
        _ new: NewTrigger, of source: String, app: Int64
    ) async throws(StoreError) -> TriggerOutcome {
        try await sorting { () throws(PostgresError) in
            try await sources.pool.transaction {
                transaction throws(PostgresError) -> TriggerOutcome in
                guard let owner = try await sources.locked(app, source, in: transaction) else {
                    return .noSource
                }
                let count: Int64 = try await transaction.query(
                    "SELECT count(*) FROM triggers WHERE source_no = $1", [owner.number])[0].only()
                guard count < Triggers.countAtMost else { return .tooMany }
                _ = try await transaction.query(
                    """
                    INSERT INTO triggers (id, source_no, digest, signature, sealed)
                    VALUES ($1, $2, $3, $4, $5)
                    """,
                    [new.id, owner.number, new.digest, new.signature.rawValue, new.sealed])
                let rows = try await transaction.query(
                    Triggers.selecting + " WHERE t.id = $1", [new.id])
                return .made(try Triggers.read(rows[0]))
            }
        }
    }

    /// The triggers of a source in the order of their creation; nil if the app has no such source.
    package func list(
        of source: String, app: Int64
    ) async throws(StoreError) -> [TriggerRecord]? {
        try await sorting { () throws(PostgresError) in
            let rows = try await sources.pool.query(
                """
                \(Triggers.selecting) WHERE s.app_no = $1 AND s.identifier = $2
                ORDER BY t.trigger_no LIMIT $3
                """, [app, source, Int64(Triggers.countAtMost)])
            if rows.isEmpty {
                let known = try await sources.pool.query(
                    "SELECT 1 FROM sources WHERE app_no = $1 AND identifier = $2", [app, source])
                guard known.first != nil else { return nil }
            }
            return try rows.map { row throws(PostgresError) in try Triggers.read(row) }
        }
    }

    /// Removes a trigger.
    ///
    /// - Parameters:
    ///   - id: its identifier.
    ///   - source: the name of its source.
    ///   - app: the app's number.
    /// - Returns: whether there was one.
    /// - Throws: `unavailable` or `refused`.
    package func remove(
        _ id: Identifier, of source: String, app: Int64
    ) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            try await sources.pool.query(
                """
                DELETE FROM triggers t USING sources s WHERE t.source_no = s.source_no
                    AND t.id = $1 AND s.app_no = $2 AND s.identifier = $3
                """, [id, app, source]
            ).affected > 0
        }
    }

    /// The trigger whose token has a digest; nil for none.
    package func find(digest: [UInt8]) async throws(StoreError) -> TriggerRecord? {
        try await sorting { () throws(PostgresError) in
            try await sources.pool.query(
                Triggers.selecting + " WHERE t.digest = $1", [digest]
            ).first.map { row throws(PostgresError) in try Triggers.read(row) }
        }
    }

    /// Lets the source of a trigger look.
    ///
    /// - Parameters:
    ///   - trigger: the trigger, as it was found by its token.
    ///   - call: the call.
    ///   - pause: the least time since the last look began.
    /// - Returns: the effect.
    /// - Throws: `unavailable` or `refused`.
    package func call(
        _ trigger: TriggerRecord, _ call: TriggerCall, pause: Duration
    ) async throws(StoreError) -> TriggerEffect {
        try await sorting { () throws(PostgresError) in
            try await sources.pool.transaction {
                transaction throws(PostgresError) -> TriggerEffect in
                guard
                    let source = try await sources.locked(
                        trigger.app, trigger.source, in: transaction),
                    let row = try await transaction.query(
                        """
                        SELECT messages FROM triggers WHERE trigger_no = $1 AND source_no = $2
                        FOR UPDATE
                        """, [trigger.number, source.number]
                    ).first
                else { return .gone }
                guard !source.timetable.isSuspended else { return .suspended }
                var messages: [String] = try row.only()
                let known = Triggers.note(call, in: &messages, at: source.readAt.seconds)
                guard known != .replayed else { return .replayed }
                _ = try await transaction.query(
                    """
                    UPDATE triggers SET messages = $2, called_at = clock_timestamp()
                    WHERE trigger_no = $1
                    """, [trigger.number, messages])
                guard known == nil else { return .repeated }
                return try await ask(source, by: trigger, call, pause, in: transaction)
            }
        }
    }

    /// Asks a source, whose row is locked, for a look.
    private func ask(
        _ source: SourceRecord, by trigger: TriggerRecord, _ call: TriggerCall, _ pause: Duration,
        in transaction: Transaction
    ) async throws(PostgresError) -> TriggerEffect {
        var timetable = source.timetable
        let wasAsked = timetable.askedAt != nil
        let waits = timetable.ask(at: source.readAt, pause: pause)
        var askedBy: JSONObject = ["id": .string(trigger.id.text(.trigger))]
        askedBy.append("body", call.body.map { .string($0) } ?? .null)
        _ = try await transaction.query(
            """
            UPDATE sources SET step = step + 1, timetable = $2, asked_by = $3,
                turn_at = coalesce($4::timestamptz, 'infinity')
            WHERE source_no = $1
            """,
            [
                source.number, JSONText(timetable.text(as: .stored)),
                JSONText(JSON.object(askedBy).text), timetable.turnAt(after: source.readAt),
            ])
        return waits || wasAsked ? .coalesced : .looks
    }

    /// Adds the message of a call to those that are remembered, each as its time and its name.
    ///
    /// - Returns: `repeated` or `replayed` for a message that is known; nil for a new one.
    static func note(
        _ call: TriggerCall, in messages: inout [String], at now: Int64
    ) -> TriggerEffect? {
        guard let message = call.message else { return nil }
        var known: Int64?
        messages.removeAll { entry in
            let parts = entry.split(separator: " ", maxSplits: 1)
            let time = parts.first.flatMap { Int64($0) } ?? 0
            if parts.last.map(String.init) == message {
                known = max(known ?? time, time)
                return true
            }
            return time < now - messagesKept
        }
        let latest = max(known ?? call.signedAt, call.signedAt)
        messages.append("\(latest) \(message)")
        if messages.count > messagesAtMost { messages.removeFirst(messages.count - messagesAtMost) }
        return known.map { call.signedAt > $0 ? .repeated : .replayed }
    }

    /// Lets a look have the trigger that asked for it.
    static func pass(
        toLook download: Identifier, of source: Int64, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            WITH passed AS (
                UPDATE source_looks l SET asked_by = s.asked_by FROM sources s
                WHERE l.download_id = $1 AND l.outcome IS NULL AND s.source_no = $2
                    AND s.asked_by IS NOT NULL RETURNING l.source_no)
            UPDATE sources s SET asked_by = NULL FROM passed p WHERE s.source_no = p.source_no
            """, [download, source])
    }

    /// The trigger and the body of its call, as the event of a look has them.
    static func caller(_ stored: String?) throws(PostgresError) -> JSON? {
        guard let stored else { return nil }
        do throws(JSONError) {
            return try JSON.parse(Array(stored.utf8))
        } catch {
            throw PostgresError(.decoding, "the trigger of a look is not JSON")
        }
    }

    private static let selecting = """
        SELECT \(TriggerColumn.list) FROM triggers t JOIN sources s ON s.source_no = t.source_no
        """

    private static func read(_ row: Row) throws(PostgresError) -> TriggerRecord {
        typealias Column = TriggerColumn
        guard let signature = TriggerSignature(rawValue: try row.text(Column.signature)) else {
            throw PostgresError(
                .decoding, "a trigger has a signature that this version of lull does not know")
        }
        return TriggerRecord(
            number: try row.integer(Column.triggerNo), id: try row.identifier(Column.id),
            app: try row.integer(Column.appNo), source: try row.text(Column.identifier),
            signature: signature, sealed: try row.get(Column.sealed),
            createdAt: try row.requiredInstant(Column.createdAt),
            calledAt: try row.instant(Column.calledAt))
    }
}

/// A column of `t`, which is `triggers`, or of its source `s`.
private enum TriggerColumn: Int, RowColumn {
    case triggerNo, id, appNo, identifier, signature, sealed, createdAt, calledAt

    var sql: String {
        switch self {
        case .appNo, .identifier: "s." + columnName
        default: "t." + columnName
        }
    }
}
