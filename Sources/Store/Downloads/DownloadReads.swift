// Concurrent reads share a round trip: whatever was asked while the last one was under way.
internal import Core
internal import Postgres
internal import Synchronization

/// Finds downloads by their identifiers; a result was read after the call.
///
/// Not an actor: each question would pay a thread hop to put itself into a list.
final class DownloadReads: Sendable {
    struct Key: Hashable, Sendable {
        let id: Identifier
        let app: Int64
    }

    private typealias Found = Result<DownloadRecord?, StoreError>

    private struct Entry: Sendable {
        let key: Key
        let done: CheckedContinuation<Found, Never>
    }

    private struct State {
        var pending: [Entry] = []
        var readers = 0
    }

    /// At most so many wait for an answer; more are refused.
    static let pendingAtMost = 8192
    private static let batchAtMost = 64

    private let pool: ConnectionPool
    private let readersAtMost: Int
    private let state = Mutex(State())

    /// Reads over a pool, with so many statements under way at once.
    init(pool: ConnectionPool, readers: Int = 2) {
        self.pool = pool
        readersAtMost = readers
    }

    /// One download, or nil if the app has none of that name.
    ///
    /// - Throws: `overloaded` above the bound, `unavailable` or `refused`.
    func find(_ key: Key) async throws(StoreError) -> DownloadRecord? {
        let result = await withCheckedContinuation { done in
            switch enter(Entry(key: key, done: done)) {
            case .waits: break
            // Not in the task that asks: its end must not end the others' question.
            case .needsReader: Task { @concurrent in await self.read() }
            case .isFull:
                let error = StoreError(.overloaded, "\(DownloadReads.pendingAtMost) reads wait")
                done.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    private enum Entering { case waits, needsReader, isFull }

    private func enter(_ entry: Entry) -> Entering {
        state.withLock { state in
            guard state.pending.count < DownloadReads.pendingAtMost else { return .isFull }
            state.pending.append(entry)
            // A second statement beside the first would only halve both batches, unless one
            // batch cannot hold all that waits.
            let isShort = state.readers == 0 || state.pending.count > DownloadReads.batchAtMost
            guard isShort, state.readers < readersAtMost else { return .waits }
            state.readers += 1
            return .needsReader
        }
    }

    private func read() async {
        while let batch = nextBatch() {
            for (entry, found) in zip(batch, await find(batch.map(\.key))) {
                entry.done.resume(returning: found)
            }
        }
    }

    /// What was asked since; nil ends the reader, in the same moment in which nothing waits.
    private func nextBatch() -> [Entry]? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.readers -= 1
                return nil
            }
            let batch = Array(state.pending.prefix(DownloadReads.batchAtMost))
            state.pending.removeFirst(batch.count)
            return batch
        }
    }

    /// What became of each question, in their order.
    private func find(_ keys: [Key]) async -> [Found] {
        do throws(StoreError) {
            var found = [Found](repeating: .success(nil), count: keys.count)
            let rows = try await sorting { () throws(PostgresError) in
                if keys.count == 1 {
                    // Alone it needs no join with a list, which the server would plan each time.
                    return try await pool.query(
                        Downloads.findStatement, [UUIDValue(keys[0].id), keys[0].app])
                }
                return try await pool.query(
                    DownloadReads.statement, [keys.map { UUIDValue($0.id) }, keys.map(\.app)])
            }
            for row in rows {
                let place = keys.count == 1 ? 0 : try place(row, rows)
                found[place] = DownloadReads.record(row)
            }
            return found
        } catch {
            return keys.map { _ in .failure(error) }
        }
    }

    /// Which question a row answers.
    private func place(_ row: Row, _ rows: Rows) throws(StoreError) -> Int {
        do throws(PostgresError) {
            return Int(try row.get(rows.columns.count - 1, as: Int64.self)) - 1
        } catch {
            throw StoreError(error)
        }
    }

    /// One row that cannot be read fails alone.
    private static func record(_ row: Row) -> Found {
        do throws(PostgresError) {
            return .success(try DownloadRecord(row))
        } catch {
            return .failure(StoreError(error))
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
