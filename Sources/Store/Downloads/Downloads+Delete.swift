// Deletes a download with its attempts, deliveries and stored answers.
internal import Base
internal import Postgres

extension Downloads {
    /// Deletes a download that has ended.
    ///
    /// Its events stay in the journal with its id only; its unsent webhooks are still sent
    /// completely, and then erased. Attempts, the visible data of ended deliveries, and the bodies
    /// of stored answers are deleted. Its file is removed by the replica that has it, and an object
    /// that its client does not keep by any replica with the store.
    static func delete(_ id: Identifier, in transaction: Transaction) async throws(PostgresError) {
        try await keepUnsentData(of: id, in: transaction)
        _ = try await transaction.query(
            """
            WITH gone AS (
                DELETE FROM download_requests WHERE id = $1
                RETURNING id, spec->'destination'->>'keep' = 'false' AS has_doomed_file),
            gone_results AS (
                DELETE FROM download_results WHERE id = $1
                RETURNING result->'content'->'destination'->>'path' AS path),
            erased_events AS (
                UPDATE events SET payload = NULL WHERE download_id = $1 AND payload IS NOT NULL),
            gone_attempts AS (DELETE FROM attempts WHERE id = $1),
            gone_part AS (
                UPDATE kept_parts SET ended_at = '-infinity', retention = 0 WHERE id = $1),
            gone_secrets AS (DELETE FROM download_secrets WHERE id = $1),
            gone_names AS (DELETE FROM external_ids WHERE id = $1),
            ended_deliveries AS (
                UPDATE deliveries SET url = NULL, last_error = NULL, tries = NULL
                WHERE download_id = $1 AND state >= lull_delivery_state('succeeded')),
            unsent_deliveries AS (
                UPDATE deliveries SET last_error = NULL
                WHERE download_id = $1 AND state < lull_delivery_state('succeeded'))
            UPDATE contents c SET phase = lull_content_phase('released'),
                object_path = CASE WHEN gone.has_doomed_file THEN r.path END
            FROM gone LEFT JOIN gone_results r ON true
            WHERE c.id = gone.id
            """, [id])
        try await eraseAnswers(showing: id, in: transaction)
    }

    /// Stored answers of idempotency keys keep the ids of the downloads in them.
    private static func eraseAnswers(
        showing id: Identifier, in transaction: Transaction
    ) async throws(PostgresError) {
        let keys = try await transaction.query(
            """
            SELECT app_no, key_hash, download_ids FROM idempotency_keys
            WHERE download_id = $1 OR download_ids @> ARRAY[$1::uuid]
            ORDER BY app_no, key_hash FOR UPDATE
            """, [id])
        for key in keys {
            let (app, hash, others): (Int64, Identifier, [Identifier]?) = try key.values()
            let left: JSONObject =
                if let others {
                    ["data": .array(others.map { .object(stub($0)) })]
                } else {
                    stub(id)
                }
            _ = try await transaction.query(
                """
                UPDATE idempotency_keys SET body = $3, download_id = NULL, download_ids = NULL
                WHERE app_no = $1 AND key_hash = $2
                """, [app, hash, JSON.object(left).text])
        }
    }

    private static func stub(_ id: Identifier) -> JSONObject {
        ["id": .string(id.text)]
    }
}
