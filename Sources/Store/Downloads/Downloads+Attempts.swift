// Reads the attempts of a download.
package import Base
internal import Downloads
internal import Postgres

extension Downloads {
    /// The attempts of a download in order; of more than a thousand, the newest.
    ///
    /// - Returns: nil if the app has no such download.
    package func attempts(
        of id: Identifier, app: Int64
    ) async throws(StoreError) -> [AttemptRecord]? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                WITH mine AS (
                    SELECT id, url, spec->'urls' AS urls, spec ? 'ephemeral' AS is_ephemeral
                    FROM downloads
                    WHERE id = $1 AND app_no = $2)
                SELECT \(Column.list) FROM mine LEFT JOIN LATERAL (
                    SELECT a.attempt, a.started_at, a.ended_at, a.outcome, a.detail, a.fence
                    FROM attempts a WHERE a.id = mine.id
                    UNION ALL
                    SELECT q.attempt, q.claimed_at, NULL, NULL,
                        jsonb_build_object('url', CASE q.resume->'mirrors'->>'current'
                            WHEN '0' THEN mine.url
                            ELSE coalesce(mine.urls->>
                                ((q.resume->'mirrors'->>'current')::int - 1), mine.url) END),
                        q.fence
                    FROM queue q WHERE q.id = mine.id AND q.state = lull_state('running')
                    ORDER BY 6 DESC LIMIT 1000) a ON true
                """, [id, app])
            guard !rows.isEmpty else { return nil }
            var list: [AttemptRecord] = []
            for row in rows.reversed() {
                guard let number = try row.get(Column.attempt, as: Int?.self) else { continue }
                let stored = try row.stored(Column.detail) ?? AttemptDetail()
                let detail = stored.expanded(of: try row.text(Column.url))
                let isEphemeral = try row.bool(Column.isEphemeral)
                list.append(
                    AttemptRecord(
                        number: number, startedAt: try row.instant(Column.startedAt),
                        endedAt: try row.instant(Column.endedAt),
                        outcome: try row.get(Column.outcome, as: Int16?.self).map {
                            number throws(PostgresError) in
                            try Downloads.outcome(number).name
                        },
                        detail: isEphemeral ? detail.withoutQueries : detail))
            }
            return list
        }
    }

    private enum Column: Int, RowColumn {
        case attempt, startedAt, endedAt, outcome, detail, url, isEphemeral
    }

    private static func outcome(_ number: Int16) throws(PostgresError) -> RunOutcome {
        guard let outcome = RunOutcome(rawValue: number) else {
            throw PostgresError(
                .decoding, "an attempt has an outcome that this version of lull does not know")
        }
        return outcome
    }
}
