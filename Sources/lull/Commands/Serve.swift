// `lull serve`: puts the parts together, runs them, and takes them apart in order.
internal import API
internal import Content
internal import Core
internal import Crypto
internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import Postgres
internal import Store
internal import Synchronization
internal import Transfers
internal import Webhooks
internal import Worker

/// One run of the service.
struct Serve: Sendable {
    let configuration: Configuration
    let log: Log
    let zones = ZoneFiles()
    let isDraining = Flag()
    let gauges = ServerGauges()

    init(_ configuration: Configuration) {
        self.configuration = configuration
        log = Log.standardError(threshold: configuration.logLevel, json: configuration.logsJSON)
    }

    /// Serves until a signal asks for the end.
    ///
    /// - Returns: the exit status.
    func run() async -> Int32 {
        let database: Database
        let content: ContentStore
        do {
            try Database.makeDirectory(configuration.dataDirectory)
            // The lock first: whoever has it owns the private server too.
            content = try await possess(configuration.dataDirectory)
            database = try await Database.open(configuration, log: log)
        } catch {
            complain("\(error)")
            return 1
        }
        do {
            try await serve(database, content)
            await database.close()
            return 0
        } catch {
            complain("\(error)")
            await database.close()
            return 1
        }
    }

    /// Takes the data directory; a predecessor that is just dying may still hold it for a moment.
    private func possess(_ directory: String) async throws(ContentError) -> ContentStore {
        let instance = SecureRandom.bytes(16)
        let patience = Alarm()
        for _ in 0..<50 {
            do throws(ContentError) {
                return try ContentStore.open(directory: directory, newInstance: instance)
            } catch {
                guard error.code == .locked else { throw error }
                await patience.wait(upTo: .milliseconds(100))
            }
        }
        return try ContentStore.open(directory: directory, newInstance: instance)
    }

    private func serve(_ database: Database, _ content: ContentStore) async throws {
        _ = try await database.migrate(log: log)
        let pools = Pools(url: database.url, log: log)
        try await refuseUnsafe(pools)
        let parts = try await assemble(pools, content)
        let bound = try await parts.server.open()
        for address in bound {
            log.info("listening", [("address", .string(address.description))])
        }
        let working = Task { await parts.worker.run() }
        let sending = Task { await parts.courier.run() }
        let number = await Signals.termination()
        log.info("stopping", [("signal", .integer(Int64(number)))])
        await stop(parts)
        _ = await (working.value, sending.value)
        await parts.worker.leave()
        await parts.engine.close()
        await parts.webhookEngine.close()
        await pools.close()
        log.info("stopped")
    }

    /// Readiness first, then new work, then what is under way.
    private func stop(_ parts: Parts) async {
        isDraining.raise()
        async let served = parts.server.drain(grace: configuration.grace)
        async let worked: Void = parts.worker.drain(grace: configuration.grace)
        _ = await (served, worked)
        await parts.courier.stop()
    }

    private func refuseUnsafe(_ pools: Pools) async throws {
        let settings = try await pools.reads.durabilitySettings()
        guard settings.serverVersion >= 150_000 else {
            throw ConfigurationError(
                "the database is PostgreSQL \(settings.serverVersion / 10_000); 15 or later is "
                    + "needed")
        }
        guard settings.areSafe else {
            throw ConfigurationError(
                "the database would lose accepted downloads: fsync and full_page_writes must be "
                    + "on, synchronous_commit not off")
        }
    }
}

/// The connections of this process, by what they must never wait for.
struct Pools: Sendable {
    let intake: ConnectionPool
    let reads: ConnectionPool
    let ledger: ConnectionPool
    let upkeep: ConnectionPool
    let outbox: ConnectionPool

    init(url: String, log: Log) {
        func pool(_ size: Int) -> ConnectionPool {
            ConnectionPool(url: url, size: size, log: log)
        }
        intake = pool(2)
        reads = pool(6)
        // One connection keeps the ledger's claims and finishes in order.
        ledger = pool(1)
        upkeep = pool(1)
        outbox = pool(1)
    }

    func close() async {
        for pool in [intake, reads, ledger, upkeep, outbox] { await pool.close() }
    }
}

/// Something that happens once and is asked about often.
final class Flag: Sendable {
    private let value = Atomic(false)

    /// Whether it happened.
    var isRaised: Bool { value.load(ordering: .relaxed) }

    /// It happened.
    func raise() { value.store(true, ordering: .relaxed) }
}
