// Content in object stores: the objects of released content, and the uploads that rows name.
package import Base
internal import Postgres

extension Contents {
    /// The content in a store that was released, in the order of the downloads.
    ///
    /// - Parameters:
    ///   - store: `ObjectStore.identifier`.
    ///   - after: only content of downloads behind this one.
    ///   - limit: at most so many.
    /// - Returns: the content; none behind the last.
    /// - Throws: `unavailable` or `refused`.
    package func releasedObjects(
        in store: Identifier, after: Identifier?, limit: Int
    ) async throws(StoreError) -> [ReleasedObject] {
        try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT c.id, c.object_path IS NULL
                        AND coalesce(d.spec->'destination'->>'keep', 'true') <> 'false',
                    coalesce(c.object_path, r.result->'content'->'destination'->>'path')
                FROM contents c LEFT JOIN download_requests d ON d.id = c.id
                    LEFT JOIN download_results r ON r.id = c.id
                WHERE c.instance = $1 AND c.phase = lull_content_phase('released')
                    AND ($3::uuid IS NULL OR c.id > $3)
                ORDER BY c.id LIMIT $2
                """, [store, Int64(limit), after])
            var list: [ReleasedObject] = []
            for row in rows {
                let (id, isKept, path): (Identifier, Bool, String?) = try row.values()
                list.append(ReleasedObject(id: id, isKept: isKept, path: path))
            }
            return list
        }
    }

    /// Which of these uploads a row names, so that an attempt may go on with them.
    ///
    /// - Parameter ids: identifiers of uploads at their stores.
    /// - Returns: those that are named.
    /// - Throws: `unavailable` or `refused`.
    package func namedUploads(among ids: [String]) async throws(StoreError) -> Set<String> {
        guard !ids.isEmpty else { return [] }
        return try await sorting { () throws(PostgresError) in
            let rows = try await pool.query(
                """
                SELECT q.resume->'upload'->>'id' FROM queue q
                WHERE q.resume->'upload'->>'id' = ANY ($1)
                UNION ALL
                SELECT k.resume->'upload'->>'id' FROM kept_parts k
                WHERE k.resume->'upload'->>'id' = ANY ($1)
                """, [ids])
            return Set(try rows.column(as: String.self))
        }
    }
}
