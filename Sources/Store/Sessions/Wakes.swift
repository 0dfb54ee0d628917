// Wakes of sessions: looked at, sent, completed.
package import Base
package import Downloads
package import Postgres

/// The wakes of all apps.
package struct Wakes: Sendable {
    /// The result of a look at the due sessions.
    package struct Round: Sendable {
        /// Wakes that were sent, for the first time or again.
        package var sent: [Wake] = []
        /// Wakes that ended without being completed.
        package var abandoned: [Wake] = []
        /// The number of sessions without live downloads.
        package var drained = 0
        /// The number of wakes whose deliveries have all ended.
        package var finished = 0
        /// Whether a session could not be looked at, because another transaction has it.
        package var isPart = false
        /// Whether the round was full and some of its sessions are done.
        package var hasMore = false
        /// The next instant at which a session is due; nil if only an event makes one due.
        package var next: Timestamp?

        /// Creates an empty result.
        init() {}

        /// Creates the result of a look at one session.
        init(_ actions: [WakeAction]) {
            for action in actions {
                switch action {
                case .send(let wake): sent.append(wake)
                case .abandoned(let wake): abandoned.append(wake)
                case .drained: drained += 1
                }
            }
        }

        /// Adds the result of another part of the round.
        mutating func add(_ other: Round) {
            sent += other.sent
            abandoned += other.abandoned
            drained += other.drained
            finished += other.finished
        }

        /// Whether webhooks were written.
        package var hasEvents: Bool { !sent.isEmpty || drained > 0 || finished > 0 }
    }

    /// The most sessions of one round.
    package static let sessionsAtOnce = 100

    let pool: ConnectionPool

    /// Creates a store over a pool of connections.
    package init(pool: ConnectionPool) { self.pool = pool }

    /// Looks at the due sessions.
    ///
    /// - Parameters:
    ///   - settings: the operator's numbers.
    ///   - done: called behind each commit that did something, with just that.
    /// - Returns: what was done in all.
    /// - Throws: `unavailable` or `refused`.
    package func look(
        _ settings: WakeSettings, done: (Round) -> Void = { _ in }
    ) async throws(StoreError) -> Round {
        try await sorting { () throws(PostgresError) in
            var round = Round()
            let due = try await pool.query(
                "SELECT * FROM lull_due_sessions($1)", [Int32(Wakes.sessionsAtOnce)])
            var looked = 0
            for row in due {
                let session: Int64 = try row.only()
                guard let actions = try await look(at: session, settings) else {
                    round.isPart = true
                    continue
                }
                looked += 1
                let part = Round(actions)
                round.add(part)
                if !actions.isEmpty { done(part) }
            }
            round.hasMore = due.count >= Wakes.sessionsAtOnce && looked > 0
            var ends = Round()
            ends.finished = try await pool.query(
                "SELECT lull_finish_wakes($1)", [Int32(Wakes.sessionsAtOnce)])[0].only()
            round.add(ends)
            if ends.finished > 0 { done(ends) }
            round.next = try await pool.query(
                """
                SELECT least(
                    (SELECT w.next_at FROM session_wakes w WHERE w.next_at < 'infinity'
                        ORDER BY w.next_at LIMIT 1),
                    (SELECT k.finish_at FROM wakes k WHERE k.finish_at IS NOT NULL
                        ORDER BY k.finish_at LIMIT 1))
                """)[0].only()
            return round
        }
    }

    /// Erases the traces of ended downloads of ephemeral sessions.
    ///
    /// - Parameter limit: of so many at most.
    /// - Returns: of how many.
    /// - Throws: `unavailable` or `refused`.
    package func erase(limit: Int) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_erase_ephemeral($1)", [Int32(limit)])[0].only()
        }
    }

    /// Looks at one session in a transaction of its own; nil if another one has it.
    private func look(
        at session: Int64, _ settings: WakeSettings
    ) async throws(PostgresError) -> [WakeAction]? {
        try await pool.transaction { transaction throws(PostgresError) -> [WakeAction]? in
            let rows = try await transaction.query(
                WakeColumn.statement, [session])
            guard let row = rows.first else { return nil }
            let look = try WakeLook(row)
            var state = look.session
            let actions = state.look(look.facts, at: look.now, settings, token: Wakes.token())
            // Wakes come first, because the end of a session's work moves the place from which the
            // deliveries of the next wake are looked at.
            for action in actions {
                guard case .send(let wake) = action else { continue }
                _ = try await transaction.query(
                    "SELECT lull_send_wake($1, $2, $3, $4, $5)",
                    [
                        session, wake.token, Int32(wake.delivery),
                        wake.sentAt, wake.reasons.rawValue,
                    ])
            }
            if actions.contains(.drained) {
                _ = try await transaction.query("SELECT lull_drain_session($1)", [session])
            }
            try await Wakes.write(state, of: session, in: transaction)
            return actions
        }
    }

    private static let given: Parameters<SessionWake> = [
        "delay": { $0.delay.wholeMicroseconds },
        "last_wake_at": { $0.lastWakeAt },
        "quiet_since": { $0.quietSince },
        "had_background": { $0.hadBackground },
        "is_muted": { $0.isMuted },
        "news": { $0.news.rawValue },
    ]

    /// Writes the state of a session's wakes, and its last wake.
    static func write(
        _ state: SessionWake, of session: Int64, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            UPDATE session_wakes w SET (\(given.names), next_at, wake_id) = (
                \(given.names(of: "u")), coalesce($2, 'infinity'), coalesce($3, w.wake_id))
            FROM \(given.row(from: 4)) WHERE w.session_no = $1
            """,
            given.values(of: state, behind: [session, state.nextLookAt, state.wake?.token]))
        guard let wake = state.wake else { return }
        try await write(wake, in: transaction)
    }

    private static func write(
        _ wake: Wake, in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            """
            UPDATE wakes SET state = $2, delivery = $3, expires_at = $4, extended = $5
            WHERE wake_id = $1
            """,
            [
                wake.token, wake.state.rawValue, Int32(wake.delivery),
                wake.expiresAt, Int32(wake.extended),
            ])
    }

    /// 128 random bits: whoever has them may complete the wake.
    private static func token() -> Identifier {
        var random = SystemRandomNumberGenerator()
        return Identifier(high: random.next(), low: random.next())
    }
}

extension Wakes {
    /// The result of completing or extending a wake.
    package struct Change: Sendable {
        /// The outcome.
        package let outcome: Wake.Outcome
        /// The wake's present state.
        package let wake: Wake
        /// The number of its session.
        package let session: Int64
    }

    /// Completes a wake, or extends it.
    ///
    /// - Parameters:
    ///   - token: its token.
    ///   - change: what is asked for, at an instant of the database's clock.
    /// - Returns: what came of it; nil for a token that no wake has.
    /// - Throws: `unavailable` or `refused`.
    package func change(
        _ token: Identifier, _ change: @escaping @Sendable (inout Wake, Timestamp) -> Wake.Outcome
    ) async throws(StoreError) -> Change? {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) -> Change? in
                // The session is locked first, as in all transactions.
                let rows = try await transaction.query(
                    """
                    SELECT \(WakeColumn.stored), w.session_no, w.wake_id = k.wake_id
                    FROM session_wakes w JOIN wakes k ON k.session_no = w.session_no
                    WHERE k.wake_id = $1 FOR UPDATE OF w, k
                    """, [token])
                guard let row = rows.first else { return nil }
                let stored = try WakeLook(row)
                guard var wake = stored.session.wake else { return nil }
                let (session, isPresent): (Int64, Bool) = try row.behind(WakeColumn.self).values()
                let outcome = change(&wake, stored.now)
                guard outcome == .done else {
                    return Change(outcome: outcome, wake: wake, session: session)
                }
                try await Wakes.write(wake, in: transaction)
                if isPresent {
                    _ = try await transaction.query(
                        """
                        UPDATE session_wakes SET next_at = clock_timestamp()
                        WHERE session_no = $1
                        """, [session])
                }
                return Change(outcome: outcome, wake: wake, session: session)
            }
        }
    }

    /// Notes that a download is created in a session; if its client is in the background, returns
    /// until when the download is delayed.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func enterBackground(
        _ session: Int64
    ) async throws(StoreError) -> (isBackground: Bool, until: Timestamp?) {
        try await sorting { () throws(PostgresError) in
            let row = try await pool.query("SELECT * FROM lull_enter_background($1)", [session])[0]
            let (isBackground, until): (Bool, Timestamp?) = try row.values()
            return (isBackground, until)
        }
    }

    /// Notes that a person uses the client, or ended it.
    ///
    /// - Parameters:
    ///   - session: its session's key.
    ///   - isForeground: which of both.
    /// - Throws: `unavailable` or `refused`.
    package func note(
        _ session: Int64, isForeground: Bool
    ) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                _ = try await transaction.query(
                    "INSERT INTO session_wakes (session_no) VALUES ($1) ON CONFLICT DO NOTHING",
                    [session])
                let rows = try await transaction.query(
                    """
                    SELECT \(WakeColumn.stored)
                    FROM session_wakes w LEFT JOIN wakes k ON k.wake_id = w.wake_id
                    WHERE w.session_no = $1 FOR UPDATE OF w
                    """, [session])
                let stored = try WakeLook(rows[0])
                var state = stored.session
                if isForeground {
                    state.foreground(at: stored.now)
                } else {
                    state.forceQuit(at: stored.now)
                }
                try await Wakes.write(state, of: session, in: transaction)
            }
        }
        guard isForeground else { return }
        // Downloads that wait because of the delay may begin.
        var count = 0
        repeat {
            count = try await sorting { () throws(PostgresError) in
                try await pool.query("SELECT lull_end_wake_delay($1, 1000)", [session])[0].only()
            }
        } while count == 1000
    }

    /// The state of a session's wakes.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func status(of session: Int64) async throws(StoreError) -> SessionWake {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(WakeColumn.stored)
                FROM session_wakes w LEFT JOIN wakes k ON k.wake_id = w.wake_id
                WHERE w.session_no = $1
                """, [session])
            return try rows.first.map { row throws(PostgresError) in
                try WakeLook(row).session
            } ?? SessionWake()
        }
    }

    /// The place in the journal behind the events that the last completed wake of a session
    /// announced; the beginning without one.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func acknowledged(_ session: Int64) async throws(StoreError) -> JournalPosition {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT k.xid::text, k.journal_no FROM wakes k
                WHERE k.session_no = $1 AND k.state = lull_wake_state('completed')
                ORDER BY k.sent_at DESC LIMIT 1
                """, [session])
            let start = JournalPosition(transaction: 0, number: 0)
            guard let row = rows.first else { return start }
            return try JournalPosition(row) ?? start
        }
    }

    /// Removes wakes that ended and were sent longer than `age` ago, and listeners that left.
    ///
    /// - Returns: how many wakes went; `limit` when more may be left.
    /// - Throws: `unavailable` or `refused`.
    package func forgetOld(
        age: Duration, limit: Int, until now: Timestamp? = nil
    ) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT lull_forget_wakes($1 * interval '1 microsecond', $2, $3)",
                [age.wholeMicroseconds, Int32(limit), now])[0].only()
        }
    }
}

extension Downloads {
    /// The store of their sessions' wakes.
    package var wakes: Wakes { Wakes(pool: pool) }
}
