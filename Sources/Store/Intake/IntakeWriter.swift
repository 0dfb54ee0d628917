// The statements that store new downloads, with the gates that they need.
internal import Base
internal import Downloads
internal import Platform
internal import Postgres
internal import Scheduling
internal import Synchronization

/// Stores batches of downloads, each in a statement or a transaction.
final class IntakeWriter: Sendable {
    /// Nanoseconds after which numbers of origins are read again, which marks the origins as used:
    /// unused ones are removed.
    private static let originsKnownFor: Int64 = 3_600_000_000_000

    let pool: ConnectionPool
    let facets: FacetBook
    private let state = Mutex(State())

    private struct State {
        var knownOrigins: [String: Int64] = [:]
        /// The time at which the first of these numbers was read.
        var originsKnownSince = SystemClock.bootNanoseconds()
        var knownSessions: Set<Int64> = []
    }

    /// - Parameters:
    ///   - pool: where its statements run.
    ///   - facets: what the policy tells apart.
    init(pool: ConnectionPool, facets: FacetBook) {
        self.pool = pool
        self.facets = facets
    }

    /// The number of an origin, `scheme://host:port`, of which downloads were created lately.
    func key(ofOrigin origin: String) -> Int64? { state.withLock { $0.knownOrigins[origin] } }

    /// Stores downloads that do not depend on each other.
    ///
    /// - Returns: for each when it was accepted, nil if its key or its external id is taken, or why
    ///   it was not stored.
    func store(_ batch: [NewDownload]) async -> [Result<Timestamp?, StoreError>] {
        do throws(StoreError) {
            let (accepted, taken) = try await withOrigins(of: batch) {
                origins throws(PostgresError) in
                try await insert(batch, origins)
            }
            return batch.map { .success(taken.contains($0.download.id) ? nil : accepted) }
        } catch {
            // To find a value that the database refuses, the batch is halved until that download is
            // alone and fails.
            if error.isOfOneAlone, batch.count > 1 {
                let middle = batch.count / 2
                return await store(Array(batch[..<middle])) + store(Array(batch[middle...]))
            }
            return batch.map { _ in .failure(error) }
        }
    }

    /// Runs a closure with the numbers of a batch's origins; if one of these origins was removed,
    /// once more with numbers that are read anew.
    func withOrigins<Value>(
        of batch: [NewDownload], _ body: ([String: Int64]) async throws(PostgresError) -> Value
    ) async throws(StoreError) -> Value {
        try await sorting { () throws(PostgresError) in
            let origins = try await ensureGates(for: batch)
            do throws(PostgresError) {
                return try await body(origins)
            } catch {
                guard error.isRemovedOrigin else { throw error }
                state.withLock { state in
                    for name in origins.keys { state.knownOrigins[name] = nil }
                }
            }
            return try await body(try await ensureGates(for: batch))
        }
    }

    /// Creates gates before the first download that passes them, so that a claim only updates.
    ///
    /// - Returns: the keys of all origins, by name.
    private func ensureGates(
        for batch: [NewDownload]
    ) async throws(PostgresError) -> [String: Int64] {
        var keys: [String: Int64] = [:]
        var unknown: Set<String> = []
        var sessions: Set<Int64> = []
        state.withLock { state in
            let age = SystemClock.bootNanoseconds() - state.originsKnownSince
            if age > IntakeWriter.originsKnownFor {
                state.knownOrigins = [:]
            }
            func look(up origin: String) {
                guard let key = state.knownOrigins[origin] else {
                    unknown.insert(origin)
                    return
                }
                keys.updateValue(key, forKey: origin)
            }
            for new in batch {
                look(up: new.origin)
                for origin in new.mirrorOrigins { look(up: origin) }
                if !state.knownSessions.contains(new.sessionKey) {
                    sessions.insert(new.sessionKey)
                }
            }
        }
        guard !unknown.isEmpty || !sessions.isEmpty else { return keys }
        let sessionKeys = sessions.sorted()
        let fresh = try await Downloads.ensureGates(
            origins: unknown.sorted(), sessions: sessionKeys, pool)
        state.withLock { state in
            if state.knownOrigins.count > 100_000 { state.knownOrigins = [:] }
            if state.knownOrigins.isEmpty {
                state.originsKnownSince = SystemClock.bootNanoseconds()
            }
            if state.knownSessions.count > 100_000 { state.knownSessions = [] }
            state.knownOrigins.merge(fresh) { $1 }
            state.knownSessions.formUnion(sessionKeys)
        }
        return keys.merging(fresh) { $1 }
    }

