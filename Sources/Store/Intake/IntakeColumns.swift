// A batch of new downloads as the arrays of one statement.
internal import Base
internal import Downloads
internal import Postgres
internal import Scheduling

/// The columns of a batch.
struct IntakeColumns {
    /// The statement for rows of downloads, queue, event and, if subscribed, delivery: one
    /// statement, one commit.
    ///
    /// Its result is the instant.
    private static let plain = plainHead + plainEnd

    private static let plainSealed = plainHead + secrets(from: "given", first: 26) + plainEnd

    private static let plainEnd = "SELECT now() FROM new_events"

    private static let plainHead = """
        WITH given AS MATERIALIZED (
            SELECT u.*, coalesce(u.accepted, now()) AS t
            FROM unnest(\(arrays)) u(\(names))),
        \(rows(from: "given"))

        """

    /// The statement with the idempotency keys of those that have one.
    ///
    /// Its result is the instant, and the downloads that were left out because their key is taken.
    /// Keys are written in order, so that two batches cannot wait for each other.
    private static let keyed = keyedHead + keyedEnd

    private static let keyedSealed =
        keyedHead + secrets(from: "accepted_rows", first: 31) + keyedEnd

    private static let keyedHead = """
        WITH given AS MATERIALIZED (
            SELECT u.*, coalesce(u.accepted, now()) AS t
            FROM unnest(\(arrays), $26::uuid[], $27::uuid[], $28::smallint[], $29::jsonb[],
                $30::text[])
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

    /// A further step for the secrets of the stored downloads.
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
        $1::uuid[], $2::bigint[], $3::bigint[], $4::text[], $5::int[], $6::bigint[],
        $7::smallint[], $8::smallint[], $9::float8[], $10::timestamptz[], $11::bigint[],
        $12::bigint[], $13::text[], $14::jsonb[], $15::text[], $16::int[], $17::smallint[],
        $18::timestamptz[], $19::smallint[], $20::int[], $21::timestamptz[], $22::timestamptz[],
        $23::timestamptz[], $24::timestamptz[], $25::timestamptz[]
        """

    private static let names = """
        id, app_no, session_no, session, place, origin_key, class, rank, priority, earliest,
        expected, timeout, url, spec, webhook_url, webhook_events, state, accepted, network,
        facet, due_bucket, begin_bucket, complete_by, begin_deadline, wake_until
        """

    /// The gate comes before the rows that are counted and locked after it.
    ///
    /// Lanes come after keys, as in all statements, so that two batches cannot wait for each other.
    private static func rows(from source: String) -> String {
        """
        admitted_rows AS MATERIALIZED (
            SELECT lull_admit(array_agg(session_no), array_agg(app_no)) AS done FROM \(source)),
        entered_lanes AS MATERIALIZED (
            SELECT lull_enter_lanes(array_agg(ROW(l.app_no, l.session_no, l.origin_key, l.class,
                l.rank, l.network, l.facet, l.due_bucket, l.at, l.begin_bucket, l.need)::lane_entry
                ORDER BY l.place)) AS numbers
            FROM (
                SELECT place, min(app_no) AS app_no, min(session_no) AS session_no,
                    min(origin_key) AS origin_key, min(class) AS class, min(rank) AS rank,
                    min(network) AS network, min(facet) AS facet,
                    coalesce(min(due_bucket), 'infinity') AS due_bucket,
                    coalesce(min(begin_bucket), 'infinity') AS begin_bucket,
                    coalesce(max(expected) FILTER (WHERE due_bucket IS NOT NULL), 0) AS need,
                    min(greatest(earliest, t, wake_until)) FILTER (WHERE state = 0
                        AND id IN (SELECT id FROM \(source))) AS at
                FROM given GROUP BY place) l CROSS JOIN admitted_rows),
        download_rows AS (
            INSERT INTO download_requests (id, app_no, session_no, session, origin_key, class,
                priority, created_at, earliest_begin_at, expected_bytes, url, spec)
            SELECT id, app_no, session_no, session, origin_key, class, priority, t, earliest,
                expected, url, spec FROM \(source)),
        queue_rows AS (
            INSERT INTO queue (id, lane_no, app_no, run_at, session_no, origin_key, state_since,
                deadline, life_since, expected_bytes, class, rank, network, facet, due_bucket,
                begin_bucket, complete_by, begin_deadline, state, webhook_url, webhook_events,
                wake_until)
            SELECT id, e.numbers[place], app_no, greatest(earliest, t, wake_until), session_no,
                origin_key, t,
                greatest(earliest, t) + timeout * interval '1 second', t, expected, class, rank,
                network, facet, coalesce(due_bucket, 'infinity'),
                coalesce(begin_bucket, 'infinity'), complete_by, begin_deadline, state,
                webhook_url, webhook_events, wake_until
            FROM \(source) CROSS JOIN entered_lanes e),
        counted_rows AS (
            INSERT INTO queued_counts (app_no, change)
            SELECT app_no, count(*) FROM \(source) CROSS JOIN admitted_rows GROUP BY 1),
        new_events AS MATERIALIZED (
            SELECT lull_record_events(array_agg(ROW(t, session_no, id,
                lull_event_type('created'), 1, 0, NULL, 0, NULL, webhook_url,
                webhook_events)::new_event))
            FROM \(source) CROSS JOIN admitted_rows)
        """
    }

