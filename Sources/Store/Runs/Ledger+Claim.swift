// Looking and claiming: the row is ours from here until the fence moves on.
package import Base
internal import Downloads
internal import Postgres
package import Scheduling

extension Ledger {
    private typealias Column = ClaimColumn

    /// Claims due downloads.
    ///
    /// - Parameters:
    ///   - claim: from which lanes, in which order, and how many.
    ///   - limits: what the gates that have no limit of their own allow.
    ///   - room: what they may take together on the disk, in bytes; nil for any.
    /// - Returns: the downloads; the commit is done.
    /// - Throws: `leaseLost` among others.
    package func claim(
        _ claim: ClaimOrder, limits: PolicyLimits, room: Int64? = nil
    ) async throws(StoreError) -> ClaimAnswer {
        let lanes = claim.quotas.map(\.head.lane)
        let apps = claim.appLimits.sorted { $0.key < $1.key }
        let budgets = claim.budgets.isEmpty ? nil : BudgetParameter(claim.budgets)
        let answer = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                batch: [
                    Statement(
                        """
                        SELECT \(Column.list)
                        FROM lull_claim($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, p_budgets => $11,
                            p_fits => $12, p_longest => $13, p_unsized => $14, p_probes => $15)
                        """,
                        [
                            replica, lanes, claim.quotas.map { Int32($0.count) }, apps.map(\.key),
                            apps.map { Int32($0.value) }, limits.running.map { Int32($0) },
                            claim.quotas.map {
                                Int32(limits.origin($0.head.originName, app: $0.head.appName))
                            },
                            claim.quotas.map {
                                limits.session($0.head.session, app: $0.head.appName)
                                    .map { Int32($0) }
                            },
                            Int32(claim.total), room, budgets?.text,
                            claim.quotas.map { $0.room?.most },
                            claim.quotas.map { $0.room?.longest },
                            claim.quotas.map { $0.room?.unsized },
                            Int32(clamping: claim.probes),
                        ]),
                    Sessions.suspensions(of: Array(Set(claim.quotas.map(\.head.sessionKey)))),
                    // In the same transaction, after the claimed rows no longer wait.
                    Statement("SELECT lane_no, head FROM lull_settle_lanes($1)", [lanes]),
                ] + (budgets.map { [Budgets.reading($0.counters)] } ?? []))
            var answer = ClaimAnswer()
            for row in rows[2] {
                guard let lane = try row.integer(0), let head = try row.timestamp(1) else {
                    continue
                }
                answer.due[lane] = head.timestamp
            }
            answer.suspensions = try Sessions.suspensions(rows[1])
            if rows.count > 3 { answer.budgets = try Budgets.readings(rows[3]) }
            answer.runs.reserveCapacity(rows[0].count)
            for row in rows[0] {
                do throws(PostgresError) {
                    answer.runs.append(try Ledger.claimed(row, hearing: changes.listeners))
                } catch {
                    answer.unreadable.append(try Ledger.unreadable(row, error))
                }
            }
            return answer
        }
        changes.changed(answer.runs.map(\.download.id))
        return answer
    }

    /// The end of a download of which only the queue row can be read.
    private static func unreadable(
        _ row: Row, _ error: PostgresError
    ) throws(PostgresError) -> UnreadableRun {
        let at = try row.requiredInstant(Column.claimedAt)
        var download = Download(
            unreadable: try row.identifier(Column.id),
            attempt: Int(try row.integer(Column.attempt)),
            sequence: try row.integer(Column.sequence) + 1, at: at)
        download.startedAt = at
        var claimed = ClaimedDownload(
            download: download, fence: try row.integer(Column.fence),
            originKey: try row.integer(Column.originKey),
            sessionKey: try row.integer(Column.sessionKey),
            deadline: try row.requiredInstant(Column.deadline), claimedAt: at)
        claimed.app = try row.integer(Column.app)
        var finished = RunRecord(claimed, outcome: .failed, event: .failed, at: at)
        finished.isReadable = false
        return UnreadableRun(finished: finished, reason: error.description)
    }

    private static func claimed(
        _ row: Row, hearing listeners: EndpointListeners
    ) throws(PostgresError) -> ClaimedDownload {
        let claimedAt = try row.requiredInstant(Column.claimedAt)
        var download = Download(
            id: try row.identifier(Column.id), session: try row.text(Column.session),
            state: .running, url: try row.text(Column.url),
            priority: try row.double(Column.priority),
            earliestBeginDate: try row.instant(Column.earliestBegin),
            bytesExpectedByClient: try row.optionalInteger(Column.expectedBytes),
            spec: try row.stored(Column.spec) ?? .blank,
            createdAt: try row.requiredInstant(Column.createdAt))
        download.attempt = Int(try row.integer(Column.attempt))
        download.sequence = try row.integer(Column.sequence)
        download.bytesReceived = try row.integer(Column.bytes)
        download.startedAt = try row.instant(Column.startedAt) ?? claimedAt
        let left = try DownloadRecord.object(row, Column.resume.rawValue)
        let point = ResumePoint(stored: left)
        download.mirror = point?.mirrors?.current ?? 0
        var claimed = ClaimedDownload(
            download: download, fence: try row.integer(Column.fence),
            attemptsWithoutProgress: Int(try row.integer(Column.attemptsWithoutProgress)),
            originKey: try row.integer(Column.originKey),
            sessionKey: try row.integer(Column.sessionKey),
            deadline: try row.requiredInstant(Column.deadline), claimedAt: claimedAt,
            webhookMask: Int32(truncatingIfNeeded: try row.integer(Column.webhookEvents))
                | listeners.mask(of: try row.integer(Column.app)),
            order: RunOrder(
                rawValue: Int16(truncatingIfNeeded: try row.integer(Column.order))),
            resume: point)
        claimed.app = try row.integer(Column.app)
        claimed.lane = try row.integer(Column.lane)
        claimed.waitedSince = try row.instant(Column.waitedSince)
        claimed.runAt = try row.instant(Column.runAt)
        claimed.wasSent = left == Ledger.sentMark
        claimed.total = try row.optionalInteger(Column.total)
        claimed.isProbe = try row.bool(Column.isProbe)
        claimed.announcesReach = claimed.isProbe
        return claimed
    }
}

