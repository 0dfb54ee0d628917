// Claiming: the row is ours from here until the fence moves on.
package import Core
internal import Postgres

/// A download that this replica runs.
package struct ClaimedDownload: Sendable {
    /// The download, running.
    package var download: Download
    /// The fence that every write of this attempt carries.
    package let fence: Int64
    /// Attempts without progress before this one.
    package let barren: Int
    /// Its origin's key.
    package let originKey: Int64
    /// Its session's key.
    package let sessionKey: Int64
    /// When its time is over.
    package let deadline: Timestamp
    /// When this attempt was claimed.
    package let claimedAt: Timestamp
    /// The events that somebody asked for, as bits.
    package let hookMask: Int32
    /// An order that was already waiting.
    package let order: RunOrder?
    /// What an earlier attempt left.
    package let resume: ResumePoint?
    /// Bytes that it still expects in this data directory; 0 if nobody knows.
    package var need: Int64 {
        let kept = resume?.offset ?? 0
        return max(0, (resume?.total ?? total ?? download.bytesExpectedByClient ?? 0) - kept)
    }
    /// What is known of its addresses; nil where it has only one.
    package var mirrors: MirrorBook? {
        let count = download.addresses.count
        guard count > 1 else { return nil }
        guard let book = resume?.mirrors, book.pages.count == count else {
            return MirrorBook(count: count)
        }
        return book
    }
    /// The one of its addresses that this attempt asks.
    package var address: String { download.addresses[mirrors?.current ?? 0] }
    /// The length that the origin announced to an earlier attempt.
    package var total: Int64?
    /// The app that owns it.
    package var app: Int64 = 1
    /// Whether an attempt was lost after a request that must not be sent twice.
    package var wasSent = false

    /// Names what every claim has; `resume` is what an earlier attempt left.
    package init(
        download: Download, fence: Int64, barren: Int = 0, originKey: Int64, sessionKey: Int64,
        deadline: Timestamp, claimedAt: Timestamp, hookMask: Int32 = 0, order: RunOrder? = nil,
        resume: ResumePoint? = nil
    ) {
        self.download = download
        self.fence = fence
        self.barren = barren
        self.originKey = originKey
        self.sessionKey = sessionKey
        self.deadline = deadline
        self.claimedAt = claimedAt
        self.hookMask = hookMask
        self.order = order
        self.resume = resume
    }
}

/// A download whose row this program cannot read, or whose wide row is gone.
package struct UnreadableRun: Sendable {
    /// The end that it is given.
    package let finished: FinishedRun
    /// What is wrong with it, for the log.
    package let reason: String
}

/// What a claim brought.
package struct ClaimAnswer: Sendable {
    /// The downloads that run here now.
    package var runs: [ClaimedDownload] = []
    /// Those that have to be ended, because they cannot run.
    package var unreadable: [UnreadableRun] = []
}

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
        var finished = FinishedRun(claimed, outcome: .failed, event: .failed, at: at)
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
            barren: Int(try row.integer(Column.attemptsWithoutProgress)),
            originKey: try row.integer(Column.originKey),
            sessionKey: try row.integer(Column.sessionKey),
            deadline: try row.requiredInstant(Column.deadline), claimedAt: claimedAt,
            hookMask: try row.get(Column.webhookEvents.rawValue),
            order: RunOrder(rawValue: try row.get(Column.order.rawValue)), resume: point)
        claimed.app = try row.integer(Column.app)
        claimed.wasSent = left == Ledger.sentMark
        claimed.total = try row.optionalInteger(Column.total)
        return claimed
    }
}
