// A batch of new downloads as the arrays of one statement.
internal import Core
internal import Postgres

/// The columns of a batch.
struct IntakeColumns {
    /// Wide row, hot row, event and, where asked for, delivery: one statement, one commit.
    ///
    /// Answers the instant.
    private static let plain = plainHead + "SELECT now()"

    private static let plainSealed = plainHead + secrets(from: "i", first: 19) + "SELECT now()"

    private static let plainHead = """
        WITH i AS MATERIALIZED (
            SELECT u.*, coalesce(u.accepted, now()) AS t
            FROM unnest(\(arrays)) u(\(names))),
        \(rows(from: "i"))

        """

    /// The same, with the keys of those that have one.
    ///
    /// Answers the instant, and the downloads that were left out because their key is taken.
    /// Keys are written in order, so that two batches cannot wait for each other.
    private static let keyed = keyedHead + keyedEnd

    private static let keyedSealed = keyedHead + secrets(from: "f", first: 24) + keyedEnd

    private static let keyedHead = """
        WITH i AS MATERIALIZED (
            SELECT u.*, coalesce(u.accepted, now()) AS t
            FROM unnest(\(arrays), $19::uuid[], $20::uuid[], $21::smallint[], $22::jsonb[],
                $23::text[])
            u(\(names), key_hash, fingerprint, status, headers, body)),
        k AS (
            INSERT INTO idempotency_keys
                (app_no, key_hash, fingerprint, download_id, status, headers, body)
            SELECT app_no, key_hash, fingerprint, id, status, headers, body FROM i
            WHERE key_hash IS NOT NULL ORDER BY app_no, key_hash
            ON CONFLICT DO NOTHING RETURNING download_id),
        f AS MATERIALIZED (
            SELECT i.* FROM i
            WHERE key_hash IS NULL OR id IN (SELECT download_id FROM k)),
        \(rows(from: "f"))

        """

    private static let keyedEnd =
        "SELECT now(), ARRAY(SELECT id FROM i WHERE id NOT IN (SELECT id FROM f))"

    /// One more step: what those that are stored are asked for with.
    private static func secrets(from source: String, first: Int) -> String {
        """
        , s AS (
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
        d AS (
            INSERT INTO downloads (id, app_no, session_no, session, origin_key, class, priority,
                created_at, earliest_begin_at, expected_bytes, url, spec)
            SELECT id, app_no, session_no, session, origin_key, class, priority, t, earliest,
                expected, url, spec FROM \(source)),
        q AS (
            INSERT INTO queue (id, lane, run_at, session_no, origin_key, state_since, deadline,
                life_since, expected_bytes, class, rank, state, webhook_url, webhook_events)
            SELECT id, lane, greatest(earliest, t), session_no, origin_key, t,
                greatest(earliest, t) + timeout * interval '1 second', t, expected, class, rank,
                state, webhook_url, webhook_events
            FROM \(source)),
        e AS (
            INSERT INTO events (at, session_no, download_id, type, sequence)
            SELECT t, session_no, id, 1, 1 FROM \(source) RETURNING events.id, download_id),
        h AS (
            INSERT INTO deliveries
                (event_id, download_id, session_no, type, at, sequence, lane, url)
            SELECT e.id, s.id, s.session_no, 1, s.t, 1, lull_receiver(s.webhook_url), s.webhook_url
            FROM \(source) s JOIN e ON e.download_id = s.id
            WHERE s.webhook_url IS NOT NULL AND (s.webhook_events & (1 << 1)) <> 0)
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
            batch.map(\.download.spec.resourceTimeout),
            batch.map(\.download.url),
            batch.map { JSONText($0.download.spec.text(as: .stored)) },
            batch.map(\.download.spec.webhookURL),
            batch.map(\.download.spec.hookMask),
            batch.map { Int16($0.download.state == .suspended ? 2 : 0) },
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
}
