// The external ids of downloads, each once in its session.
internal import Base
internal import Downloads
internal import Postgres

/// Takes and frees external ids in the transaction that stores or deletes their downloads.
enum ExternalIDs {
    /// Takes the external ids of new downloads in order, so that two batches cannot wait for each
    /// other.
    ///
    /// - Returns: the downloads whose external id belongs to another one.
    static func take(
        _ batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) -> Set<Identifier> {
        let named = batch.filter { $0.externalID != nil }
        guard !named.isEmpty else { return [] }
        let rows = try await transaction.query(
            """
            WITH given AS MATERIALIZED (
                SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::text[])
                    u(id, app_no, session_no, external_id)),
            new_names AS (
                INSERT INTO external_ids (app_no, session_no, external_id, id)
                SELECT app_no, session_no, external_id, id FROM given
                ORDER BY app_no, external_id, session_no, id
                ON CONFLICT DO NOTHING RETURNING id)
            SELECT id FROM given WHERE id NOT IN (SELECT id FROM new_names)
            """,
            [
                named.map(\.download.id), named.map(\.app),
                named.map(\.sessionKey), named.map { $0.externalID ?? "" },
            ])
        return Set(try rows.column())
    }

    /// Frees the external ids of downloads that are not stored.
    static func leave(
        _ ids: [Identifier], in transaction: Transaction
    ) async throws(PostgresError) {
        guard !ids.isEmpty else { return }
        _ = try await transaction.query(
            "DELETE FROM external_ids WHERE id = ANY ($1)", [ids])
    }
}
