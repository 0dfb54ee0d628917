// One replica's process without its API, for tests of the whole worker.
import Base
import Content
import Crypto
import Downloads
import Places
import Platform
import Postgres
import Scheduling
import Store
import Support
import Testing
import Transfers

@testable import Worker

/// One replica's process without its API.
final class Replica: Sendable {
    static let box = SecretBox(keys: [Array(repeating: 7, count: 32)])

    let lab: WorkerLab
    let pool: ConnectionPool
    let changes = ChangeHub()
    let downloads: Downloads
    let intake: Intake
    let worker: DownloadWorker
    let url: String
    let ledger: Ledger
    /// The identity under which the replica is registered at the moment.
    let registration = Registration()
    private let isRunning: Bool

    init(
        _ lab: WorkerLab, url: String, options: ConnectionOptions = ConnectionOptions(),
        isRunning: Bool, sendsFiles: Bool = false, change: (inout WorkerSettings) -> Void
    ) async throws {
        self.lab = lab
        self.url = url
        self.isRunning = isRunning
        let pool = ConnectionPool(url: url, size: 4, options: options, limits: .patient)
        self.pool = pool
        let changes = changes
        downloads = Downloads(pool: pool, changes: changes)
        intake = Intake(pool: pool)
        var settings = WorkerSettings(
            slots: 8, lease: .seconds(15),
            retries: RetrySchedule(
                base: .milliseconds(20), cap: .milliseconds(50), maximumAttempts: 8))
        settings.pollInterval = .milliseconds(20)
        settings.lonelyPollInterval = .milliseconds(20)
        settings.healInterval = .seconds(1)
        settings.reportInterval = .milliseconds(20)
        settings.conditionInterval = .milliseconds(20)
        settings.progressEventInterval = .milliseconds(20)
        change(&settings)
        let lease = settings.lease
        // A file is sent by the replica that has the name of its directory.
        let instance = sendsFiles ? lab.store.instance : WorkerLab.identifier()
        let registration = registration
        let register: @Sendable () async throws(StoreError) -> (ledger: Ledger, now: Timestamp) = {
            () throws(StoreError) in
            let fresh = try await Ledger.register(
                pool: pool, instance: instance, node: "test", lease: lease, changes: changes)
            registration.replica = fresh.ledger.replica
            return fresh
        }
        let (ledger, now) = try await register()
        self.ledger = ledger
        lab.clock.restart(now: now)
        let facts = FactsInForce(
            Policy(limits: PolicyLimits(running: 64, perOrigin: 6, perSession: 16)), .utc, at: now)
        worker = DownloadWorker(
            DownloadWorker.Parts(
                engine: lab.engine, content: lab.store, place: lab.place, ledger: ledger,
                register: register,
                downloads: downloads, history: History(pool: pool), clock: lab.clock, delivered: {},
                log: .silent,
                facts: facts,
                conditions: Conditions(pool: pool),
                policyOfVersion: { await Replica.policy(ofVersion: $0, pool, facts, now) },
                secrets: Replica.box, sender: lab.engine),
            settings: settings)
    }

