// Claiming: the row is ours from here until the fence moves on.
package import Core
internal import Postgres

extension Ledger {
    private typealias Column = ClaimColumn

    /// Claims due downloads.
    ///
    /// - Parameters:
    ///   - quotas: from which lanes, in this order.
    ///   - total: at most so many.
    ///   - limits: what the gates that have no limit of their own allow.
    ///   - room: what they may take together on the disk, in bytes; nil for any.
    /// - Returns: the downloads; the commit is done.
    /// - Throws: `leaseLost` among others.
    package func claim(
        _ quotas: [LaneQuota], total: Int, limits: PolicyLimits, room: Int64? = nil
    ) async throws(StoreError) -> ClaimAnswer {
        let answer = try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                "SELECT \(Column.list) FROM lull_claim($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                [
                    replica, quotas.map(\.head.lane), quotas.map(\.head.originKey),
                    quotas.map(\.head.sessionKey), quotas.map { Int32($0.count) },
                    Int32(limits.perOrigin), Int32(limits.perSession), Int32(total), room,
                ])
            var answer = ClaimAnswer()
            answer.runs.reserveCapacity(rows.count)
            for row in rows {
                do throws(PostgresError) {
                    answer.runs.append(try Ledger.claimed(row))
                } catch {
                    answer.unreadable.append(try Ledger.unreadable(row, error))
                }
            }
            return answer
        }
        changes.changed(answer.runs.map(\.download.id))
        return answer
    }

    /// The end of a download of which only the hot row can be read.
    private static func unreadable(
        _ row: Row, _ error: PostgresError
    ) throws(PostgresError) -> UnreadableRun {
        let at = try row.requiredInstant(Column.claimedAt)
        var download = Download(
            unreadable: try row.identifier(Column.id),
            attempt: Int(try row.integer(Column.attempt)),
            sequence: try row.integer(Column.sequence) + 1, at: at)
        download.startedAt = at
        let claimed = ClaimedDownload(
            download: download, fence: try row.integer(Column.fence),
            originKey: try row.integer(Column.originKey),
            sessionKey: try row.integer(Column.sessionKey),
            deadline: try row.requiredInstant(Column.deadline), claimedAt: at)
        var finished = RunRecord(claimed, outcome: .failed, event: .failed, at: at)
        finished.isReadable = false
        return UnreadableRun(finished: finished, reason: error.description)
    }

    private static func claimed(_ row: Row) throws(PostgresError) -> ClaimedDownload {
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
            webhookMask: try row.get(Column.webhookEvents.rawValue),
            order: RunOrder(rawValue: try row.get(Column.order.rawValue)), resume: point)
        claimed.app = try row.integer(Column.app)
        claimed.wasSent = left == Ledger.sentMark
        claimed.total = try row.optionalInteger(Column.total)
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
                "SELECT lull_widen($1, $2, $3, $4, $5, $6)",
                [
                    replica, UUIDValue(id), fence, Int32(extra), Int32(limits.perOrigin),
                    Int32(limits.perSession),
                ])
            return Int(try rows[0].get(0, as: Int32.self))
        }
    }
}
