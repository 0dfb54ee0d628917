// The engine's changes of a download, made by hand.
import Base
import Downloads
import Postgres
import Testing

extension APIWorld {
    /// Makes a waiting download a succeeded one, with the members that the engine would write.
    func succeed(_ id: String, result: JSONObject) async throws {
        try await end(id, state: .succeeded, result: result)
    }

    /// Makes a waiting download a failed one.
    func fail(_ id: String) async throws {
        try await end(id, state: .failed, result: ["error": ["code": "http_status"]])
    }

    /// Makes a waiting download a running one, with some bytes received.
    func run(_ id: String, bytes: Int64) async throws {
        let name = try #require(Identifier(id, kind: .download)).hexadecimal
        _ = try await pool.query(
            """
            UPDATE queue SET state = 1, replica_no = 1, fence = 1, attempt = 1, bytes = $2,
                claimed_at = now(), sequence = sequence + 1
            WHERE id = ($1::text)::uuid
            """, [name, bytes])
    }

    private func end(_ id: String, state: DownloadState, result: JSONObject) async throws {
        let name = try #require(Identifier(id, kind: .download)).hexadecimal
        _ = try await pool.query(
            """
            SELECT lull_keep_results(ARRAY[ROW(($1::text)::uuid, now(), now(), 0, 7, 1, 3,
                $2::smallint, $3::jsonb, d.app_no)::download_results])
            FROM download_requests d WHERE d.id = ($1::text)::uuid
            """, [name, state.number, JSONText(JSON.object(result).text)])
        _ = try await pool.query(
            """
            WITH ended AS (DELETE FROM queue WHERE id = ($1::text)::uuid RETURNING app_no)
            INSERT INTO queued_counts (app_no, change) SELECT app_no, -1 FROM ended
            """, [name])
    }
}
