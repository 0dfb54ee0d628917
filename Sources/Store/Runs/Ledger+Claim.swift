// Looks and claims: after a claim the row belongs to this replica until its fence changes.
package import Base
internal import Downloads
internal import Postgres
package import Scheduling

/// A claim as the parameters of `lull_claim`.
struct ClaimParameters {
    let replica: Int64
    let claim: ClaimOrder
    let limits: PolicyLimits
    let room: Int64?
    let budgets: JSONText?

    static let statement = """
        SELECT \(ClaimColumn.list) FROM lull_claim(\(given.arguments()),
            p_probes => \(probes.record("claim_probes", from: given.count + 1)),
            p_lanes => \(ClaimLane.fields.records("claim_lane", from: lanesStart)),
            p_apps => \(AppLimit.fields.records("app_limit", from: appsStart)))
        """

    private static let lanesStart = given.count + probes.count + 1
    private static let appsStart = lanesStart + ClaimLane.fields.count

    var values: [any ColumnValue] {
        let given = ClaimParameters.given.values(of: self)
        let probes = ClaimParameters.probes.values(of: claim, behind: given)
        let lanes = ClaimLane.fields.values(
            of: claim.quotas.map { ClaimLane($0, limits) }, behind: probes)
        return AppLimit.fields.values(of: claim.appLimits.map { AppLimit($0) }, behind: lanes)
    }

    private static let given: Parameters<ClaimParameters> = [
        "replica": { $0.replica },
        "limit": { $0.limits.running.map { Int32($0) } },
        "total": { Int32($0.claim.total) },
        "room": { $0.room },
        "budgets": { $0.budgets },
    ]

    static let probes: Parameters<ClaimOrder> = [
        "most": { Int32(clamping: $0.probes) },
        "pause": { _ in ClaimOrder.pauseAfterLostProbe.wholeMilliseconds },
    ]
}

/// A lane that was settled, and when its first row is due.
enum SettledLane: Int, RowColumn {
    case laneNo, head

    static let statement = "SELECT \(list) FROM lull_settle_lanes($1)"
}

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
        let budgets = claim.budgets.isEmpty ? nil : BudgetParameter(claim.budgets)
        let parameters = ClaimParameters(
            replica: replica, claim: claim, limits: limits, room: room, budgets: budgets?.text)
        let answer = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                batch: [
                    Statement(ClaimParameters.statement, parameters.values),
                    Sessions.suspensions(of: Array(Set(claim.quotas.map(\.head.sessionKey)))),
                    // In the same transaction, after the claimed rows no longer wait.
                    Statement(SettledLane.statement, [lanes]),
                ] + (budgets.map { [Budgets.reading($0.counters)] } ?? []))
            var answer = ClaimAnswer()
            for row in rows[2] {
                guard let head = try row.instant(SettledLane.head) else { continue }
                answer.due[try row.integer(SettledLane.laneNo)] = head
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
            sessionKey: try row.integer(Column.sessionNo),
            deadline: try row.requiredInstant(Column.deadline), claimedAt: at)
        claimed.app = try row.integer(Column.appNo)
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
            earliestBeginDate: try row.instant(Column.earliestBeginAt),
            bytesExpectedByClient: try row.optionalInteger(Column.expectedBytes),
            spec: try row.stored(Column.spec) ?? .blank,
            createdAt: try row.requiredInstant(Column.createdAt))
        download.attempt = Int(try row.integer(Column.attempt))
        download.sequence = try row.integer(Column.sequence)
        download.bytesReceived = try row.integer(Column.bytes)
        download.startedAt = try row.instant(Column.startedAt) ?? claimedAt
        let left = try row.object(Column.resume)
        let point = ResumePoint(stored: left)
        download.mirror = point?.mirrors?.current ?? 0
        if download.shared.value.isSentOn { download.holder = point?.holder }
        var claimed = ClaimedDownload(
            download: download, fence: try row.integer(Column.fence),
            originKey: try row.integer(Column.originKey),
            sessionKey: try row.integer(Column.sessionNo),
            deadline: try row.requiredInstant(Column.deadline), claimedAt: claimedAt,
            resume: point)
        claimed.attemptsWithoutProgress = Int(try row.integer(Column.attemptsWithoutProgress))
        claimed.heardEvents = EventSet(bits: try row.integer(Column.webhookEvents))
            .union(listeners.events(of: try row.integer(Column.appNo)))
        claimed.order = RunOrder(
            rawValue: Int16(truncatingIfNeeded: try row.integer(Column.control)))
        claimed.app = try row.integer(Column.appNo)
        claimed.lane = try row.integer(Column.laneNo)
        claimed.waitedSince = try row.instant(Column.waitedSince)
        claimed.runAt = try row.instant(Column.runAt)
        claimed.wasSent = left == Ledger.sentMark
        claimed.total = try row.optionalInteger(Column.totalBytes)
        claimed.need = try row.integer(Column.need)
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
                    replica, id, fence, Int32(extra), Int32(limits.perOrigin),
                    limits.perSession.map { Int32($0) }, limits.ofEveryApp.map { Int32($0) },
                ])
            return try rows[0].only()
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
            try await pool.query("SELECT lull_reached($1)", [origin])[0].only()
        }
    }

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
            var batch = [QueueState.statement]
            if let changePosition = cursor.changePosition, ahead != nil {
                batch.append(Ledger.changes(changePosition))
            }
            if !cursor.readsChangesOnly {
                batch.append(
                    Statement(
                        LanePageParameters.statement,
                        LanePageParameters(cursor, wanted, ahead ?? .zero).values))
            }
            var rows = try await pool.query(batch: batch)
            var state = rows.removeFirst()[0]
            var reader = LaneReader(cursor: cursor, holder: holder)
            var again = cursor.again
            var changePosition: LaneChangePosition?
            if ahead != nil {
                let snapshot: String = try state.get(QueueState.snapshot)
                changePosition = LaneChangePosition(seen: snapshot)
                if let asked = cursor.changePosition {
                    let changes = rows.removeFirst()
                    for row in changes { again.append(try row.integer(ChangedLane.laneNo)) }
                    changePosition = try Ledger.position(asked, behind: changes, snapshot: snapshot)
                }
            }
            var page = LanePage(heads: [])
            if !cursor.readsChangesOnly {
                for row in rows.removeFirst() { try reader.add(row) }
                page.next = reader.end()
            }
            // Most looks have no such lanes.
            if !again.isEmpty {
                let found = try await pool.query(
                    Ledger.againStatement, [again, (ahead ?? .zero).wholeMicroseconds])
                for row in found { try reader.add(again: row) }
            }
            if !reader.empty.isEmpty { state = try await settle(reader.empty) }
            page.heads = reader.heads
            page.nextDue = try state.instant(QueueState.nextDue)
            page.running = try state.get(QueueState.running)
            page.changePosition = changePosition
            return (page, try state.requiredInstant(QueueState.now))
        }
    }

    /// The position in the changes for the next look, after some of them were read.
    private static func position(
        _ asked: LaneChangePosition, behind changes: Rows, snapshot: String
    ) throws(PostgresError) -> LaneChangePosition {
        let known = asked.next ?? snapshot
        guard changes.count >= LaneChangePosition.changesAtOnce else {
            return LaneChangePosition(seen: known)
        }
        let last = changes[changes.count - 1]
        var changePosition = asked
        changePosition.next = known
        changePosition.after = LaneChangePosition.Place(
            transaction: try last.text(ChangedLane.changed),
            lane: try last.integer(ChangedLane.laneNo))
        return changePosition
    }

    private static func changes(_ changePosition: LaneChangePosition) -> Statement {
        Statement(
            ChangedLane.statement,
            [
                changePosition.seen, changePosition.after?.transaction ?? "0",
                changePosition.after?.lane ?? 0,
                Int32(LaneChangePosition.changesAtOnce),
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
            QueueState.statement,
        ])[1][0]
    }
}

