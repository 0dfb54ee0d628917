// Concurrent creates share a commit: all that arrive during a commit share the next one.
package import Base
internal import Platform
package import Postgres
internal import Synchronization

/// Stores new downloads; each caller continues after the commit of its download.
///
/// Not an actor, because a create would pay a change of thread to enter a list.
package final class Intake: Sendable {
    private struct KeyName: Hashable {
        let app: Int64
        let hash: Identifier
    }

    /// The most downloads that wait for a commit; further ones are refused.
    package static let pendingAtMost = 8192
    private static let batchAtMost = 256
    /// The most bytes of secrets, mostly bodies, that wait for a commit or are part of one.
    private static let pendingBytesAtMost = 64 << 20
    private static let batchBytesAtMost = 8 << 20

    private let pool: ConnectionPool
    private let writer: IntakeWriter
    private let creates: Coalescer<NewDownload, Result<Timestamp?, StoreError>>
    /// The keys of the requests that wait for their commit.
    private let keysUnderWay = Mutex<[KeyName: Identifier]>([:])

    /// The number of an origin, `scheme://host:port`, of which downloads were created lately.
    package func key(ofOrigin origin: String) -> Int64? { writer.key(ofOrigin: origin) }

    /// Creates an intake over a pool.
    ///
    /// - Parameters:
    ///   - pool: where its statements run.
    ///   - facets: what the policy tells apart.
    ///   - writers: how many commits may be under way at once.
    package init(pool: ConnectionPool, facets: FacetBook = FacetBook(), writers: Int = 2) {
        self.pool = pool
        let writer = IntakeWriter(pool: pool, facets: facets)
        self.writer = writer
        creates = Coalescer(
            Coalescer.Limits(
                pending: Intake.pendingAtMost, batch: Intake.batchAtMost, statements: writers,
                pendingWeight: Intake.pendingBytesAtMost, batchWeight: Intake.batchBytesAtMost),
            weight: { $0.sealed?.count ?? 0 }, answers: { await writer.store($0) })
    }

    /// Stores a download.
    ///
    /// - Returns: when it was accepted, by the database's clock, after a durable commit.
    /// - Throws: `overloaded` above the bound, `unavailable`, or `refused` for this one alone.
    package func submit(_ new: NewDownload) async throws(StoreError) -> Timestamp {
        precondition(new.externalID == nil, "a name may be taken")
        precondition(new.replaces == nil, "only a transaction replaces")
        guard let accepted = try await enqueue(new) else {
            preconditionFailure("only a key or a name can be taken")
        }
        return accepted
    }

    /// Stores a download with the key of its request, unless the key or the download's external id
    /// is taken.
    ///
    /// - Parameters:
    ///   - new: the download; `acceptedAt` should be the answer's instant.
    ///   - idempotency: the key, if the request has one, and its answer from now on.
    /// - Returns: `mine` after a durable commit, `named`, or what is known of the key.
    /// - Throws: as `submit(_:)`.
    package func submit(
        _ new: NewDownload, idempotency: KeyedAnswer?
    ) async throws(StoreError) -> KeyClaim {
        precondition(new.replaces == nil, "only a transaction replaces")
        guard let idempotency else {
            return try await enqueue(new) == nil ? .named : .mine
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

    /// Stores all downloads or, if the key of their request or an external id is taken, none.
    ///
    /// - Parameters:
    ///   - batch: the downloads, each with its `acceptedAt`.
    ///   - idempotency: the key, if the request has one, and its answer from now on.
    /// - Returns: `mine` after a durable commit, `named`, or what is known of the key.
    /// - Throws: `unavailable`, or `refused` for all of them.
    package func submit(
        batch: [NewDownload], idempotency: KeyedAnswer?
    ) async throws(StoreError) -> KeyClaim {
        try await replace(with: batch, idempotency: idempotency).claim
    }

    /// As `submit(batch:idempotency:)`, for downloads of which some replace live ones, which are
    /// canceled in the same commit.
    ///
    /// - Returns: the claim, and the canceled downloads, of which some may still run.
    /// - Throws: `unavailable`, or `refused` for all of them.
    package func replace(
        with batch: [NewDownload], idempotency: KeyedAnswer?
    ) async throws(StoreError) -> (claim: KeyClaim, replaced: [ActionOutcome]) {
        if let idempotency, let claim = begin(idempotency.key) { return (claim, []) }
        defer { if let idempotency { end(idempotency.key) } }
        if let replaced = try await writer.storeAll(batch, idempotency: idempotency) {
            return (.mine, replaced)
        }
        guard let idempotency else { return (.named, []) }
        let known = try await IdempotencyKeys(pool: pool).find(idempotency.key)
        let isNamed = batch.contains { $0.externalID != nil }
        return (known ?? (isNamed ? .named : .inProgress), [])
    }

    /// Notes that a request with a key is in progress; returns the reply if one is already.
    private func begin(_ key: IdempotencyKey) -> KeyClaim? {
        let name = KeyName(app: key.app, hash: key.hash)
        return keysUnderWay.withLock { keys in
            if let fingerprint = keys[name] {
                return fingerprint == key.fingerprint ? .inProgress : .reused
            }
            keys[name] = key.fingerprint
            return nil
        }
    }

    private func end(_ key: IdempotencyKey) {
        let name = KeyName(app: key.app, hash: key.hash)
        keysUnderWay.withLock { $0[name] = nil }
    }

    /// - Returns: nil if the key is taken.
    private func enqueue(_ new: NewDownload) async throws(StoreError) -> Timestamp? {
        guard let result = await creates.ask(new) else {
            throw StoreError(.overloaded, "too many creates wait for their commit")
        }
        return try result.get()
    }
}
