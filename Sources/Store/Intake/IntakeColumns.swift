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

    private static let plainSealed = plainHead + secrets(of: "given", behind: members) + plainEnd

    private static let plainEnd = "SELECT now() FROM new_events"

    private static let plainHead = """
        WITH given AS MATERIALIZED (
            SELECT u.*, coalesce(u.accepted, now()) AS t
            FROM \(members.rows())),
        \(rows(from: "given"))

        """

    /// The statement with the idempotency keys of those that have one.
    ///
    /// Its result is the instant, and the downloads that were left out because their key is taken.
    /// Keys are written in order, so that two batches cannot wait for each other.
    private static let keyed = keyedHead + keyedEnd

    private static let keyedSealed =
        keyedHead + secrets(of: "accepted_rows", behind: members + keys) + keyedEnd

    private static let keyedHead = """
        WITH given AS MATERIALIZED (
            SELECT u.*, coalesce(u.accepted, now()) AS t
            FROM \((members + keys).rows())),
        new_keys AS (
            INSERT INTO idempotency_keys (app_no, download_id, \(keys.names))
            SELECT app_no, id, \(keys.names) FROM given
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
    private static func secrets(
        of source: String, behind others: Parameters<IntakeColumns>
    ) -> String {
        """
        , new_secrets AS (
            INSERT INTO download_secrets (id, sealed)
            SELECT u.id, u.sealed FROM \(secrets.rows(from: others.count + 1))
            WHERE u.id IN (SELECT id FROM \(source)))

        """
    }

    /// The gate comes before the rows that are counted and locked after it.
    ///
    /// Lanes come after keys, as in all statements, so that two batches cannot wait for each other.
    private static func rows(from source: String) -> String {
        """
        admitted_rows AS MATERIALIZED (
            SELECT lull_admit(array_agg(session_no), array_agg(app_no)) AS done FROM \(source)),
        entered_lanes AS MATERIALIZED (
            SELECT lull_enter_lanes(array_agg(ROW(l.app_no, l.session_no, l.origin_key, l.class,
                l.rank, l.lane_flags, l.facet, l.due_bucket, l.at, l.begin_bucket,
                l.need)::lane_entry ORDER BY l.place)) AS numbers
            FROM (
                SELECT place, min(app_no) AS app_no, min(session_no) AS session_no,
                    min(origin_key) AS origin_key, min(class) AS class, min(rank) AS rank,
                    min(lane_flags) AS lane_flags, min(facet) AS facet,
                    coalesce(min(due_bucket), 'infinity') AS due_bucket,
                    coalesce(min(begin_bucket), 'infinity') AS begin_bucket,
                    coalesce(max(expected_bytes) FILTER (WHERE due_bucket IS NOT NULL), 0) AS need,
                    min(greatest(earliest_begin_at, t, wake_until)) FILTER (
                        WHERE state = lull_state('waiting')
                            AND lane_flags & lull_lane_flag('stages') = 0
                            AND id IN (SELECT id FROM \(source))) AS at
                FROM given GROUP BY place) l CROSS JOIN admitted_rows),
        download_rows AS (
            INSERT INTO download_requests (id, app_no, session_no, session, origin_key, class,
                priority, created_at, earliest_begin_at, expected_bytes, url, spec)
            SELECT id, app_no, session_no, session, origin_key, class, priority, t,
                earliest_begin_at, expected_bytes, url, spec FROM \(source)),
        queue_rows AS (
            \(queueRow)
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

    var parameters: [any ColumnValue] {
        IntakeColumns.members.values(of: self)
            + (hasKeys ? IntakeColumns.keys.values(of: self) : [])
            + (withSecrets.isEmpty ? [] : IntakeColumns.secrets.values(of: self))
    }

    private static let queueRow = QueueRow.insert([
        "lane_no": "e.numbers[place]",
        "run_at": "greatest(earliest_begin_at, t, wake_until)",
        "state": "state",
        "wake_until": "wake_until",
    ])

    /// The parameters of each download.
    private static let members: Parameters<IntakeColumns> = [
        "id": { $0.batch.column { $0.download.id } },
        "app_no": { $0.batch.column { $0.app } },
        "session_no": { $0.batch.column { $0.sessionKey } },
        "session": { $0.batch.column { $0.download.session } },
        "place": { $0.places },
        "origin_key": { $0.lanes.map(\.origin) },
        "class": { $0.lanes.map(\.schedulingClass.rawValue) },
        "rank": { $0.lanes.map(\.rank) },
        "priority": { $0.batch.column { $0.download.priority } },
        "earliest_begin_at": {
            $0.batch.column { $0.download.earliestBeginDate }
        },
        "expected_bytes": { $0.batch.column { $0.download.bytesExpectedByClient } },
        "timeout": { $0.batch.column { $0.download.shared.value.resourceTimeout } },
        "url": { $0.batch.column { $0.download.url } },
        "spec": { $0.batch.column { JSONText($0.download.shared.value.bytes(as: .stored)) } },
        "webhook_url": { $0.batch.column { $0.download.shared.value.webhookURL } },
        "webhook_events": { $0.batch.column { $0.download.shared.value.webhookSet.bits } },
        "state": { $0.batch.column { IntakeColumns.state(of: $0.download).number } },
        "accepted": { $0.batch.column { $0.acceptedAt } },
        "lane_flags": { $0.lanes.map(\.laneFlags.rawValue) },
        "facet": { columns in columns.lanes.map { columns.facets[$0.facet] ?? 0 } },
        "due_bucket": { $0.lanes.map { $0.dueBucket } },
        "begin_bucket": { $0.lanes.map { $0.beginBucket } },
        "complete_by": {
            $0.batch.column { $0.download.shared.value.completeBy }
        },
        "begin_deadline": {
            $0.batch.column { $0.download.shared.value.beginDeadline }
        },
        "wake_until": { $0.batch.column { $0.wakeUntil } },
    ]

    /// The parameters of each idempotency key.
    private static let keys: Parameters<IntakeColumns> = [
        "key_hash": { $0.batch.column { $0.idempotency.map(\.key.hash) } },
        "fingerprint": { $0.batch.column { $0.idempotency.map(\.key.fingerprint) } },
        "status": { $0.batch.column { $0.idempotency.map { Int16($0.answer.status) } } },
        "headers": {
            $0.batch.column {
                $0.idempotency.map { JSONText(JSON.object($0.answer.headers).text) }
            }
        },
        "body": { $0.batch.column { $0.idempotency?.answer.body } },
    ]

    private static let secrets: Parameters<IntakeColumns> = [
        "id": { $0.withSecrets.map(\.download.id) },
        "sealed": { $0.withSecrets.map { $0.sealed ?? [] } },
    ]

    private static func state(of download: Download) -> DownloadState {
        download.state == .suspended ? .suspended : .waiting
    }
}