extension Ledger {
    /// Takes further places for a running download; they are given back with its own.
    ///
    /// - Parameters:
    ///   - extra: how many at most.
    ///   - id: the download.
    ///   - fence: its attempt's fence.
    ///   - limits: what the gates that have no limit of their own allow.
    /// - Returns: how many there was room for; 0 also if the fence moved on.
    /// - Throws: `unavailable`, after which they may be taken, or `refused`.
    package func widen(
        by extra: Int, _ id: Identifier, fence: Int64, limits: PolicyLimits
    ) async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT lull_widen($1, $2, $3, $4, $5, $6, $7)",
                [
                    replica, UUIDValue(id), fence, Int32(extra), Int32(limits.perOrigin),
                    limits.perSession.map { Int32($0) }, limits.ofEveryApp.map { Int32($0) },
                ])
            return Int(try rows[0].get(0, as: Int32.self))
        }
    }
}

extension Ledger {
    /// Notes that an origin is reached, so that its downloads continue in all replicas.
    ///
    /// - Returns: since when it was not; nil where it was.
    /// - Throws: `unavailable` or `refused`.
    package func reached(_ origin: Int64) async throws(StoreError) -> Timestamp? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query("SELECT lull_reached($1)", [origin])
            return try rows[0].get(0, as: TimestampValue?.self)?.timestamp
        }
    }

    /// The number of sessions of each class that a look reads, shared by the apps.
    private static let groupsAtOnce = 32
    private static let lanesAtLeast = 16
    private static let lanesAtMost = 256

    /// A page of due lanes, and the database's clock.
    ///
    /// - Parameters:
    ///   - cursor: what is read.
    ///   - wanted: how many lanes are needed.
    ///   - ahead: lanes that are due within this time are read too, and the page tells from where
    ///     changes are read next; nil reads what is due, without changes.
    /// - Returns: the page.
    /// - Throws: `unavailable` or `refused`.
    package func lanes(
        from cursor: LaneCursor = .start, wanted: Int = 64, ahead: Duration? = nil
    ) async throws(StoreError) -> (page: LanePage, now: Timestamp) {
        try await sorting { () throws(PostgresError) in
            // The state is read first: a change that its snapshot does not show is left for the
            // next look.
            var batch = [Ledger.stateStatement]
            if let news = cursor.news, ahead != nil { batch.append(Ledger.changes(news)) }
            if !cursor.isNewsOnly {
                batch.append(
                    Statement(
                        Ledger.lanesStatement, Ledger.parameters(cursor, wanted, ahead ?? .zero)))
            }
            var rows = try await pool.query(batch: batch)
            var state = rows.removeFirst()[0]
            var reader = LaneReader(cursor: cursor)
            var again = cursor.again
            var news: LaneNews?
            if ahead != nil {
                let snapshot: String = try state.get(3)
                news = LaneNews(seen: snapshot)
                if let asked = cursor.news {
                    let changes = rows.removeFirst()
                    for row in changes { again.append(try row.get(0)) }
                    news = try Ledger.news(asked, behind: changes, snapshot: snapshot)
                }
            }
            var page = LanePage(heads: [])
            if !cursor.isNewsOnly {
                for row in rows.removeFirst() { try reader.add(row) }
                page.next = reader.end()
            }
            // Most looks have no such lanes.
            if !again.isEmpty {
                let found = try await pool.query(
                    Ledger.againStatement, [again, Ledger.microseconds(ahead ?? .zero)])
                for row in found { try reader.add(again: row) }
            }
            if !reader.empty.isEmpty { state = try await settle(reader.empty) }
            page.heads = reader.heads
            page.nextDue = try state.get(1, as: TimestampValue?.self)?.timestamp
            page.running = Int(try state.get(2, as: Int64.self))
            page.news = news
            return (page, try state.get(0, as: TimestampValue.self).timestamp)
        }
    }

    private static func microseconds(_ time: Duration) -> Int64 {
        time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
    }

    /// The position in the changes for the next look, after some of them were read.
    private static func news(
        _ asked: LaneNews, behind changes: Rows, snapshot: String
    ) throws(PostgresError) -> LaneNews {
        let known = asked.next ?? snapshot
        guard changes.count >= LaneNews.changesAtOnce else {
            return LaneNews(seen: known)
        }
        let last = changes[changes.count - 1]
        var news = asked
        news.next = known
        news.after = LaneNews.Place(
            transaction: try last.get(1), lane: try last.get(0))
        return news
    }

    private static func changes(_ news: LaneNews) -> Statement {
        Statement(
            "SELECT lane_no, changed FROM lull_changed_lanes($1, $2, $3, $4)",
            [
                news.seen, news.after?.transaction ?? "0", news.after?.lane ?? 0,
                Int32(LaneNews.changesAtOnce),
            ])
    }

    private static let againStatement =
        "SELECT \(LaneColumn.list) FROM lull_lanes_again($1, $2 * interval '1 microsecond')"

    /// Corrects sessions that were shown with a due lane and have none.
    private func settle(_ groups: [LaneCursor.Group]) async throws(PostgresError) -> Row {
        try await pool.query(batch: [
            Statement(
                "SELECT lull_settle_groups($1, $2)",
                [groups.map(\.session), groups.map(\.schedulingClass.rawValue)]),
            Ledger.stateStatement,
        ])[1][0]
    }

    private static let lanesStatement = """
        SELECT \(LaneColumn.list) FROM lull_lanes($1, $2, $3, $4 * interval '1 microsecond', $5,
            $6, $7, $8, $9, $10, $11, $12, $13)
        """

    private static let stateStatement = Statement(
        """
        SELECT clock_timestamp(), (
                SELECT next_at FROM lane_groups
                WHERE next_at > clock_timestamp() AND next_at < 'infinity'
                ORDER BY next_at LIMIT 1),
            lull_running(),
            pg_current_snapshot()::text
        """, [])

    private static func parameters(
        _ cursor: LaneCursor, _ wanted: Int, _ ahead: Duration
    ) -> [any ColumnValue] {
        let apps = Array(cursor.apps)
        let groups = Array(cursor.groups)
        return [
            SchedulingClass.allCases.map(\.rawValue), Int32(groupsAtOnce),
            Int32(min(max(wanted, lanesAtLeast), lanesAtMost)),
            Ledger.microseconds(ahead), cursor.app,
            apps.map(\.key.schedulingClass.rawValue), apps.map(\.key.app),
            apps.map { TimestampValue($0.value.at) }, apps.map(\.value.number),
            groups.map(\.key.schedulingClass.rawValue), groups.map(\.key.session),
            groups.map { TimestampValue($0.value.at) }, groups.map(\.value.number),
        ]
    }
}
