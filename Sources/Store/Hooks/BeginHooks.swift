// Begin hooks: asked where their downloads would be claimed; applies their answers.
package import Base
internal import Downloads
internal import Postgres
package import Scheduling

/// The open questions of begin hooks.
///
/// A question is identified by the number of its event, so that an answer to another one, or a
/// repeated or late one, changes nothing.
package struct BeginHooks: Sendable {
    private let pool: ConnectionPool
    private let changes: ChangeHub
    private let facets: FacetBook

    init(pool: ConnectionPool, changes: ChangeHub, facets: FacetBook) {
        self.pool = pool
        self.changes = changes
        self.facets = facets
    }

    /// The most downloads of a lane without an answer that are handled at once.
    private static let settledAtOnce: Int32 = 256

    /// Asks the hooks of downloads in their lanes, and continues those without an answer.
    ///
    /// - Parameter quotas: from which lanes, and how many begins of each are near.
    /// - Returns: what came of it; the commit is done.
    /// - Throws: `unavailable`, after which they may be asked, or `refused`.
    package func ask(_ quotas: [LaneQuota]) async throws(StoreError) -> AskedHooks {
        let lanes = quotas.map(\.head.lane)
        let found = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(batch: [
                Statement(
                    "SELECT unnest(lull_ask_hooks($1, $2))",
                    [lanes, quotas.map { Int32($0.count) }]),
                Statement(
                    "SELECT unnest(lull_settle_hooks($1, $2))", [lanes, BeginHooks.settledAtOnce]),
                Statement(
                    "SELECT id, app_no, sequence FROM lull_late_cancels($1, $2)",
                    [lanes, BeginHooks.settledAtOnce]),
                Statement(SettledLane.statement, [lanes]),
            ])
            var found = AskedHooks()
            found.asked = try rows[0].column()
            found.settled = try rows[1].column()
            for row in rows[2] {
                let (id, app, sequence): (Identifier, Int64, Int64) = try row.values()
                found.cancels.append(AskedHooks.Cancel(id: id, app: app, sequence: sequence))
            }
            for row in rows[3] {
                guard let head = try row.instant(SettledLane.head) else { continue }
                found.due[try row.integer(SettledLane.laneNo)] = head
            }
            return found
        }
        changes.changed(found.asked + found.settled)
        return found
    }

    /// The number of the last event of a download whose question is still open.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - sequence: the number of the event with which its hook was asked.
    /// - Returns: its `sequence`; nil where that question is not open.
    /// - Throws: `unavailable` or `refused`.
    package func state(
        _ id: Identifier, question sequence: Int64
    ) async throws(StoreError) -> Int64? {
        try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT sequence FROM queue WHERE \(BeginHooks.isOpen)",
                BeginHooks.parameters(id, sequence)
            ).first?.only()
        }
    }

    /// Applies an answer: the download begins in its turn.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - sequence: the number of the event with which its hook was asked.
    /// - Returns: whether it still waited for that answer.
    /// - Throws: `unavailable` or `refused`.
    package func pass(_ id: Identifier, question sequence: Int64) async throws(StoreError) -> Bool {
        let isPassed = try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT lull_pass_hook($1, $2)", BeginHooks.parameters(id, sequence))[0]
                .only(as: Bool.self)
        }
        if isPassed { changes.changed([id]) }
        return isPassed
    }

    /// Applies an answer: the download is canceled.
    ///
    /// - Parameters:
    ///   - id: the download.
    ///   - app: its app's number.
    ///   - sequence: the number of the event with which its hook was asked.
    /// - Returns: whether it still waited for that answer.
    /// - Throws: `unavailable` or `refused`.
    package func cancel(
        _ id: Identifier, app: Int64, question sequence: Int64
    ) async throws(StoreError) -> Bool {
        let isCanceled = try await sorting { () throws(PostgresError) in
            try await pool.transaction { transaction throws(PostgresError) in
                let open = try await transaction.query(
                    "SELECT 1 FROM queue WHERE \(BeginHooks.isOpen) FOR UPDATE",
                    BeginHooks.parameters(id, sequence))
                guard !open.isEmpty else { return false }
                var gate = QueueGate.shut
                _ = try await Downloads.perform(
                    AskedAction(.cancel, because: .beginHook), on: id, app: app, through: &gate,
                    facets: facets, in: transaction)
                return true
            }
        }
        if isCanceled { changes.changed([id]) }
        return isCanceled
    }

    private static let isOpen =
        "id = $1 AND lane_flags & lull_lane_flag('asked') <> 0 AND hook_sequence = $2"

    private static func parameters(_ id: Identifier, _ sequence: Int64) -> [any ColumnValue] {
        [id, Int32(truncatingIfNeeded: sequence)]
    }
}

extension Downloads {
    /// The store of begin hooks.
    package var beginHooks: BeginHooks {
        BeginHooks(pool: pool, changes: changes, facets: facets)
    }
}

extension Ledger {
    /// The store of begin hooks over the connection of claims.
    package func beginHooks(of downloads: Downloads) -> BeginHooks {
        BeginHooks(pool: pool, changes: changes, facets: downloads.facets)
    }
}
