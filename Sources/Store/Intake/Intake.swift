// Concurrent creates share a commit: all that arrive during a commit share the next one.
package import Core
internal import Platform
package import Postgres
internal import Synchronization

/// Stores new downloads; each caller continues after the commit of its download.
///
/// Not an actor: a create would pay a thread hop to put itself into a list.
package final class Intake: Sendable {
    private struct KeyName: Hashable {
        let app: Int64
        let hash: Identifier
    }

    private struct Entry: Sendable {
        let new: NewDownload
        let done: CheckedContinuation<Result<Timestamp?, StoreError>, Never>

        var bytes: Int { new.sealed?.count ?? 0 }
    }

    /// At most so many wait for a commit; more are refused.
    package static let pendingAtMost = 8192
    private static let batchAtMost = 256
    /// Bytes of secrets, bodies above all, that wait for a commit or go with one.
    private static let pendingBytesAtMost = 64 << 20
    private static let batchBytesAtMost = 8 << 20
    /// Numbers of origins are asked for again after so many nanoseconds, which marks the origins as
    /// used: those that nothing uses are removed.
    private static let originsKnownFor: Int64 = 3_600_000_000_000

    private let pool: ConnectionPool
    private let facets: FacetBook
    private let writersAtMost: Int
    private let tasks = TaskOwner()
    private let state = Mutex(State())

    private struct State {
        var pending: [Entry] = []
        var pendingBytes = 0
        var writers = 0
        /// The keys of what waits for its commit, and the requests that they were sent with.
        var keysUnderWay: [KeyName: Identifier] = [:]
        var knownOrigins: [String: Int64] = [:]
        /// When the first of them was asked for.
        var originsKnownSince = SystemClock.bootNanoseconds()
        var knownSessions: Set<Int64> = []
    }

    /// The number of an origin, `scheme://host:port`, for which downloads came in lately.
    package func key(ofOrigin origin: String) -> Int64? {
        state.withLock { $0.knownOrigins[origin] }
    }

    /// Creates an intake over a pool.
    ///
    /// - Parameters:
    ///   - pool: where its statements run.
    ///   - facets: what the policy tells apart.
    ///   - writers: how many commits may be under way at once.
    package init(pool: ConnectionPool, facets: FacetBook = FacetBook(), writers: Int = 2) {
        self.facets = facets
        self.pool = pool
        writersAtMost = writers
    }

    /// Stores a download.
    ///
    /// - Returns: when it was accepted, by the database's clock, after a durable commit.
    /// - Throws: `overloaded` above the bound, `unavailable`, or `refused` for this one alone.
    package func submit(_ new: NewDownload) async throws(StoreError) -> Timestamp {
        precondition(new.externalID == nil, "a name may be taken")
        var plain = new
        plain.idempotency = nil
        guard let accepted = try await enqueue(plain) else {
            preconditionFailure("only a key or a name can be taken")
        }
        return accepted
    }

    /// Stores a download together with the key of its request, unless the key or the download's
    /// external id is taken.
    ///
    /// - Parameters:
    ///   - new: the download; `acceptedAt` should be the answer's instant.
    ///   - idempotency: the key, if the request has one, and its answer from now on.
    /// - Returns: `mine` after a durable commit, `named`, or what is known of the key.
    /// - Throws: as `submit(_:)`.
    package func submit(
        _ new: NewDownload, idempotency: KeyedAnswer?
    ) async throws(StoreError) -> KeyClaim {
        guard let idempotency else {
            var plain = new
            plain.idempotency = nil
            return try await enqueue(plain) == nil ? .named : .mine
        }
        precondition(idempotency.key.app == new.app, "a key belongs to the app of its download")
        if let claim = begin(idempotency.key) { return claim }
        defer { end(idempotency.key) }
        var keyed = new
        keyed.idempotency = idempotency
        if try await enqueue(keyed) != nil { return .mine }
        let known = try await IdempotencyKeys(pool: pool).find(idempotency.key)
        return known ?? (new.externalID == nil ? .inProgress : .named)
    }

    /// Stores all of the downloads or, where the key of their request or an external id is taken,
    /// none.
    ///
    /// - Parameters:
    ///   - batch: the downloads, each with its `acceptedAt`.
    ///   - idempotency: the key, if the request has one, and its answer from now on.
    /// - Returns: `mine` after a durable commit, `named`, or what is known of the key.
    /// - Throws: `unavailable`, or `refused` for all of them.
    package func submit(
        batch: [NewDownload], idempotency: KeyedAnswer?
    ) async throws(StoreError) -> KeyClaim {
        if let idempotency, let claim = begin(idempotency.key) { return claim }
        defer { if let idempotency { end(idempotency.key) } }
        let isNamed = batch.contains { $0.externalID != nil }
        guard idempotency != nil || batch.contains(where: \.isApart) else {
            _ = try await withOrigins(of: batch) { origins throws(PostgresError) in
                try await insert(batch, origins)
            }
            return .mine
        }
        let isMine = try await withOrigins(of: batch) { origins throws(PostgresError) in
            let columns = try await columns(batch, origins)
            return try await pool.transaction { transaction throws(PostgresError) in
                let taken = try await ExternalIDs.take(batch, in: transaction)
                guard taken.isEmpty else {
                    try await ExternalIDs.leave(batch.map(\.download.id), in: transaction)
                    return false
                }
                if let idempotency {
                    let isFree = try await IdempotencyKeys.keep(
                        idempotency.key, idempotency.answer, showing: batch.map(\.download.id),
                        in: transaction)
                    guard isFree else {
                        try await ExternalIDs.leave(batch.map(\.download.id), in: transaction)
                        return false
                    }
                }
                let held = try await Flights.hold(batch, in: transaction)
                _ = try await transaction.query(columns.statement, columns.parameters)
                try await Intake.note(batch, in: transaction)
                try await Flights.join(batch, held, in: transaction)
                return true
            }
        }
        guard !isMine else { return .mine }
        guard let idempotency else { return .named }
        let known = try await IdempotencyKeys(pool: pool).find(idempotency.key)
        return known ?? (isNamed ? .named : .inProgress)
    }

    /// Notes that a request with a key is under way; answers what to reply if one is.
    private func begin(_ key: IdempotencyKey) -> KeyClaim? {
        let name = KeyName(app: key.app, hash: key.hash)
        return state.withLock { state in
            if let fingerprint = state.keysUnderWay[name] {
                return fingerprint == key.fingerprint ? .inProgress : .reused
            }
            state.keysUnderWay[name] = key.fingerprint
            return nil
        }
    }

    private func end(_ key: IdempotencyKey) {
        let name = KeyName(app: key.app, hash: key.hash)
        state.withLock { $0.keysUnderWay[name] = nil }
    }

    /// - Returns: nil if the key is taken.
    private func enqueue(_ new: NewDownload) async throws(StoreError) -> Timestamp? {
        let result = await withCheckedContinuation { done in
            switch enter(Entry(new: new, done: done)) {
            case .waits: break
            case .needsWriter: tasks.start { await self.write() }
            case .isFull(let count):
                let error = StoreError(.overloaded, "\(count) creates wait for their commit")
                done.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }

    private enum Entering {
        case waits
        case needsWriter
        case isFull(Int)
    }

    private func enter(_ entry: Entry) -> Entering {
        state.withLock { state in
            let count = state.pending.count
            let bytes = state.pendingBytes + entry.bytes
            guard count < Intake.pendingAtMost, bytes <= Intake.pendingBytesAtMost else {
                return .isFull(count)
            }
            state.pending.append(entry)
            state.pendingBytes = bytes
            // A second commit beside the first would only halve both batches, unless one batch
            // cannot hold all that waits.
            let isShort = state.writers == 0 || count >= Intake.batchAtMost
            guard isShort, state.writers < writersAtMost else { return .waits }
            state.writers += 1
            return .needsWriter
        }
    }

    private func write() async {
        while let batch = nextBatch() { await store(batch) }
    }

    /// What came since; nil ends the writer, in the same moment in which nothing waits.
    private func nextBatch() -> [Entry]? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.writers -= 1
                return nil
            }
            var (count, bytes) = (0, 0)
            for entry in state.pending.prefix(Intake.batchAtMost) {
                guard count == 0 || bytes + entry.bytes <= Intake.batchBytesAtMost else { break }
                count += 1
                bytes += entry.bytes
            }
            let batch = Array(state.pending.prefix(count))
            state.pending.removeFirst(count)
            state.pendingBytes -= bytes
            return batch
        }
    }

    private func store(_ batch: [Entry]) async {
        do throws(StoreError) {
            let downloads = batch.map(\.new)
            let (accepted, taken) = try await withOrigins(of: downloads) {
                origins throws(PostgresError) in
                try await insert(downloads, origins)
            }
            for entry in batch {
                let isTaken = taken.contains(entry.new.download.id)
                entry.done.resume(returning: .success(isTaken ? nil : accepted))
            }
        } catch {
            // One value that the database refuses fails alone: halve until it stands by itself.
            if error.code == .refused || error.code == .sessionClosed, batch.count > 1 {
                let middle = batch.count / 2
                await store(Array(batch[..<middle]))
                await store(Array(batch[middle...]))
                return
            }
            for entry in batch { entry.done.resume(returning: .failure(error)) }
        }
    }

    /// Runs a body with the numbers of the origins of a batch; once more, with numbers that were
    /// asked for anew, if one of those origins has been removed.
    private func withOrigins<Value>(
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

    /// Gates stand before the first download that passes them, so that a claim only updates.
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
            if age > Intake.originsKnownFor {
                state.knownOrigins = [:]
            }
            for new in batch {
                for origin in [new.origin] + new.mirrorOrigins {
                    keys[origin] = state.knownOrigins[origin]
                    if keys[origin] == nil { unknown.insert(origin) }
                }
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

    /// A batch with the lane of each download, whose facet has its number.
    private func columns(
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

    private func insert(
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
        return try Intake.accepted(row, columns)
    }

    /// Writes where downloads go on that are made from resume data.
    private static func note(
        _ batch: [NewDownload], in transaction: Transaction
    ) async throws(PostgresError) {
        for new in batch {
            guard let point = new.resume else { continue }
            _ = try await transaction.query(
                "UPDATE queue SET resume = $2, total_bytes = $3 WHERE id = $1",
                [
                    UUIDValue(new.download.id), JSONText(JSON.object(point.json).text),
                    point.total,
                ])
        }
    }

    private static func accepted(
        _ row: Row, _ columns: IntakeColumns
    ) throws(PostgresError) -> (accepted: Timestamp, taken: Set<Identifier>) {
        let accepted = try row.get(0, as: TimestampValue.self).timestamp
        guard columns.hasKeys else { return (accepted, []) }
        return (accepted, Set(try row.get(1, as: [UUIDValue].self).map(\.identifier)))
    }

    /// Stores a batch of which some have external ids or bytes to go on with, without those whose
    /// id is taken: the ids first and the bytes last, in statements of their own.
    private func insertApart(
        _ batch: [NewDownload], _ columns: IntakeColumns
    ) async throws(PostgresError) -> (accepted: Timestamp, taken: Set<Identifier>) {
        try await pool.transaction { transaction throws(PostgresError) in
            let named = try await ExternalIDs.take(batch, in: transaction)
            let rest = columns.leaving(out: named)
            guard !rest.isEmpty else { return (Timestamp.epoch, named) }
            let held = try await Flights.hold(batch, in: transaction)
            let row = try await transaction.query(rest.statement, rest.parameters)[0]
            let (accepted, keyed) = try Intake.accepted(row, rest)
            try await ExternalIDs.leave(Array(keyed), in: transaction)
            try await Intake.note(batch, in: transaction)
            try await Flights.join(batch, held, in: transaction)
            return (accepted, named.union(keyed))
        }
    }

    /// The outcome of a batch whose answer was lost; nil if it was not committed.
    ///
    /// It is one statement: where one download is there, those that are not were left out.
    private func committed(
        _ batch: [NewDownload]
    ) async throws(PostgresError) -> (accepted: Timestamp, taken: Set<Identifier>)? {
        let rows = try await pool.query(
            "SELECT id, created_at FROM downloads WHERE id = ANY ($1)",
            [batch.map { UUIDValue($0.download.id) }])
        guard let first = rows.first else { return nil }
        var missing = Set(batch.map(\.download.id))
        for row in rows { missing.remove(try row.get(0, as: UUIDValue.self).identifier) }
        return (try first.get(1, as: TimestampValue.self).timestamp, missing)
    }
}
