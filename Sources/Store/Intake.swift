// Concurrent creates share a commit: whatever came while the last one was under way goes together.
package import Core
package import Postgres

/// Takes new downloads in; each caller goes on after the commit that holds its download.
package actor Intake {
    private struct KeyName: Hashable {
        let app: Int64
        let hash: Identifier
    }

    private struct Entry {
        let new: NewDownload
        let done: CheckedContinuation<Result<Timestamp?, StoreError>, Never>
    }

    /// At most so many wait for a commit; more are refused.
    package static let pendingAtMost = 8192
    private static let batchAtMost = 256

    private let pool: ConnectionPool
    private let writersAtMost: Int
    private var pending: [Entry] = []
    private var writers = 0
    /// The keys of what waits for its commit, and the requests that they were sent with.
    private var keysUnderWay: [KeyName: Identifier] = [:]
    private var knownOrigins: Set<Int64> = []
    private var knownSessions: Set<Int64> = []

    /// Creates an intake over a pool.
    ///
    /// - Parameters:
    ///   - pool: where its statements run.
    ///   - writers: how many commits may be under way at once.
    package init(pool: ConnectionPool, writers: Int = 2) {
        self.pool = pool
        writersAtMost = writers
    }

    /// Stores a download.
    ///
    /// - Returns: when it was accepted, by the database's clock, after a durable commit.
    /// - Throws: `overloaded` above the bound, `unavailable`, or `refused` for this one alone.
    package func submit(_ new: NewDownload) async throws(StoreError) -> Timestamp {
        var plain = new
        plain.once = nil
        guard let accepted = try await enqueue(plain) else {
            preconditionFailure("only a key can be taken")
        }
        return accepted
    }

    /// Stores a download together with the key of its request, unless the key is taken.
    ///
    /// - Parameters:
    ///   - new: the download; `acceptedAt` should be what the answer says.
    ///   - once: the key, and the answer that it stands for from now on.
    /// - Returns: `mine` after a durable commit, or what is known of the key.
    /// - Throws: as `submit(_:)`.
    package func submit(
        _ new: NewDownload, once: KeyedAnswer
    ) async throws(StoreError) -> KeyClaim {
        precondition(once.key.app == new.app, "a key belongs to the app of its download")
        let name = KeyName(app: once.key.app, hash: once.key.hash)
        if let fingerprint = keysUnderWay[name] {
            return fingerprint == once.key.fingerprint ? .inProgress : .reused
        }
        keysUnderWay[name] = once.key.fingerprint
        defer { keysUnderWay[name] = nil }
        var keyed = new
        keyed.once = once
        if try await enqueue(keyed) != nil { return .mine }
        return try await IdempotencyKeys(pool: pool).find(once.key) ?? .inProgress
    }

    /// - Returns: nil if the key is taken.
    private func enqueue(_ new: NewDownload) async throws(StoreError) -> Timestamp? {
        guard pending.count < Intake.pendingAtMost else {
            throw StoreError(.overloaded, "\(pending.count) creates wait for their commit")
        }
        let result = await withCheckedContinuation { done in
            pending.append(Entry(new: new, done: done))
            if writers < writersAtMost {
                writers += 1
                Task { await self.write() }
            }
        }
        return try result.get()
    }

    private func write() async {
        while !pending.isEmpty {
            let batch = Array(pending.prefix(Intake.batchAtMost))
            pending.removeFirst(batch.count)
            await store(batch)
        }
        writers -= 1
    }

    private func store(_ batch: [Entry]) async {
        do throws(StoreError) {
            try await ensureGates(for: batch.map(\.new))
            let (accepted, taken) = try await insert(batch.map(\.new))
            for entry in batch {
                let isTaken = taken.contains(entry.new.download.id)
                entry.done.resume(returning: .success(isTaken ? nil : accepted))
            }
        } catch {
            // One value that the database refuses fails alone: halve until it stands by itself.
            if error.code == .refused, batch.count > 1 {
                let middle = batch.count / 2
                await store(Array(batch[..<middle]))
                await store(Array(batch[middle...]))
                return
            }
            for entry in batch { entry.done.resume(returning: .failure(error)) }
        }
    }

    /// Gates stand before the first download that passes them, so that a claim only updates.
    private func ensureGates(for batch: [NewDownload]) async throws(StoreError) {
        var origins: [Int64: String] = [:]
        var sessions: Set<Int64> = []
        for new in batch {
            let key = new.originKey
            if !knownOrigins.contains(key) { origins[key] = new.origin }
            if !knownSessions.contains(new.sessionKey) { sessions.insert(new.sessionKey) }
        }
        guard !origins.isEmpty || !sessions.isEmpty else { return }
        let keys = origins.keys.sorted()
        let names = keys.map { origins[$0] ?? "" }
        let sessionKeys = sessions.sorted()
        try await sorting { () throws(PostgresError) in
            _ = try await pool.query(
                """
                WITH o AS (SELECT * FROM unnest($1::bigint[], $2::text[]) u(key, origin)),
                a AS (
                    INSERT INTO origins SELECT key, origin FROM o ORDER BY key
                    ON CONFLICT DO NOTHING)
                INSERT INTO gates (kind, key) SELECT 1, key FROM o
                UNION ALL SELECT 2, s FROM unnest($3::bigint[]) s ORDER BY 1, 2
                ON CONFLICT DO NOTHING
                """, [keys, names, sessionKeys])
        }
        if knownOrigins.count > 100_000 { knownOrigins = [] }
        if knownSessions.count > 100_000 { knownSessions = [] }
        knownOrigins.formUnion(keys)
        knownSessions.formUnion(sessionKeys)
    }

    private func insert(
        _ batch: [NewDownload]
    ) async throws(StoreError) -> (accepted: Timestamp, taken: Set<Identifier>) {
        let parameters = IntakeColumns(batch).parameters
        return try await sorting { () throws(PostgresError) in
            let row = try await pool.query(IntakeColumns.statement, parameters)[0]
            return (
                try row.get(0, as: TimestampValue.self).timestamp,
                Set(try row.get(1, as: [UUIDValue].self).map(\.identifier))
            )
        }
    }
}
