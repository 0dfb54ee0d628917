// A batch of new downloads as the arrays of one statement.
internal import Core
internal import Postgres

/// The columns of a batch.
struct IntakeColumns {
    /// Wide row, hot row, event and, where asked for, delivery: one statement, one commit.
    static let statement = """
        WITH i AS MATERIALIZED (
            SELECT u.*, now() AS t FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[],
                $5::bigint[], $6::bigint[], $7::smallint[], $8::smallint[], $9::float8[],
                $10::timestamptz[], $11::bigint[], $12::bigint[], $13::text[], $14::jsonb[],
                $15::text[], $16::int[], $17::smallint[])
            u(id, app_no, session_no, session, lane, origin_key, class, rank, priority,
                earliest, expected, timeout, url, spec, hook, hook_mask, state)),
        d AS (
            INSERT INTO downloads (id, app_no, session_no, session, origin_key, class, priority,
                created_at, earliest_begin_at, expected_bytes, url, spec)
            SELECT id, app_no, session_no, session, origin_key, class, priority, t, earliest,
                expected, url, spec FROM i),
        q AS (
            INSERT INTO queue (id, lane, run_at, session_no, origin_key, state_since, deadline,
                expected_bytes, class, rank, state, hook, hook_mask)
            SELECT id, lane, greatest(earliest, t), session_no, origin_key, t,
                greatest(earliest, t) + timeout * interval '1 second', expected, class, rank, state,
                hook, hook_mask
            FROM i),
        e AS (
            INSERT INTO events (at, session_no, download_id, type, sequence)
            SELECT t, session_no, id, 1, 1 FROM i RETURNING events.id, download_id),
        h AS (
            INSERT INTO deliveries (event_id, download_id, type, at, sequence, lane, url)
            SELECT e.id, i.id, 1, i.t, 1, lull_receiver(i.hook), i.hook
            FROM i JOIN e ON e.download_id = i.id
            WHERE i.hook IS NOT NULL AND (i.hook_mask & (1 << 1)) <> 0)
        SELECT t FROM i LIMIT 1
        """

    /// In the stored spec: that the download was suspended when it was created, which the event of
    /// its creation tells also when it is sent later.
    static let suspendedMember = "suspended"

    private let batch: [NewDownload]

    init(_ batch: [NewDownload]) { self.batch = batch }

    var parameters: [any ColumnValue] {
        [
            batch.map { UUIDValue($0.download.id) },
            batch.map(\.app),
            batch.map(\.sessionKey),
            batch.map(\.download.session),
            batch.map(\.lane),
            batch.map(\.originKey),
            batch.map(\.download.schedulingClass.rawValue),
            batch.map(\.rank),
            batch.map(\.download.priority),
            batch.map { $0.download.earliestBeginDate.map { TimestampValue($0) } },
            batch.map(\.download.bytesExpectedByClient),
            batch.map(\.download.spec.resourceTimeout),
            batch.map(\.download.url),
            batch.map { JSONText(JSON.object(IntakeColumns.spec(of: $0.download)).text) },
            batch.map(\.download.spec.webhookURL),
            batch.map(\.download.spec.hookMask),
            batch.map { Int16($0.download.state == .suspended ? 2 : 0) },
        ]
    }

    private static func spec(of download: Download) -> JSONObject {
        var object = download.spec.json
        if download.state == .suspended { object[suspendedMember] = true }
        return object
    }
}
