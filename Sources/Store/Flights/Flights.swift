// Downloads that wait for the transfer of another one, their leader: they join it, and get its
// content or continue it.
package import Base
package import Downloads
internal import Postgres

/// The downloads of all apps that share transfers.
package struct Flights: Sendable {
    let pool: ConnectionPool
    let changes: ChangeHub

    /// The most followers of one leader that are handled in one transaction.
    package static let batch = 200

    private enum DueFlight: Int, RowColumn {
        case leader, kind, instance, fence, length, result
    }

    /// The work for the followers of a leader that has ended.
    package enum Work: Sendable {
        /// They get its file.
        case share(SharedFile)
        /// The first of them continues its transfer.
        case pass(Identifier)
        /// Each continues by itself.
        case release(Identifier)
    }

    /// The leader's file, which followers get.
    package struct SharedFile: Sendable {
        /// The leader.
        package let leader: Identifier
        /// The fence of the attempt that wrote it.
        package let fence: Int64
        /// The length in bytes.
        package let length: Int64
        let instance: Identifier
        let result: JSONText

        /// The leader's result with its description; nil if it cannot be read.
        package var outcome: DownloadResult? {
            DownloadResult(stored: StoredJSON(Array(result.text.utf8)[...]))
        }
    }

    /// A follower that gets a file.
    package struct Follower: Sendable {
        /// The identifier.
        package let id: Identifier
        /// The fence of its own file.
        package let fence: Int64
        let record: DownloadRecord

        /// The failure if it does not accept the content; nil if it does.
        package func refusal(
            of content: DownloadContent, answer: OriginResponse?
        ) -> DownloadFailure? {
            record.download.refusal(ofJoined: content, answer: answer)
        }
    }

    /// The due work in a data directory.
    ///
    /// - Parameters:
    ///   - instance: the data directory.
    ///   - limit: at most so many leaders.
    /// - Returns: the work, the oldest first.
    /// - Throws: `unavailable` or `refused`.
    package func due(instance: Identifier, limit: Int) async throws(StoreError) -> [Work] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(DueFlight.list) FROM lull_due_flights($1, $2)
                """, [instance, Int32(limit)])
            var list: [Work] = []
            for row in rows {
                let leader = try row.identifier(DueFlight.leader)
                switch FlightEndKind(rawValue: try row.get(DueFlight.kind)) {
                case .succeeded:
                    list.append(
                        .share(
                            SharedFile(
                                leader: leader, fence: try row.integer(DueFlight.fence),
                                length: try row.integer(DueFlight.length),
                                instance: try row.identifier(DueFlight.instance),
                                result: JSONText(try row.text(DueFlight.result)))))
                case .passed: list.append(.pass(leader))
                case .failed: list.append(.release(leader))
                case nil:
                    throw PostgresError(
                        .decoding,
                        "work on a shared transfer has a kind that this version of lull does not "
                            + "know")
                }
            }
            return list
        }
    }

    /// Makes the next follower the leader, or lets followers continue by themselves, a batch at a
    /// time.
    ///
    /// - Returns: how many followers changed.
    /// - Throws: `unavailable` or `refused`.
    package func settle(
        _ leader: Identifier, isPassed: Bool
    ) async throws(StoreError) -> Int {
        let statement = isPassed ? "lull_pass_flight" : "lull_release_flight"
        return try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT \(statement)($1, $2)", [leader, Int32(Flights.batch)])[0].only()
        }
    }

    /// The next followers that get a file.
    ///
    /// - Returns: a batch of them at most; none ends the work for this leader.
    /// - Throws: `unavailable` or `refused`.
    package func followers(of file: SharedFile) async throws(StoreError) -> [Follower] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT \(DownloadRecord.columns), q.fence + 1
                FROM (SELECT * FROM queue x WHERE x.joined_to = $1
                    ORDER BY x.joined_to, x.id LIMIT $2) q
                CROSS JOIN LATERAL (SELECT * FROM downloads d WHERE d.id = q.id OFFSET 0) d
                \(DownloadRecord.gates)
                """, [file.leader, Int64(Flights.batch)])
            var list: [Follower] = []
            for row in rows {
                let record = try DownloadRecord(row)
                let fence: Int64 = try row.behind(DownloadColumn.self).only()
                list.append(Follower(id: record.download.id, fence: fence, record: record))
            }
            guard list.isEmpty else { return list }
            _ = try await pool.query("SELECT lull_close_flight($1)", [file.leader])
            return []
        }
    }

    /// Lets followers that do not accept the content of their leader continue by themselves, with
    /// attempts of their own.
    ///
    /// - Returns: how many do; the others changed meanwhile.
    /// - Throws: `unavailable` or `refused`.
    package func detach(
        _ followers: [Follower], _ file: SharedFile
    ) async throws(StoreError) -> Int {
        guard !followers.isEmpty else { return 0 }
        return try await sorting { () throws(PostgresError) in
            try await pool.query(
                "SELECT lull_leave_flight($1, $2)",
                [file.leader, followers.map(\.id)])[0].only()
        }
    }

    /// Ends followers whose own copy of the file exists.
    ///
    /// - Parameters:
    ///   - followers: whose files are there.
    ///   - file: the leader's.
    ///   - now: the database's clock.
    ///   - retention: for so many seconds their content is kept where they do not say.
    /// - Returns: those that have succeeded; the others changed meanwhile.
    /// - Throws: `unavailable` or `refused`.
    package func finish(
        _ followers: [Follower], _ file: SharedFile, at now: Timestamp, retention: Int64
    ) async throws(StoreError) -> Set<Identifier> {
        guard !followers.isEmpty else { return [] }
        let landed = try await sorting { () throws(PostgresError) in
            let kept = followers.map { follower in
                KeptContent(
                    instance: file.instance, length: file.length, at: now,
                    retention: follower.record.download.shared.value.contentRetention ?? retention)
            }
            var results: [JSONText] = []
            for (follower, kept) in zip(followers, kept) {
                let result = try Flights.result(of: follower, file, expiresAt: kept.expiresAt)
                results.append(JSONText(result.bytes(as: .stored)))
            }
            let rows = try await pool.query(
                "SELECT id FROM lull_land_flight($1, $2, $3, $4, $5, $6, $7, $8)",
                [
                    file.leader, file.instance,
                    followers.map(\.id), followers.map(\.fence), results,
                    kept.map(\.expiresAt),
                    kept.map(\.warnAt), file.length,
                ])
            return Set(try rows.column(as: Identifier.self))
        }
        changes.changed(landed)
        return landed
    }

    /// The leader's result in the form for a follower, which requested an equal URL.
    private static func result(
        of follower: Follower, _ file: SharedFile, expiresAt: Timestamp
    ) throws(PostgresError) -> DownloadResult {
        guard var result = DownloadResult(stored: StoredJSON(Array(file.result.text.utf8)[...]))
        else { throw PostgresError(.decoding, "the result of a leader cannot be read") }
        let download = follower.record.download
        let expected = download.bytesExpectedByClient
        result.content = result.content.map { content in
            DownloadContent(
                length: content.length, sha256: content.sha256,
                isLengthVerified: content.isLengthVerified
                    || download.shared.value.expectedDigest != nil,
                expected: expected,
                expiresAt: expiresAt)
        }
        result.resume = nil
        guard download.outcome.value.unchanged != nil else {
            result.joinedTo = file.leader
            return result
        }
        return unchanged(
            download.outcome.value, result.expanded(of: download.url), file.leader)
    }

    /// The result of a download whose content has not changed: its own answer, in which a 304
    /// leaves fields out, and the file of the known content.
    private static func unchanged(
        _ own: DownloadResult, _ known: DownloadResult, _ id: Identifier
    ) -> DownloadResult {
        var result = own
        result.content = known.content
        result.content?.unchangedFrom = id
        (result.error, result.resume, result.joinedTo) = (nil, nil, nil)
        guard var answer = own.response, let before = known.response else { return result }
        answer.mimeType = answer.mimeType ?? before.mimeType
        answer.suggestedFilename = before.suggestedFilename ?? answer.suggestedFilename
        answer.etag = answer.etag ?? before.etag
        answer.lastModified = answer.lastModified ?? before.lastModified
        answer.headers.contentType = answer.headers.contentType ?? before.headers.contentType
        answer.headers.contentEncoding =
            answer.headers.contentEncoding ?? before.headers.contentEncoding
        answer.headers.etag = answer.headers.etag ?? before.headers.etag
        answer.headers.lastModified = answer.headers.lastModified ?? before.headers.lastModified
        result.response = answer
        return result
    }

    /// Whether the file of a finished download is kept in a place of Lull's, so that others can
    /// share it.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func isShareable(_ id: Identifier) async throws(StoreError) -> Bool {
        try await sorting { () throws(PostgresError) in
            try await !pool.query("SELECT 1 FROM lull_shareable(ARRAY[$1::uuid])", [id]).isEmpty
        }
    }

    /// The end of the bytes that another download continues: of a live download, or the kept ones
    /// of an ended one.
    ///
    /// - Throws: `unavailable` or `refused`.
    package func sourcePoint(of id: Identifier) async throws(StoreError) -> ResumePoint? {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT q.resume::text FROM queue q WHERE q.id = $1
                UNION ALL
                SELECT (e.resume - 'source')::text FROM flight_ends e
                WHERE e.leader = $1 AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.id = $1)
                """, [id])
            guard let row = rows.first else { return nil }
            return ResumePoint(stored: try row.object(OnlyColumn.value))
        }
    }

    /// Looks for followers whose leader does not lead and whose end is not noted, which is a fault
    /// of this program, and lets them continue by themselves.
    ///
    /// - Returns: of how many leaders there were such.
    /// - Throws: `unavailable` or `refused`.
    package func audit() async throws(StoreError) -> Int {
        try await sorting { () throws(PostgresError) in
            try await pool.query("SELECT lull_audit_flights(1000)")[0].only()
        }
    }
}

extension Flights {
    /// Holds the leaders that new downloads may join, until the commit.
    static func hold(
        _ batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) -> [Identifier] {
        let flights = batch.compactMap(\.flight)
        guard !flights.isEmpty else { return [] }
        return try await transaction.query(
            "SELECT lull_hold_flights($1)", [flights])[0].only()
    }

    /// Lets new downloads join, after the statement that stored them.
    static func join(
        _ batch: [NewDownload], _ held: [Identifier], in transaction: Transaction
    ) async throws(PostgresError) {
        let sharing = batch.filter { $0.flight != nil }
        guard !sharing.isEmpty else { return }
        _ = try await transaction.query(
            "SELECT count(*) FROM lull_join_flights($1, $2, $3)",
            [
                sharing.map(\.download.id),
                sharing.compactMap { $0.flight }, held,
            ])
    }
}

extension Downloads {
    /// The store of shared transfers.
    package var flights: Flights { Flights(pool: pool, changes: changes) }
}
