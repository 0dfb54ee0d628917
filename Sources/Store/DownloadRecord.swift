// A download as the store holds it, with what only the store knows.
package import Core
internal import Postgres

/// One download and its circumstances.
package struct DownloadRecord: Sendable {
    /// The download.
    package var download: Download
    /// What admission looks at, while it waits.
    package var applicant: Applicant?
    /// The fence of the attempt whose file is the content, once it succeeded.
    package var contentFence: Int64?
    /// The content's length in bytes, once it succeeded.
    package var contentLength: Int64? {
        contentFence == nil ? nil : download.result.content?.length
    }

    /// The columns that `init(_:)` reads, from `d` (downloads), `q` (queue), `o` and `g` (gates).
    static let columns = """
        d.id, d.session, d.session_no, d.class, d.priority, d.created_at, d.earliest_begin_at,
        d.started_at, d.finished_at, d.expected_bytes, d.bytes, d.attempts, d.sequence,
        d.content_fence,
        d.url, d.spec::text, d.result::text,
        \(status) AS status, q.run_at, q.state_since, q.bytes, q.total_bytes, q.attempt, q.sequence,
        q.claimed_at, o.running, o.running_limit, o.not_before, g.running, g.running_limit,
        (q.resume->'mirrors'->>'current')::int AS mirror, q.bytes_per_second, q.measured_at
        """

    /// How many they are.
    static let columnCount = 33

    /// Where the columns come from.
    static let tables = "downloads d LEFT JOIN queue q ON q.id = d.id \(gates)"

    /// The limits that a waiting download meets.
    static let gates = """
        LEFT JOIN gates o ON q.state = 0 AND o.kind = 1 AND o.key = q.origin_key
        LEFT JOIN gates g ON q.state = 0 AND g.kind = 2 AND g.key = d.session_no
        """

    /// One number for the state: 1, 2, 4 ended; 10 and more live.
    static let status = """
        (CASE WHEN q.id IS NULL THEN d.state ELSE \(liveStatus) END)::smallint
        """

    /// The same of a row of the queue.
    static let liveStatus = """
        (CASE WHEN q.state = 1 AND q.control = 1 THEN 14 ELSE 10 + q.state END)::smallint
        """

    static let statusNumbers: [DownloadState: Int16] = [
        .succeeded: 1, .failed: 2, .canceled: 4, .waiting: 10, .running: 11, .suspended: 12,
        .attentionRequired: 13, .canceling: 14,
    ]

    init(_ row: Row) throws(PostgresError) {
        let status = try row.get(17, as: Int16.self)
        guard let state = DownloadRecord.statusNumbers.first(where: { $0.value == status })?.key
        else { throw PostgresError(.decoding, "a download has no state") }
        var download = Download(
            id: try row.get(0, as: UUIDValue.self).identifier,
            session: try row.get(1), state: state, url: try row.get(14),
            priority: try row.get(4),
            earliestBeginDate: try row.get(6, as: TimestampValue?.self)?.timestamp,
            bytesExpectedByClient: try row.get(9),
            spec: DownloadSpec(stored: try DownloadRecord.object(row, 15)),
            createdAt: try row.get(5, as: TimestampValue.self).timestamp)
        download.result =
            DownloadResult(stored: .object(try DownloadRecord.object(row, 16))) ?? DownloadResult()
        download.completedAt = try row.get(8, as: TimestampValue?.self)?.timestamp
        let live: (bytes: Int64?, total: Int64?, attempt: Int32?, sequence: Int32?) = (
            try row.get(20), try row.get(21), try row.get(22), try row.get(23)
        )
        let ended: (bytes: Int64, attempt: Int32, sequence: Int32) = (
            try row.get(10), try row.get(11), try row.get(12)
        )
        download.bytesReceived = live.bytes ?? ended.bytes
        download.bytesTotal = live.total ?? download.result.content?.length
        download.attempt = Int(live.attempt ?? ended.attempt)
        download.sequence = Int64(live.sequence ?? ended.sequence)
        let claimedAt = try row.get(24, as: TimestampValue?.self)?.timestamp
        download.startedAt = try row.get(7, as: TimestampValue?.self)?.timestamp ?? claimedAt
        download.mirror = Int(try row.get(30, as: Int32?.self) ?? 0)
        download.bytesPerSecond = try row.get(31)
        download.measuredAt = try row.get(32, as: TimestampValue?.self)?.timestamp
        contentFence = state == .succeeded ? try row.get(13, as: Int64?.self) : nil
        self.download = download
        if state == .waiting { try readWaiting(row) }
    }

    private mutating func readWaiting(_ row: Row) throws(PostgresError) {
        let runAt = try row.get(18, as: TimestampValue.self).timestamp
        let waitingSince = try row.get(19, as: TimestampValue.self).timestamp
        // A turn to another mirror leaves a row the place in the queue that it had.
        if download.attempt > 0 { download.nextAttemptAt = max(runAt, waitingSince) }
        let notBefore = try row.get(27, as: TimestampValue?.self)
        applicant = Applicant(
            isDiscretionary: download.spec.isDiscretionary, session: download.session,
            createdAt: download.createdAt,
            waitingSince: waitingSince,
            runAt: runAt, attempt: download.attempt,
            origin: GateReading(
                running: Int(try row.get(25, as: Int32?.self) ?? 0),
                limit: try row.get(26, as: Int32?.self).map { Int($0) },
                notBefore: notBefore == .negativeInfinity ? nil : notBefore?.timestamp),
            sessionGate: GateReading(
                running: Int(try row.get(28, as: Int32?.self) ?? 0),
                limit: try row.get(29, as: Int32?.self).map { Int($0) }),
            need: max(
                0,
                (download.bytesTotal ?? download.bytesExpectedByClient ?? 0)
                    - download.bytesReceived),
            ranOutOfRoom: download.result.error?.code == DownloadFailure.noRoom.code)
    }

    /// A jsonb column as an object; NULL is an empty one.
    static func object(_ row: Row, _ column: Int) throws(PostgresError) -> JSONObject {
        guard let text = try row.get(column, as: String?.self) else { return JSONObject() }
        let value: JSON
        do throws(JSONError) {
            value = try JSON.parse(Array(text.utf8))
        } catch {
            throw PostgresError(.decoding, "column \(column): \(error)")
        }
        guard case .object(let object) = value else {
            throw PostgresError(.decoding, "column \(column) holds no object")
        }
        return object
    }
}
