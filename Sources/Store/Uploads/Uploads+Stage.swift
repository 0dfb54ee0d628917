// The end of receiving: the file is whole, was lost, or did not come in time.
package import Base
internal import Downloads
internal import Postgres
internal import Scheduling

extension Uploads {
    private enum Column: Int, RowColumn {
        case session, origin, app, now, resume, flags, lane, state
    }

    /// Makes an upload wait to be sent, because its file is whole.
    ///
    /// - Returns: what came of it; a repeated report after a lost answer is harmless.
    /// - Throws: `unavailable` or `refused`.
    package func stage(_ file: StagedFile) async throws(StoreError) -> StagingOutcome {
        let outcome = try await sorting { () throws(PostgresError) in
            try await downloads.pool.transaction { transaction throws(PostgresError) in
                try await stage(file, in: transaction)
            }
        }
        if outcome == .staged { downloads.changes.changed([file.id]) }
        return outcome
    }

    private func stage(
        _ file: StagedFile, in transaction: Transaction
    ) async throws(PostgresError) -> StagingOutcome {
        guard let row = try await transaction.query(Uploads.locked, [file.id]).first else {
            return .gone
        }
        let old = ResumePoint(stored: try row.object(Column.resume))
        guard old?.instance == file.instance.hexadecimal else { return .gone }
        guard try Uploads.isStaging(row) else {
            return old?.sha256 == file.sha256 ? .alreadyStaged : .gone
        }
        let download = try DownloadRecord(
            try await transaction.query(Downloads.reread, [file.id])[0]
        ).download
        let length = download.spec.upload?.length ?? 0
        try await move(
            download, row, to: Uploads.point(of: file, length: length), bytes: length,
            as: try row.integer(Column.state), in: transaction)
        let staged = try DownloadRecord(
            try await transaction.query(Downloads.reread, [file.id])[0]
        ).download
        try await Downloads.note(.received, of: staged, in: transaction)
        return .staged
    }

    /// The resume point of a whole file that waits to be sent.
    private static func point(of file: StagedFile, length: Int64) -> ResumePoint {
        var point = ResumePoint(stagingAt: file.instance.hexadecimal)
        point.stages = false
        point.offset = length
        point.total = length
        point.whole = true
        point.sha256 = file.sha256
        var received = ReceivedFile()
        received.mark = file.mark
        if let type = file.contentType {
            var response = OriginResponse.blank
            response.headers.contentType = type
            response.mimeType = type
            received.response = response
        }
        point.received = received
        return point
    }

    /// Gives a row its point, and enters it into the lane that follows from it.
    private func move(
        _ old: Download, _ row: Row, to point: ResumePoint?, bytes: Int64, as state: Int64,
        in transaction: Transaction
    ) async throws(PostgresError) {
        var download = old
        download.holder = point?.holder
        let now = try row.requiredInstant(Column.now)
        let session = try row.integer(Column.session)
        var origin = try row.integer(Column.origin)
        // The destination may be another one than at the create.
        if let name = download.shared.value.sendTarget?.origin {
            origin = try await transaction.query(
                "SELECT origin_key FROM lull_origins($1, $2)", [[name], [session]])[0].only()
        }
        let lane = LaneKey(
            of: download, app: try row.integer(Column.app), session: session, origin: origin,
            facets: downloads.facets.scheme, at: now)
        let facet = try await downloads.facets.number(of: lane.facet, in: transaction)
        _ = try await transaction.query(
            """
            UPDATE queue q SET resume = $2, facet = $3, lane_flags = $4, origin_key = $8,
                bytes = $5, total_bytes = q.expected_bytes, state = $6::smallint,
                sequence = q.sequence + 1,
                state_since = greatest($7, q.state_since),
                run_at = greatest($7, d.earliest_begin_at, q.wake_until)
            FROM download_requests d WHERE q.id = $1 AND d.id = q.id
            """,
            [
                old.id, point.map { JSONText(JSON.object($0.json).text) }, facet,
                lane.laneFlags.rawValue, bytes, state, now, origin,
            ])
        try await Downloads.enterLanes([old.id], in: transaction)
        _ = try await transaction.query(
            "SELECT count(*) FROM lull_settle_lanes($1)", [[try row.integer(Column.lane)]])
    }