    private let batch: [NewDownload]
    /// The lane of each download.
    private let lanes: [LaneKey]
    /// The index of each download's lane among the lanes of the batch, from 1.
    private let places: [Int32]
    /// Whether a download comes with the key of its request.
    let hasKeys: Bool
    private let withSecrets: [NewDownload]

    private let facets: [Facet: Int32]

    /// - Parameters:
    ///   - batch: the downloads.
    ///   - lanes: the lane of each.
    ///   - facets: the numbers of the lanes' facets; one that is not in here has the number 0.
    init(_ batch: [NewDownload], lanes: [LaneKey], facets: [Facet: Int32] = [:]) {
        self.batch = batch
        self.lanes = lanes
        self.facets = facets
        var known: [LaneKey: Int32] = [:]
        places = lanes.map { lane in
            if let place = known[lane] { return place }
            let place = Int32(known.count + 1)
            known[lane] = place
            return place
        }
        hasKeys = batch.contains { $0.idempotency != nil }
        withSecrets = batch.filter { $0.sealed != nil }
    }

    /// The columns without some of the downloads.
    func leaving(out others: Set<Identifier>) -> IntakeColumns {
        let kept = batch.indices.filter { !others.contains(batch[$0].download.id) }
        return IntakeColumns(
            kept.map { batch[$0] }, lanes: kept.map { lanes[$0] }, facets: facets)
    }

    /// Whether there are no downloads.
    var isEmpty: Bool { batch.isEmpty }

    /// A batch without keys or secrets has no cost for them.
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
            batch.column { UUIDValue($0.download.id) },
            batch.column { $0.app },
            batch.column { $0.sessionKey },
            batch.column { $0.download.session },
            places,
            lanes.map(\.origin),
            lanes.map(\.schedulingClass.rawValue),
            lanes.map(\.rank),
            batch.column { $0.download.priority },
            batch.column { $0.download.earliestBeginDate.map { TimestampValue($0) } },
            batch.column { $0.download.bytesExpectedByClient },
            batch.column { $0.download.shared.spec.resourceTimeout },
            batch.column { $0.download.url },
            batch.column { JSONText($0.download.shared.spec.bytes(as: .stored)) },
            batch.column { $0.download.shared.spec.webhookURL },
            batch.column { $0.download.shared.spec.webhookMask },
            batch.column { IntakeColumns.state(of: $0.download).rawValue },
            batch.column { $0.acceptedAt.map { TimestampValue($0) } },
            lanes.map(\.network),
            lanes.map { facets[$0.facet] ?? 0 },
            lanes.map { $0.dueBucket.map { TimestampValue($0) } },
            lanes.map { $0.beginBucket.map { TimestampValue($0) } },
            batch.column { $0.download.shared.spec.completeBy.map { TimestampValue($0) } },
            batch.column { $0.download.shared.spec.beginDeadline.map { TimestampValue($0) } },
            batch.column { $0.wakeUntil.map { TimestampValue($0) } },
        ]
    }

    private var keys: [any ColumnValue] {
        [
            batch.column { $0.idempotency.map { UUIDValue($0.key.hash) } },
            batch.column { $0.idempotency.map { UUIDValue($0.key.fingerprint) } },
            batch.column { $0.idempotency.map { Int16($0.answer.status) } },
            batch.column { $0.idempotency.map { JSONText(JSON.object($0.answer.headers).text) } },
            batch.column { $0.idempotency?.answer.body },
        ]
    }

    private static func state(of download: Download) -> LiveState {
        download.state == .suspended ? .suspended : .waiting
    }
}
