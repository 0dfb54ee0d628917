// A batch of new downloads as the arrays of one statement.
internal import Core
internal import Postgres

/// The columns of a batch.
struct IntakeColumns {
    /// Wide row, hot row, event and, where asked for, delivery: one statement, one commit.
    ///
    /// Answers the instant.
    private static let plain = plainHead + plainEnd

    private static let plainSealed = plainHead + secrets(from: "given", first: 19) + plainEnd

    private static let plainEnd = "SELECT now() FROM new_events"

    private static let plainHead = """
        WITH given AS MATERIALIZED (
            SELECT u.*, coalesce(u.accepted, now()) AS t
            FROM unnest(\(arrays)) u(\(names))),
        \(rows(from: "given"))

        """

    /// The same, with the keys of those that have one.
    ///
    /// Answers the instant, and the downloads that were left out because their key is taken.
    /// Keys are written in order, so that two batches cannot wait for each other.
    private static let keyed = keyedHead + keyedEnd

    private static let keyedSealed =
        keyedHead + secrets(from: "accepted_rows", first: 24) + keyedEnd

    private static let keyedHead = """
        WITH given AS MATERIALIZED (
            SELECT u.*, coalesce(u.accepted, now()) AS t
            FROM unnest(\(arrays), $19::uuid[], $20::uuid[], $21::smallint[], $22::jsonb[],
                $23::text[])
            u(\(names), key_hash, fingerprint, status, headers, body)),
        new_keys AS (
            INSERT INTO idempotency_keys
                (app_no, key_hash, fingerprint, download_id, status, headers, body)
            SELECT app_no, key_hash, fingerprint, id, status, headers, body FROM given
            WHERE key_hash IS NOT NULL ORDER BY app_no, key_hash
            ON CONFLICT DO NOTHING RETURNING download_id),
        accepted_rows AS MATERIALIZED (
            SELECT given.* FROM given
            WHERE key_hash IS NULL OR id IN (SELECT download_id FROM new_keys)),
        \(rows(from: "accepted_rows"))

        """

    private static let keyedEnd =
        """
        SELECT now(), ARRAY(
            SELECT id FROM given WHERE id NOT IN (SELECT id FROM accepted_rows))
        FROM new_events
        """

    /// One more step: what those that are stored are asked for with.
    private static func secrets(from source: String, first: Int) -> String {
        """
        , new_secrets AS (
            INSERT INTO download_secrets (id, sealed)
            SELECT u.id, u.sealed FROM unnest($\(first)::uuid[], $\(first + 1)::bytea[])
                u(id, sealed)
            WHERE u.id IN (SELECT id FROM \(source)))

        """
    }

    private static let arrays = """
        $1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[],
        $7::smallint[], $8::smallint[], $9::float8[], $10::timestamptz[], $11::bigint[],
        $12::bigint[], $13::text[], $14::jsonb[], $15::text[], $16::int[], $17::smallint[],
        $18::timestamptz[]
        """

    private static let names = """
        id, app_no, session_no, session, lane, origin_key, class, rank, priority, earliest,
        expected, timeout, url, spec, webhook_url, webhook_events, state, accepted
        """

    private static func rows(from source: String) -> String {
        """
        download_rows AS (
            INSERT INTO downloads (id, app_no, session_no, session, origin_key, class, priority,
                created_at, earliest_begin_at, expected_bytes, url, spec)
            SELECT id, app_no, session_no, session, origin_key, class, priority, t, earliest,
                expected, url, spec FROM \(source)),
        queue_rows AS (
            INSERT INTO queue (id, lane, run_at, session_no, origin_key, state_since, deadline,
                life_since, expected_bytes, class, rank, state, webhook_url, webhook_events)
            SELECT id, lane, greatest(earliest, t), session_no, origin_key, t,
                greatest(earliest, t) + timeout * interval '1 second', t, expected, class, rank,
                state, webhook_url, webhook_events
            FROM \(source)),
        new_events AS MATERIALIZED (
            SELECT lull_record_events(array_agg(ROW(t, session_no, id,
                lull_event_type('created'), 1, 0, NULL, 0, NULL, webhook_url,
                webhook_events)::new_event))
            FROM \(source))
        """
    }

    private let batch: [NewDownload]
    /// The key of each download's origin.
    private let origins: [Int64]
    /// True if at least one download comes with the key of its request.
    let hasKeys: Bool
    private let withSecrets: [NewDownload]

    /// - Parameters:
    ///   - batch: the downloads.
    ///   - keys: those of the origins, by name.
    init(_ batch: [NewDownload], origins keys: [String: Int64]) {
        self.batch = batch
        origins = batch.map { new in
            guard let key = keys[new.origin] else {
                preconditionFailure("an origin has its key before its download comes in")
            }
            return key
        }
        hasKeys = batch.contains { $0.idempotency != nil }
        withSecrets = batch.filter { $0.sealed != nil }
    }

    /// A batch without keys or secrets does not pay for them.
    var statement: String {
        withSecrets.isEmpty
            ? (hasKeys ? IntakeColumns.keyed : IntakeColumns.plain)
            : (hasKeys ? IntakeColumns.keyedSealed : IntakeColumns.plainSealed)
    }

    var parameters: [any ColumnValue] { columns + (hasKeys ? keys : []) + secrets }

    private var secrets: [any ColumnValue] {
        guard !withSecrets.isEmpty else { return [] }
        return [
            withSecrets.map { UUIDValue($0.download.id) }, withSecrets.map { $0.sealed ?? [] },
        ]
    }

    private var columns: [any ColumnValue] {
        [
            batch.map { UUIDValue($0.download.id) },
            batch.map(\.app),
            batch.map(\.sessionKey),
            batch.map(\.download.session),
            zip(batch, origins).map { new, origin in new.lane(origin: origin) },
            origins,
            batch.map(\.download.schedulingClass.rawValue),
            batch.map(\.rank),
            batch.map(\.download.priority),
            batch.map { $0.download.earliestBeginDate.map { TimestampValue($0) } },
            batch.map(\.download.bytesExpectedByClient),
            batch.map(\.download.shared.spec.resourceTimeout),
            batch.map(\.download.url),
            batch.map { JSONText($0.download.shared.spec.bytes(as: .stored)) },
            batch.map(\.download.shared.spec.webhookURL),
            batch.map(\.download.shared.spec.webhookMask),
            batch.map { IntakeColumns.state(of: $0.download).rawValue },
            batch.map { $0.acceptedAt.map { TimestampValue($0) } },
        ]
    }

    private var keys: [any ColumnValue] {
        [
            batch.map { $0.idempotency.map { UUIDValue($0.key.hash) } },
            batch.map { $0.idempotency.map { UUIDValue($0.key.fingerprint) } },
            batch.map { $0.idempotency.map { Int16($0.answer.status) } },
            batch.map { $0.idempotency.map { JSONText(JSON.object($0.answer.headers).text) } },
            batch.map { $0.idempotency?.answer.body },
        ]
    }

    private static func state(of download: Download) -> LiveState {
        download.state == .suspended ? .suspended : .waiting
    }
}
