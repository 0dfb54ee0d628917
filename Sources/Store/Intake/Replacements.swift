// Live downloads that new ones of their session replace, canceled in the commit of the new ones.
internal import Base
internal import Downloads
internal import Postgres

/// The downloads that a batch replaces, locked from before the first new row to the commit.
struct Replacements: Sendable {
    private enum Column: Int, RowColumn {
        case id, app, session, name, isTaken
    }

    /// A download with the external id that is replaced.
    private struct Replaced: Sendable {
        let id: Identifier
        let app: Int64
        let session: Int64
        let name: String
        /// Whether the new download takes the name.
        let isTaken: Bool
    }

    private let replaced: [Replaced]

    /// Locks the downloads, and frees the names that the new ones take.
    ///
    /// Called before the transaction writes a row: a second one that replaces the same name waits
    /// here for the commit of the first, whose download it then finds.
    ///
    /// - Returns: nil if one of them was changed by a younger transaction, after which a new one
    ///   has to do the work.
    static func hold(
        _ batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) -> Replacements? {
        let wanted = batch.filter { $0.replaces != nil }
        guard !wanted.isEmpty else { return Replacements(replaced: []) }
        let names = wanted.map { $0.replaces ?? "" }
        _ = try await transaction.query(
            "SELECT lull_hold_sessions($1)", [Set(wanted.map(\.sessionKey)).sorted()])
        _ = try await transaction.query(
            """
            SELECT pg_advisory_xact_lock(z.lock) FROM (
                SELECT DISTINCT hashtextextended(u.session_no || ':' || u.name, 5501) AS lock
                FROM unnest($1::bigint[], $2::text[]) u(session_no, name) ORDER BY 1) z
            """, [wanted.map(\.sessionKey), names])
        // A new statement sees the rows that were committed before the locks.
        let rows = try await transaction.query(
            """
            SELECT \(Column.list) FROM (
                SELECT e.id, e.app_no AS app, e.session_no AS session, e.external_id AS name,
                    bool_or(u.takes) AS is_taken
                FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::boolean[])
                    u(app_no, session_no, name, takes)
                JOIN external_ids e ON e.app_no = u.app_no AND e.external_id = u.name
                    AND e.session_no = u.session_no
                GROUP BY 1, 2, 3, 4) z ORDER BY id
            """,
            [wanted.map(\.app), wanted.map(\.sessionKey), names, wanted.map(\.takesName)])
        var found: [Replaced] = []
        for row in rows {
            found.append(
                Replaced(
                    id: try row.identifier(Column.id), app: try row.integer(Column.app),
                    session: try row.integer(Column.session), name: try row.text(Column.name),
                    isTaken: try row.bool(Column.isTaken)))
        }
        let held = Replacements(replaced: found)
        for app in Set(found.map(\.app)).sorted() {
            let ids = found.filter { $0.app == app }.map(\.id)
            guard try await Downloads.lock(ids, app: app, in: transaction) else { return nil }
        }
        try await ExternalIDs.leave(found.filter(\.isTaken).map(\.id), in: transaction)
        return held
    }

    /// Gives the freed names back, because the new downloads are not stored.
    func giveBack(in transaction: Transaction) async throws(PostgresError) {
        let freed = replaced.filter(\.isTaken)
        guard !freed.isEmpty else { return }
        _ = try await transaction.query(
            """
            INSERT INTO external_ids (app_no, session_no, external_id, id)
            SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::uuid[])
            ON CONFLICT DO NOTHING
            """,
            [freed.map(\.app), freed.map(\.session), freed.map(\.name), freed.map(\.id)])
    }

    /// Cancels those that are live.
    ///
    /// - Returns: the canceled ones, some of which run and have to be ordered to stop.
    func cancel(
        facets: FacetBook, in transaction: Transaction
    ) async throws(PostgresError) -> [ActionOutcome] {
        let asked = AskedAction(.cancel, because: .replaced)
        var gate = QueueGate.shut
        var outcomes: [ActionOutcome] = []
        for old in replaced {
            let outcome = try await Downloads.perform(
                asked, on: old.id, app: old.app, through: &gate, facets: facets, in: transaction)
            if case .done = outcome { outcomes.append(outcome) }
        }
        return outcomes
    }
}