    /// The policy that another process stored; nil if none did.
    private static func policy(
        ofVersion version: Int64, _ pool: ConnectionPool, _ facts: FactsInForce,
        _ now: Timestamp
    ) async -> (Policy, TimeZoneRules)? {
        guard version > 0 else { return nil }
        do {
            guard let stored = try await Policies(pool: pool).current() else { return nil }
            let defaults = PolicyLimits(running: 64, perOrigin: 6, perSession: 16)
            let policy = Policy.parse(.object(stored.document), defaults: defaults) { _ in true }
            let isNewer = facts.replace(
                try policy.get(), .utc, version: stored.version, at: now)
            return isNewer ? (try policy.get(), .utc) : nil
        } catch let failure as StoreError where failure.code == .unavailable {
            // The next look asks again, as in the product.
            return nil
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    /// Runs a test with a replica over a database of its own, then drains it.
    static func with(
        place: TestedPlace = .folder, change: (inout WorkerSettings) -> Void = { _ in },
        _ script: @escaping OriginServer.Script, isRunning: Bool = true,
        sendsFiles: Bool = false,
        _ test: (Replica, OriginServer) async throws -> Void
    ) async throws {
        await Turn.shared.take()
        do {
            try await TestDatabase.with(schema: true) { database in
                try await WorkerLab.with(place: place) { lab in
                    let origin = try OriginServer(script)
                    defer { origin.close() }
                    let replica = try await Replica(
                        lab, url: database.url, isRunning: isRunning, sendsFiles: sendsFiles,
                        change: change)
                    let running = Task { if isRunning { await replica.worker.run() } }
                    do {
                        try await test(replica, origin)
                        await replica.stop(running)
                    } catch {
                        await replica.stop(running)
                        throw error
                    }
                }
            }
            await Turn.shared.leave()
        } catch {
            await Turn.shared.leave()
            throw error
        }
    }

    /// Runs a test beside another replica over the same database, with files of its own.
    ///
    /// - Parameters:
    ///   - link: its link to the database; nil for the direct one.
    ///   - options: the options of its connections.
    ///   - change: a change of its settings.
    ///   - test: the body that runs beside it.
    /// - Throws: the error of the test.
    func besides(
        over link: DatabaseLink? = nil, options: ConnectionOptions = ConnectionOptions(),
        change: (inout WorkerSettings) -> Void = { _ in }, _ test: (Replica) async throws -> Void
    ) async throws {
        try await WorkerLab.with { lab in
            let other = try await Replica(
                lab, url: link?.url ?? url, options: options, isRunning: true, change: change)
            let running = Task { await other.worker.run() }
            do {
                try await test(other)
                await other.stop(running)
            } catch {
                await other.stop(running)
                throw error
            }
        }
    }

    private func stop(_ running: Task<Void, Never>) async {
        await worker.drain(grace: .seconds(10))
        await running.value
        await pool.close()
    }

    /// A download in the form in which the API hands it in.
    func draft(
        _ url: String, _ members: JSONObject = JSONObject(), box: SecretBox = box,
        session: SessionConfiguration = SessionConfiguration()
    ) throws -> NewDownload {
        let id = WorkerLab.identifier()
        let claim = try lab.claim(url, id: id, members: members)
        var download = claim.download
        download.state = .waiting
        download.spec.request.usesSession = session.shape != nil
        let origin = try SourceURL(parsing: url).origin
        var new = NewDownload(download: download, app: 1, sessionKey: 1, origin: origin)
        new.mirrorOrigins = try download.spec.urls.map { try SourceURL(parsing: $0).origin }
        let request = try lab.request(url, members).members
        if request.shape.hasSecrets {
            new.sealed = box.seal(
                BoundSecrets(request.secrets, for: url).plain,
                for: RequestSecrets.associatedData(of: id, app: 1))
        }
        return new
    }

    /// Stores a download.
    func submit(
        _ url: String, _ members: JSONObject = JSONObject(), box: SecretBox = box,
        session: SessionConfiguration = SessionConfiguration()
    ) async throws -> Identifier {
        let new = try draft(url, members, box: box, session: session)
        _ = try await intake.submit(new)
        if isRunning { worker.hint() }
        return new.download.id
    }

    /// Gives a download other values, as `PATCH` does.
    func patch(_ id: Identifier, _ members: JSONObject) async throws {
        let old = try await find(id).download
        let patch = try DownloadPatch.parse(.object(members)).get()
        #expect(patch.isPossible(in: old.state))
        let new = try patch.applied(
            to: old, session: SessionConfiguration(), defaults: .standard
        ).get()
        let origins = try new.addresses.map { try SourceURL(parsing: $0).origin }
        let outcome = try await downloads.change(
            old, to: new, origins: patch.namesPlace ? origins : nil, app: 1)
        guard case .done = outcome else {
            Issue.record("the patch was refused")
            return
        }
        worker.hint()
    }

    /// The attempts so far, the oldest first.
    func attempts(_ id: Identifier) async throws -> [AttemptRecord] {
        try await downloads.attempts(of: id, app: 1) ?? []
    }

    /// Performs a client's action as the API does.
    func perform(_ action: DownloadAction, _ id: Identifier) async throws -> DownloadState? {
        guard
            case .done(let record, let order) = try await downloads.perform(
                action, on: id, app: 1)
        else { return nil }
        if let order { worker.order(id, order) } else { worker.hint() }
        return record.download.state
    }

    func find(_ id: Identifier) async throws -> DownloadRecord {
        try #require(await downloads.find(id, app: 1))
    }

    /// Waits until the download is in a state, after a number of attempts at least.
    func reached(
        _ state: DownloadState, _ id: Identifier, attempt: Int = 0
    ) async throws -> DownloadRecord {
        let isThere = try await eventually {
            let download = try await find(id).download
            return download.state == state && download.attempt >= attempt
        }
        let record = try await find(id)
        #expect(isThere, "\(record.download.state) instead of \(state)")
        return record
    }

    func number(_ sql: String) async throws -> Int64 {
        try await pool.query("SELECT (\(sql))::bigint")[0].get(0)
    }

    /// The published file's bytes.
    func file(_ record: DownloadRecord) throws -> [UInt8] {
        let fence = try #require(record.contentFence)
        return try lab.bytes("\(record.download.id.hexadecimal).\(fence)")
    }
}

/// A few replicas at a time: most tests wait, and the server's connections and processors are few.
actor Turn {
    static let shared = Turn()
    private var free = 3
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func leave() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }
}

extension Sequence {
    /// `map` with an asynchronous body.
    func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
