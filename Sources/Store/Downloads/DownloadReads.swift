// Joins concurrent reads: those asked while a statement is in progress share the next one.
internal import Base
internal import Postgres

/// Finds downloads by their identifiers; a result was read after the call.
final class DownloadReads: Sendable {
    struct Key: Hashable, Sendable {
        let id: Identifier
        let app: Int64
    }

    /// The row of a result that answers a question.
    struct Place: Sendable {
        let rows: Rows
        let row: Int
    }

    typealias Found = Result<Place?, StoreError>

    /// Asks for one download.
    let questions: Coalescer<Key, Found>

    /// Creates reads over a pool, with a number of concurrent statements.
    init(pool: ConnectionPool, readers: Int = 2) {
        var limits = Coalescer<Key, Found>.Limits()
        limits.statements = readers
        questions = Coalescer(limits) { await DownloadReads.find($0, in: pool) }
    }

    /// The answers to questions, in their order.
    private static func find(_ keys: [Key], in pool: ConnectionPool) async -> [Found] {
        do throws(StoreError) {
            var found = [Found](repeating: .success(nil), count: keys.count)
            let rows = try await sorting { () throws(PostgresError) in
                if keys.count == 1 {
                    // A single question needs no join with a list, which the server would plan each
                    // time.
                    return try await pool.query(
                        Downloads.findStatement, [keys[0].id, keys[0].app])
                }
                return try await pool.query(
                    DownloadReads.statement, [keys.map(\.id), keys.map(\.app)])
            }
            for row in rows.indices {
                let question = keys.count == 1 ? 0 : try question(rows[row])
                found[question] = .success(Place(rows: rows, row: row))
            }
            return found
        } catch {
            return keys.map { _ in .failure(error) }
        }
    }

    /// The index of the question that a row answers.
    private static func question(_ row: Row) throws(StoreError) -> Int {
        do throws(PostgresError) {
            return try row.behind(DownloadColumn.self).only(as: Int.self) - 1
        } catch {
            throw StoreError(error)
        }
    }

    /// LIMIT keeps the planner from joining whole tables for a few keys.
    private static let statement = """
        SELECT f.*, u.place FROM unnest($1::uuid[], $2::bigint[]) WITH ORDINALITY u(id, app, place)
        CROSS JOIN LATERAL (
            SELECT \(DownloadRecord.columns) FROM \(DownloadRecord.tables)
            WHERE d.id = u.id AND d.app_no = u.app LIMIT 1) f
        """
}
