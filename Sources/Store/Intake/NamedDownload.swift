package import Base
internal import Downloads
internal import Postgres

/// A download by its external id.
package struct NamedDownload: Hashable, Sendable {
    /// The number of its session.
    package let session: Int64
    /// Its external id in the session.
    package let externalID: KeyText

    /// Creates a value with both members.
    package init(session: Int64, externalID: KeyText) {
        self.session = session
        self.externalID = externalID
    }
}

extension Downloads {
    /// Several downloads by their identifiers.
    ///
    /// - Parameters:
    ///   - ids: at most as many as a batch has downloads.
    ///   - app: the app's number.
    /// - Returns: those that the app has.
    /// - Throws: `unavailable` or `refused`.
    package func find(
        _ ids: [Identifier], app: Int64
    ) async throws(StoreError) -> [Identifier: DownloadRecord] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(DownloadRecord.columns) FROM unnest($1::uuid[]) u(id)
                CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = u.id OFFSET 0) d
                LEFT JOIN queue q ON q.id = d.id \(DownloadRecord.gates)
                WHERE d.app_no = $2
                """, [ids, app])
            var found: [Identifier: DownloadRecord] = [:]
            for row in rows {
                let record = try DownloadRecord(row)
                found[record.download.id] = record
            }
            return found
        }
    }

    /// The downloads with the given external ids.
    ///
    /// - Parameters:
    ///   - names: at most as many as a batch has downloads.
    ///   - app: the app's number.
    /// - Returns: those that there are.
    /// - Throws: `unavailable` or `refused`.
    package func find(
        _ names: Set<NamedDownload>, app: Int64
    ) async throws(StoreError) -> [NamedDownload: DownloadRecord] {
        guard !names.isEmpty else { return [:] }
        let names = Array(names)
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(DownloadRecord.columns), x.session_no, x.external_id
                FROM unnest($2::bigint[], $3::text[]) u(session_no, external_id)
                CROSS JOIN LATERAL (
                    SELECT * FROM external_ids e
                    WHERE e.app_no = $1 AND e.external_id = u.external_id
                        AND e.session_no = u.session_no OFFSET 0) x
                CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = x.id OFFSET 0) d
                LEFT JOIN queue q ON q.id = d.id \(DownloadRecord.gates)
                """, [app, names.map(\.session), names.map(\.externalID.text)])
            var found: [NamedDownload: DownloadRecord] = [:]
            for row in rows {
                let (session, name): (Int64, String) = try row.behind(DownloadColumn.self).values()
                let named = NamedDownload(session: session, externalID: KeyText(name))
                found[named] = try DownloadRecord(row)
            }
            return found
        }
    }
}