/// The columns of a look that tell of the whole queue.
private enum QueueState: Int, RowColumn {
    case now, nextDue, running, snapshot

    static let statement = Statement(
        """
        SELECT \(list) FROM (SELECT clock_timestamp() AS now, (
                SELECT next_at FROM lane_groups
                WHERE next_at > statement_timestamp() AND next_at < 'infinity'
                ORDER BY next_at LIMIT 1) AS next_due,
            lull_running() AS running, pg_current_snapshot()::text AS snapshot) z
        """)
}

/// A lane that changed, and in which transaction.
private enum ChangedLane: Int, RowColumn {
    case laneNo, changed

    static let statement = "SELECT \(list) FROM lull_changed_lanes($1, $2, $3, $4)"
}

/// A page of lanes as the parameters of `lull_lanes`.
private struct LanePageParameters {
    /// A look reads so many sessions of each class, shared by the apps.
    private static let groupsAtOnce: Int32 = 32
    private static let lanesAtLeast = 16
    private static let lanesAtMost = 256

    private let app: Int64
    private let apps: [LookMark]
    private let groups: [LookMark]
    private let lanes: Int32
    private let ahead: Int64

    init(_ cursor: LaneCursor, _ wanted: Int, _ ahead: Duration) {
        app = cursor.app
        apps = cursor.apps.map { LookMark($0.schedulingClass, $0.app, $1) }
        groups = cursor.groups.map { LookMark($0.schedulingClass, $0.session, $1) }
        lanes = Int32(
            min(max(wanted, LanePageParameters.lanesAtLeast), LanePageParameters.lanesAtMost))
        self.ahead = ahead.wholeMicroseconds
    }

    static let statement = """
        SELECT \(LaneColumn.list(of: "r")) FROM \(given.row())
        CROSS JOIN LATERAL lull_lanes(u.classes, u.groups, u.lanes,
            u.ahead * interval '1 microsecond', u.app,
            \(LookMark.ofApps.records("app_mark", from: given.count + 1)),
            \(LookMark.ofGroups.records("group_mark", from: appsEnd))) r
        """

    private static let appsEnd = given.count + LookMark.ofApps.count + 1

    var values: [any ColumnValue] {
        let apps = LookMark.ofApps.values(
            of: apps, behind: LanePageParameters.given.values(of: self))
        return LookMark.ofGroups.values(of: groups, behind: apps)
    }

    private static let given: Parameters<LanePageParameters> = [
        "classes": { _ in SchedulingClass.allCases.map(\.rawValue) },
        "groups": { _ in groupsAtOnce },
        "lanes": { $0.lanes },
        "ahead": { $0.ahead },
        "app": { $0.app },
    ]
}