    /// The columns of a batch with the lane of each download, whose facet has its number.
    func columns(
        _ batch: [NewDownload], _ origins: [String: Int64]
    ) async throws(PostgresError) -> IntakeColumns {
        let scheme = facets.scheme
        let lanes = batch.map { new in
            guard let key = origins[new.origin] else {
                preconditionFailure("an origin has its key before its download comes in")
            }
            return new.lane(origin: key, facets: scheme)
        }
        guard !scheme.isEmpty else { return IntakeColumns(batch, lanes: lanes) }
        let numbers = try await facets.numbers(of: Set(lanes.map(\.facet)), pool)
        return IntakeColumns(batch, lanes: lanes, facets: numbers)
    }

    func insert(
        _ batch: [NewDownload], _ origins: [String: Int64]
    ) async throws(PostgresError) -> (accepted: Timestamp, taken: Set<Identifier>) {
        let columns = try await columns(batch, origins)
        let isApart = batch.contains(where: \.isApart)
        let row: Row
        do throws(PostgresError) {
            if isApart { return try await insertApart(batch, columns) }
            row = try await pool.query(columns.statement, columns.parameters)[0]
        } catch {
            guard error.code == .outcomeUnknown,
                let known = try await committed(batch)
            else { throw error }
            return known
        }
        return try IntakeWriter.accepted(row, columns)
    }

    /// Takes the locks of the apps' queues first, as a retry does; rows of leaders are locked after
    /// them.
    static func holdRoom(
        for batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) {
        _ = try await transaction.query(
            "SELECT count(*) FROM lull_queue_room($1)", [Set(batch.map(\.app)).sorted()])
    }

    /// Checks that the uploads of a batch keep to the limits on the bytes of their apps' uploads.
    private static func holdStagingRoom(
        for batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) {
        let uploads = batch.filter { $0.download.id.isUpload }
        guard !uploads.isEmpty else { return }
        _ = try await transaction.query(
            "SELECT lull_admit_uploads($1, $2)",
            [
                uploads.map(\.app),
                uploads.map { $0.download.shared.value.upload?.length ?? 0 },
            ])
    }

    /// Writes the resume points of downloads that are made from resume data.
    static func note(
        _ batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) {
        for new in batch {
            guard let point = new.resume else { continue }
            _ = try await transaction.query(
                "UPDATE queue SET resume = $2, total_bytes = $3 WHERE id = $1",
                [
                    new.download.id, JSONText(JSON.object(point.json).text),
                    point.total,
                ])
        }
    }

    private static func accepted(
        _ row: Row, _ columns: IntakeColumns
    ) throws(PostgresError) -> (accepted: Timestamp, taken: Set<Identifier>) {
        guard columns.hasKeys else { return (try row.only(), []) }
        let (accepted, taken): (Timestamp, [Identifier]) = try row.values()
        return (accepted, Set(taken))
    }

    /// Stores a batch in which some downloads have external ids or resume points, or belong to
    /// sources, without those whose id or key is taken or whose source has moved on: ids, sources
    /// and keys first and the resume points last, in statements of their own.
    private func insertApart(
        _ batch: [NewDownload], _ columns: IntakeColumns
    ) async throws(PostgresError) -> (accepted: Timestamp, taken: Set<Identifier>) {
        try await pool.transaction { transaction throws(PostgresError) in
            try await IntakeWriter.holdRoom(for: batch, in: transaction)
            let named = try await ExternalIDs.take(batch, in: transaction)
                .union(try await Sources.take(batch, in: transaction))
                .union(try await Sources.takeItems(batch, in: transaction))
            let rest = columns.leaving(out: named)
            guard !rest.isEmpty else { return (Timestamp.epoch, named) }
            let fresh = batch.filter { !named.contains($0.download.id) }
            try await IntakeWriter.holdStagingRoom(for: fresh, in: transaction)
            let held = try await Flights.hold(batch, in: transaction)
            let row = try await transaction.query(rest.statement, rest.parameters)[0]
            let (accepted, keyed) = try IntakeWriter.accepted(row, rest)
            try await ExternalIDs.leave(Array(keyed), in: transaction)
            try await IntakeWriter.note(batch, in: transaction)
            try await Flights.join(batch, held, in: transaction)
            return (accepted, named.union(keyed))
        }
    }

    /// The outcome of a batch whose answer was lost; nil if it was not committed.
    ///
    /// It is one statement: if one download is stored, missing ones were left out.
    private func committed(
        _ batch: [NewDownload]
    ) async throws(PostgresError) -> (accepted: Timestamp, taken: Set<Identifier>)? {
        let rows = try await pool.query(
            "SELECT id, created_at FROM download_requests WHERE id = ANY ($1)",
            [batch.map(\.download.id)])
        guard let first = rows.first else { return nil }
        var missing = Set(batch.map(\.download.id))
        for row in rows { missing.remove(try row.only()) }
        let (_, accepted): (Identifier, Timestamp) = try first.values()
        return (accepted, missing)
    }
}