    /// Makes uploads ask their clients whose file, or the part of it that had come, lies in a data
    /// directory that is gone: `attention_required`, `content_lost`.
    ///
    /// - Parameters:
    ///   - instance: the data directory.
    ///   - limit: at most so many.
    /// - Returns: how many.
    /// - Throws: `unavailable` or `refused`.
    package func lose(from instance: Identifier, limit: Int) async throws(StoreError) -> Int {
        let ids = try await sorting { () throws(PostgresError) in
            try await downloads.pool.transaction { transaction throws(PostgresError) in
                let found = try await transaction.query(
                    """
                    SELECT q.id FROM queue q
                    WHERE q.resume->>'instance' = $1 AND get_byte(uuid_send(q.id), 6) >> 4 = 8
                        AND q.state IN (lull_state('waiting'), lull_state('suspended'),
                            lull_state('attention_required'))
                    ORDER BY q.id LIMIT $2 FOR UPDATE OF q SKIP LOCKED
                    """, [instance.hexadecimal, Int64(limit)])
                var ids: [Identifier] = []
                for row in found {
                    let id: Identifier = try row.only()
                    try await lose(id, in: transaction)
                    ids.append(id)
                }
                return ids
            }
        }
        downloads.changes.changed(ids)
        return ids.count
    }

    /// Makes an upload ask its client, because its file is lost.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func lose(_ id: Identifier) async throws(StoreError) {
        try await sorting { () throws(PostgresError) in
            try await downloads.pool.transaction { transaction throws(PostgresError) in
                try await lose(id, in: transaction)
            }
        }
        downloads.changes.changed([id])
    }

    private func lose(
        _ id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        guard let row = try await transaction.query(Uploads.locked, [id]).first else { return }
        let record = try DownloadRecord(try await transaction.query(Downloads.reread, [id])[0])
        try await move(
            record.download, row, to: nil, bytes: 0,
            as: Int64(DownloadState.attentionRequired.number), in: transaction)
        var lost = try DownloadRecord(try await transaction.query(Downloads.reread, [id])[0])
        lost.download.result.error = UploadRules.lostFile
        _ = try await transaction.query(
            """
            SELECT lull_keep_results(ARRAY[ROW(q.id, NULL, NULL, q.bytes, NULL, q.attempt,
                q.sequence, NULL, $2::jsonb, q.app_no)::download_results])
            FROM queue q WHERE q.id = $1
            """,
            [
                id,
                JSONText(
                    lost.download.result.compacted(of: lost.download.url).text(as: .stored)),
            ])
        try await Downloads.note(.attentionRequired, of: lost.download, in: transaction)
    }

    /// Ends uploads whose bytes did not become whole in time: `failed`, `content_expired`.
    ///
    /// - Parameter limit: at most so many.
    /// - Returns: the ended ones.
    /// - Throws: `unavailable` or `refused`.
    package func expire(limit: Int) async throws(StoreError) -> [Identifier] {
        let ids = try await sorting { () throws(PostgresError) in
            try await downloads.pool.transaction { transaction throws(PostgresError) in
                let found = try await transaction.query(
                    """
                    SELECT q.id FROM queue q JOIN download_requests d ON d.id = q.id
                    WHERE q.lane_flags & 256 <> 0
                        AND q.state IN (lull_state('waiting'), lull_state('suspended'))
                        AND q.state_since < statement_timestamp()
                            - (d.spec->>'content_retention')::bigint * interval '1 second'
                    ORDER BY q.id LIMIT $1 FOR UPDATE OF q SKIP LOCKED
                    """, [Int64(limit)])
                var ids: [Identifier] = []
                for row in found {
                    let id: Identifier = try row.only()
                    var record = try DownloadRecord(
                        try await transaction.query(Downloads.reread, [id])[0])
                    try await Downloads.end(
                        &record, as: .failed, error: UploadRules.expired, in: transaction)
                    ids.append(id)
                }
                return ids
            }
        }
        downloads.changes.changed(ids)
        return ids
    }

    private static func isStaging(_ row: Row) throws(PostgresError) -> Bool {
        let flags = LaneFlags(rawValue: Int16(try row.integer(Column.flags)))
        let state = try row.integer(Column.state)
        return flags.contains(.stages)
            && (state == Int64(DownloadState.waiting.number)
                || state == Int64(DownloadState.suspended.number))
    }

    private static let locked = """
        SELECT q.session_no, q.origin_key, q.app_no, clock_timestamp(), q.resume, q.lane_flags,
            q.lane_no, q.state::bigint
        FROM queue q WHERE q.id = $1 AND get_byte(uuid_send(q.id), 6) >> 4 = 8 FOR UPDATE
        """
}
