// The bytes that clients bring: which data directory takes them, and when they are whole.
package import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// The uploads of the store, as far as their bytes are concerned; all else is in `Downloads`.
package struct Uploads: Sendable {
    let downloads: Downloads

    private enum Column: Int, RowColumn {
        case status, spec, holder, works, address, sha256, expiresAt, result, received
    }

    private enum SourceColumn: Int, RowColumn {
        case id, source, fence, length, result
    }

    /// The uploads among downloads.
    package init(_ downloads: Downloads) { self.downloads = downloads }

    /// Looks an upload up.
    ///
    /// - Parameters:
    ///   - id: the upload.
    ///   - app: its app; nil for any, for a replica that was asked by another one.
    /// - Returns: the upload; nil if there is none.
    /// - Throws: `unavailable` or `refused`.
    package func row(of id: Identifier, app: Int64?) async throws(StoreError) -> StagingRow? {
        try await sorting { () throws(PostgresError) in
            try await downloads.pool.query(Uploads.look, [id, app]).first
                .map { row throws(PostgresError) in try Uploads.read(row, id) }
        }
    }

    /// Makes a data directory take the bytes of an upload that none takes.
    ///
    /// - Returns: the upload as it is then, which another data directory may have taken meanwhile;
    ///   nil if there is none.
    /// - Throws: `unavailable` or `refused`.
    package func hold(
        _ id: Identifier, in instance: Identifier
    ) async throws(StoreError) -> StagingRow? {
        let point = ResumePoint(stagingAt: instance.hexadecimal)
        return try await sorting { () throws(PostgresError) in
            _ = try await downloads.pool.query(
                """
                UPDATE queue q SET resume = $2 WHERE q.id = $1 AND q.resume IS NULL
                    AND q.lane_flags & lull_lane_flag('stages') <> 0
                """, [id, JSONText(JSON.object(point.json).text)])
            return try await downloads.pool.query(Uploads.look, [id, nil as Int64?]).first
                .map { row throws(PostgresError) in try Uploads.read(row, id) }
        }
    }

    /// Notes how many bytes have arrived, for those who read the upload.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func note(
        _ bytes: Int64, of id: Identifier, in instance: Identifier
    ) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            _ = try await downloads.pool.query(
                """
                UPDATE queue q SET bytes = $3 WHERE q.id = $1 AND q.resume->>'instance' = $2
                    AND q.lane_flags & lull_lane_flag('stages') <> 0
                """, [id, instance.hexadecimal, bytes])
        }
        downloads.changes.changed([id])
    }

    /// The bytes that an app's uploads have, or have announced and may still bring, at most one
    /// upload's length for each.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func announcedBytes(of app: Int64) async throws(StoreError) -> Int64 {
        try await sorting { () throws(PostgresError) in
            try await downloads.pool.query(
                """
                SELECT coalesce(sum(q.expected_bytes), 0)::bigint FROM queue q
                WHERE q.app_no = $1 AND get_byte(uuid_send(q.id), 6) >> 4 = 8
                """, [app])[0].only()
        }
    }

    /// The uploads that wait to get their bytes from content of a data directory.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func sourced(
        in instance: Identifier, limit: Int
    ) async throws(StoreError) -> [SourcedUpload] {
        try await sorting { () throws(PostgresError) in
            try await downloads.pool.query(
                """
                SELECT q.id, d.spec->'upload'->>'source',
                    coalesce(r.content_fence, 0)::bigint,
                    (d.spec->'upload'->>'length')::bigint,
                    r.result::text
                FROM queue q JOIN download_requests d ON d.id = q.id
                LEFT JOIN download_results r ON r.id = (d.spec->'upload'->>'source')::uuid
                WHERE q.lane_flags & 256 <> 0 AND q.resume->>'instance' = $1
                    AND d.spec->'upload' ? 'source'
                    AND q.state IN (lull_state('waiting'), lull_state('suspended'))
                ORDER BY q.id LIMIT $2
                """, [instance.hexadecimal, Int64(limit)]
            ).map { row throws(PostgresError) in
                guard
                    let source = Identifier(
                        hexadecimal: try row.text(SourceColumn.source))
                else { throw PostgresError(.decoding, "an upload has no source") }
                let result = try row.stored(SourceColumn.result, as: DownloadResult.self)
                return SourcedUpload(
                    id: try row.identifier(SourceColumn.id), source: source,
                    sourceFence: try row.integer(SourceColumn.fence),
                    length: try row.integer(SourceColumn.length),
                    sha256: result?.content?.sha256 ?? "")
            }
        }
    }

    private static func read(_ row: Row, _ id: Identifier) throws(PostgresError) -> StagingRow {
        guard let state = DownloadState(number: try row.integer(Column.status)) else {
            throw PostgresError(.decoding, "an upload has no state")
        }
        let spec = try row.stored(Column.spec, as: DownloadSpec.self) ?? .blank
        let result = try row.stored(Column.result, as: DownloadResult.self)
        return StagingRow(
            id: id, state: state, length: spec.upload?.length ?? 0,
            expectedDigest: spec.expectedDigest,
            holder: try row.get(Column.holder, as: String?.self)
                .flatMap(Identifier.init(hexadecimal:)),
            address: try row.get(Column.address, as: String?.self),
            holderWorks: try row.optionalBool(Column.works) ?? false,
            received: try row.integer(Column.received),
            sha256: try row.get(Column.sha256, as: String?.self)
                ?? result?.content?.sha256,
            expiresAt: try row.instant(Column.expiresAt))
    }

    private static let look = """
        SELECT \(DownloadRecord.status), d.spec::text, q.resume->>'instance',
            r.replica_no IS NOT NULL, r.address, q.resume->>'sha256',
            CASE WHEN q.lane_flags & lull_lane_flag('stages') <> 0 THEN q.state_since
                + (d.spec->>'content_retention')::bigint * interval '1 second' END,
            d.result::text, coalesce(q.bytes, 0)::bigint
        FROM downloads d LEFT JOIN queue q ON q.id = d.id
        LEFT JOIN LATERAL (
            SELECT x.replica_no, x.address FROM replicas x
            WHERE x.instance = (q.resume->>'instance')::uuid AND x.expires_at > clock_timestamp()
            ORDER BY x.replica_no DESC LIMIT 1) r ON true
        WHERE d.id = $1 AND d.is_upload AND ($2::bigint IS NULL OR d.app_no = $2)
        """
}
