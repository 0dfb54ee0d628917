// suspend, resume, cancel, delete: one transaction each, with its event.
package import Base
package import Downloads
internal import Postgres
internal import Scheduling

extension Downloads {
    /// Performs a client's action.
    ///
    /// - Parameters:
    ///   - action: what.
    ///   - id: to which download.
    ///   - app: the app's number.
    ///   - request: with `retry` of a download that ended, what it is asked for with from now on.
    ///   - condition: judges the download under its lock, so that nothing changes in between.
    /// - Returns: what came of it.
    /// - Throws: `unavailable` or `refused`.
    package func perform(
        _ action: DownloadAction, on id: Identifier, app: Int64, request: SealedRequest? = nil,
        where condition: @escaping @Sendable (Download) -> Bool = { _ in true }
    ) async throws(StoreError) -> ActionOutcome {
        let outcome = try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                var gate = try await Downloads.gate(action, [id], in: transaction)
                let background = try await Downloads.background(action, [id], in: transaction)
                let asked = AskedAction(
                    action, request: request, background: background, where: condition)
                let outcome = try await Downloads.perform(
                    asked, on: id, app: app, through: &gate, facets: facets, in: transaction)
                try await Downloads.enterLanes([id], in: transaction)
                return outcome
            }
        }
        if case .done = outcome { changes.changed([id]) }
        return outcome
    }

    /// Performs a client's action on several downloads in one transaction.
    ///
    /// - Parameters:
    ///   - action: what.
    ///   - ids: to which, in rising order: the order of locks.
    ///   - app: the app's number.
    ///   - reason: with `cancel`, why.
    ///   - condition: judges each download under its lock.
    /// - Returns: what came of it, for each.
    /// - Throws: `unavailable` or `refused`.
    package func perform(
        _ action: DownloadAction, on ids: [Identifier], app: Int64,
        because reason: CancelReason? = nil,
        where condition: @escaping @Sendable (Download) -> Bool = { _ in true }
    ) async throws(StoreError) -> [ActionOutcome] {
        for _ in 0..<16 {
            let outcomes = try await sorting { () throws(PostgresError) in
                try await pool.transaction {
                    transaction throws(PostgresError) -> [ActionOutcome]? in
                    var gate = try await Downloads.gate(action, ids, in: transaction)
                    let background = try await Downloads.background(action, ids, in: transaction)
                    guard try await Downloads.lock(ids, app: app, in: transaction) else {
                        return nil
                    }
                    let asked = AskedAction(
                        action, because: reason, background: background, where: condition)
                    var outcomes: [ActionOutcome] = []
                    for id in ids {
                        outcomes.append(
                            try await Downloads.perform(
                                asked, on: id, app: app, through: &gate, facets: facets,
                                in: transaction))
                    }
                    try await Downloads.enterLanes(ids, in: transaction)
                    return outcomes
                }
            }
            guard let outcomes else { continue }
            changes.changed(ids)
            return outcomes
        }
        throw StoreError(.unavailable, "other changes of the downloads kept coming in between")
    }

    /// Locks several downloads.
    ///
    /// - Returns: false if one of them was changed by a transaction that began after this one.
    ///   The journal has the order of transactions, so this one's events would stand before that
    ///   one's; a new transaction has to do the work.
    static func lock(
        _ ids: [Identifier], app: Int64, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        let names = ids
        for table in [
            "queue WHERE", "download_requests WHERE app_no = $2 AND", "download_results WHERE",
        ] {
            let rows = try await transaction.query(
                """
                SELECT coalesce(bool_and(r.age NOT BETWEEN -1000000 AND 0), true) FROM (
                    SELECT age(xmin) AS age FROM \(table) id = ANY ($1) AND $2::bigint > 0
                    ORDER BY id FOR UPDATE) r
                """, [names, app])
            guard try rows[0].only(as: Bool.self) else { return false }
        }
        return true
    }

    /// Enters waiting rows into their lanes, all at once and in order; called after every change
    /// that makes rows wait or changes their time or lane.
    static func enterLanes(
        _ ids: [Identifier], in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query("SELECT lull_enter_rows($1)", [ids])
    }

    /// Removes a row from the queue, and lowers the count of its app.
    static func leaveQueue(
        _ id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            WITH gone AS (DELETE FROM queue WHERE id = $1 RETURNING app_no)
            INSERT INTO queued_counts (app_no, change) SELECT app_no, -1 FROM gone
            """, [id])
    }

    /// Records how the followers of ended leaders continue; a statement of its own after the one
    /// that ended them.
    static func endFlights(
        of ids: [Identifier], in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query("SELECT lull_end_flights($1)", [ids])
    }

    /// The caller enters rows that wait afterwards into their lanes, and has opened the gate before
    /// it locked a row.
    static func perform(
        _ asked: AskedAction, on id: Identifier, app: Int64, through gate: inout QueueGate,
        facets: FacetBook, in transaction: Transaction
    ) async throws(PostgresError) -> ActionOutcome {
        let action = asked.action
        // The row is locked first, so a claim or an end comes before or after this.
        try await lock(id, app: app, in: transaction)
        let rows = try await transaction.query(findStatement, [id, app])
        guard let row = rows.first else { return .notFound }
        var record = try DownloadRecord(row)
        guard asked.condition(record.download) else { return .refused(record) }
        let state = record.download.state
        let isLost = record.download.result.content?.isGone == true
        guard action.allowedStates.contains(state) || action == .retry && isLost else {
            return .impossible(state)
        }
        if action == .cancel, let reason = asked.reason, state != .canceling {
            try await note(reason, for: &record, in: transaction)
        }
        switch (action, state) {
        case (.suspend, .running), (.cancel, .running):
            let order: RunOrder = action == .cancel ? .cancel : .suspend
            _ = try await transaction.query(
                "UPDATE queue SET control = $2 WHERE id = $1", [id, order.rawValue])
            if action == .cancel { record.download.state = .canceling }
            return .done(record, order: order)
        case (.resume, .running):
            // An ordered suspend that was not performed yet is revoked.
            _ = try await transaction.query(
                """
                UPDATE queue SET control = lull_order('none')
                WHERE id = $1 AND control = lull_order('suspend')
                """, [id])
            return .done(record, order: nil)
        case (.suspend, .waiting), (.suspend, .receiving):
            try await move(&record, to: .suspended, event: .suspended, in: transaction)
        case (.retry, .waiting):
            guard let next = record.download.nextAttemptAt,
                next > (record.download.earliestBeginDate ?? .epoch)
            else { break }
            try await move(&record, to: .waiting, event: .waiting, in: transaction)
        case (.retry, .failed), (.retry, .canceled), (.retry, .succeeded):
            let refusal = try await retry(
                &record, through: &gate, request: asked.request, facets: facets,
                delayedUntil: asked.background[record.download.session], in: transaction)
            if let refusal { return refusal }
        case (.resume, .suspended), (.resume, .attentionRequired), (.retry, .attentionRequired):
            if state == .suspended { try await askHookAgain(&record, in: transaction) }
            try await move(&record, to: .waiting, event: .resumed, in: transaction)
        case (.cancel, .waiting), (.cancel, .receiving), (.cancel, .suspended),
            (.cancel, .attentionRequired):
            try await end(&record, as: .canceled, error: nil, in: transaction)
        case (.delete, _): try await delete(id, in: transaction)
        default: break
        }
        return .done(record, order: nil)
    }

    /// Puts an ended download back into the queue.
    ///
    /// - Returns: why it does not come back, or nil.
    private static func retry(
        _ record: inout DownloadRecord, through gate: inout QueueGate, request: SealedRequest?,
        facets: FacetBook, delayedUntil: Timestamp??, in transaction: Transaction
    ) async throws(PostgresError) -> ActionOutcome? {
        let id = record.download.id
        if let refusal = gate.refusal(of: id) { return refusal }
        guard !record.download.spec.isErased else { return .urlErased }
        let shape = record.download.spec.request
        if shape.hasSecrets, request == nil {
            guard try await takeSecrets(of: id, in: transaction) else {
                return .secretsErased(shape)
            }
        }
        try await revive(
            &record, through: &gate, facets: facets, delayedUntil: delayedUntil, in: transaction)
        if let request {
            try await replace(request, of: id, in: transaction)
            let row = try await transaction.query(reread, [id])[0]
            record = try DownloadRecord(row)
        }
        try await note(.waiting, of: record.download, in: transaction)
        return nil
    }

    /// The gate for an action: only a retry makes downloads live.
    private static func gate(
        _ action: DownloadAction, _ ids: [Identifier], in transaction: Transaction
    ) async throws(PostgresError) -> QueueGate {
        action == .retry ? try await QueueGate(for: ids, in: transaction) : .shut
    }

    /// The sessions, by name, whose clients are in the background while they retry ended downloads,
    /// and the end of the delay for what begins there.
    ///
    /// Called before any row is locked, because the end of a delay locks the session's row before
    /// those of downloads.
    private static func background(
        _ action: DownloadAction, _ ids: [Identifier], in transaction: Transaction
    ) async throws(PostgresError) -> [String: Timestamp?] {
        guard action == .retry else { return [:] }
        let rows = try await transaction.query(
            """
            SELECT z.session, b.delayed_until FROM (
                SELECT DISTINCT d.session, d.session_no FROM downloads d
                WHERE d.id = ANY ($1) AND d.state IS NOT NULL
                ORDER BY d.session_no) z
            CROSS JOIN LATERAL lull_enter_background(z.session_no) b WHERE b.is_background
            """, [ids])
        var delays: [String: Timestamp?] = [:]
        for row in rows {
            let (session, until): (String, Timestamp?) = try row.values()
            delays.updateValue(until, forKey: session)
        }
        return delays
    }

    /// Notes why the download is canceled.
    private static func note(
        _ reason: CancelReason, for record: inout DownloadRecord, in transaction: Transaction
    ) async throws(PostgresError) {
        record.download.spec.cancelReason = reason
        _ = try await transaction.query(
            """
            UPDATE download_requests
            SET spec = spec || jsonb_build_object('cancel_reason', $2::text) WHERE id = $1
            """, [record.download.id, reason.rawValue])
    }

    /// The number of ended downloads whose secrets are still there for a retry.
    ///
    /// - Throws: `overloaded`, `unavailable` or `refused`.
    package func keptSecrets(of ids: [Identifier]) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await lists.query(
                """
                SELECT count(*) FROM download_secrets
                WHERE id = ANY ($1) AND kept_until > statement_timestamp()
                """, [ids])[0].only(as: Int.self)
        }
    }

    /// Takes the secrets that were given to a download after its end, and keeps them until its next
    /// end.
    ///
    /// - Returns: whether there are some.
    private static func takeSecrets(
        of id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) -> Bool {
        let rows = try await transaction.query(
            """
            UPDATE download_secrets SET kept_until = NULL
            WHERE id = $1 AND kept_until > statement_timestamp() RETURNING 1
            """, [id])
        return !rows.isEmpty
    }

    /// Makes a begin hook that has answered be asked again if its download was suspended since,
    /// because its answer may have expired.
    private static func askHookAgain(
        _ record: inout DownloadRecord, in transaction: Transaction
    ) async throws(PostgresError) {
        guard !record.download.isSending else {
            guard record.download.shared.value.relay?.hook != nil else { return }
            _ = try await transaction.query(
                """
                UPDATE queue SET lane_flags = lane_flags | lull_lane_flag('unasked') WHERE id = $1
                """, [record.download.id])
            return
        }
        guard !record.download.spec.asksHook else { return }
        record.download.asksHookAgain()
        guard record.download.spec.asksHook else { return }
        _ = try await transaction.query(
            """
            WITH live AS (
                UPDATE queue SET lane_flags = lane_flags | lull_lane_flag('unasked') WHERE id = $1)
            UPDATE download_requests SET spec = spec || '{"asks_hook": true}' WHERE id = $1
            """, [record.download.id])
    }

    /// Moves a live download to another state that is not running.
    private static func move(
        _ record: inout DownloadRecord, to state: DownloadState, event: EventType,
        in transaction: Transaction
    ) async throws(PostgresError) {
        let id = record.download.id
        _ = try await transaction.query(
            """
            UPDATE queue q SET state = $2, sequence = q.sequence + 1, state_since = c.t,
                joined_to = NULL, fence = q.fence + (q.joined_to IS NOT NULL)::int,
                attempts_without_progress = CASE
                    WHEN q.state = lull_state('attention_required') THEN 0
                    ELSE q.attempts_without_progress END,
                run_at = CASE WHEN $2 = lull_state('waiting')
                    THEN greatest(c.t, d.earliest_begin_at, q.wake_until)
                    ELSE q.run_at END
            FROM downloads d, LATERAL (
                SELECT greatest(clock_timestamp(), x.state_since) AS t FROM queue x
                WHERE x.id = d.id) c
            WHERE q.id = $1 AND d.id = q.id
            """, [id, state.number])
        if state != .waiting { try await endFlights(of: [id], in: transaction) }
        // Read again, because the event shows the values of the row.
        record = try DownloadRecord(try await transaction.query(reread, [id])[0])
        try await note(event, of: record.download, in: transaction)
    }

    /// Ends a live download that does not run.
    static func end(
        _ record: inout DownloadRecord, as state: DownloadState, error: DownloadFailure?,
        in transaction: Transaction
    ) async throws(PostgresError) {
        let id = record.download.id
        // The instant is taken after the lock and not before the last event, because other clocks
        // may be ahead of this one.
        let now = try await transaction.query(
            "SELECT greatest(clock_timestamp(), state_since) FROM queue WHERE id = $1", [id])[0]
            .only(as: Timestamp.self)
        record.download.state = state
        record.download.sequence += 1
        record.download.completedAt = now
        record.download.nextAttemptAt = nil
        record.candidate = nil
        if let error { record.download.result.error = error }
        record.download.keepAddress()
        _ = try await transaction.query(
            """
            WITH erased AS (DELETE FROM download_secrets WHERE id = $1)
            SELECT lull_keep_results(ARRAY[ROW(q.id, $5::timestamptz, NULL, q.bytes, NULL,
                q.attempt, $3::int, $2::smallint, $4::jsonb, q.app_no)::download_results])
            FROM queue q WHERE q.id = $1
            """,
            [
                id, state.number, Int32(record.download.sequence),
                JSONText(
                    record.download.result.compacted(of: record.download.url).text(as: .stored)),
                now,
            ])
        if state == .failed {
            _ = try await transaction.query(
                """
                SELECT lull_keep_parts(ARRAY[q.id], ARRAY[q.resume], ARRAY[$2::timestamptz])
                FROM queue q WHERE q.id = $1
                """, [id, now])
        }
        try await note(
            state == .canceled ? .canceled : .failed, of: record.download, at: now,
            in: transaction)
        try await endFlights(of: [id], in: transaction)
        try await leaveQueue(id, in: transaction)
    }

    /// Records the event of a change, and its delivery if it is subscribed to; the instant is that
    /// of the queue row's state, unless one is given.
    static func note(
        _ event: EventType, of download: Download, at instant: Timestamp? = nil,
        isReadable: Bool = true, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            SELECT lull_record_events(ARRAY[ROW(coalesce($5, q.state_since), q.session_no, q.id,
                $2::smallint, $3::int, q.attempt, $4, q.bytes, q.total_bytes, q.webhook_url,
                q.webhook_events)::new_event])
            FROM queue q WHERE q.id = $1
            """,
            [
                download.id, event.rawValue, Int32(download.sequence),
                isReadable && DerivedData.isDerivable(event) ? nil : download.eventData(),
                instant,
            ])
    }

    static let reread = """
        SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables) WHERE d.id = $1
        """
}
