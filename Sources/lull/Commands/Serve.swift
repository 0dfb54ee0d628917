// `lull serve`: builds the parts, runs them, and stops them in order.
internal import API
internal import Content
internal import Crypto
internal import Glibc
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
    let live: LiveConfiguration
    let liveLog: LiveLog
    let log: Log
    /// The source from which SIGHUP reads the settings again; nil if the service is not run.
    let source: SettingSource?
    let zones = ZoneFiles()
    let isDraining = Flag()
    let gauges = ServerGauges()
    /// The private PostgreSQL; nil if the settings name a database.
    let embedded: EmbeddedServer?

    /// The settings in force.
    var configuration: Configuration { live.current }

    /// Creates a run that has opened nothing.
    ///
    /// - Parameters:
    ///   - configuration: what the settings mean.
    ///   - values: their texts.
    ///   - source: where SIGHUP reads them again.
    init(
        _ configuration: Configuration, _ values: SettingValues? = nil,
        source: SettingSource? = nil
    ) {
        live = LiveConfiguration(configuration, values)
        liveLog = LiveLog(configuration)
        log = liveLog.log
        self.source = source
        embedded = Database.server(configuration, log: log)
    }

    /// The reason why the service ends.
    private enum Ending: Sendable {
        case signal
        case databaseLost(PostgresError)
    }

    /// The events that can end the service.
    private struct Watch: Sendable {
        let endings: AsyncStream<Ending>
        let ends: AsyncStream<Ending>.Continuation
        /// A value for each SIGHUP.
        let hangups: AsyncStream<Void>
    }

    /// Serves until a signal ends the service.
    ///
    /// - Throws: what kept it from serving.
    func run() async throws {
        try Preflight.check(configuration)
        let handler = ServerHandler()
        let hangups = Signals.hangups()
        let server = server(handler)
        let (endings, ends) = AsyncStream<Ending>.makeStream()
        let signals = Task {
            let number = await Signals.termination()
            log.info("stopping", [("signal", .integer(Int64(number)))])
            if handler.isOpen { ends.yield(.signal) } else { await endBeforeReady(server) }
        }
        let watch = Watch(endings: endings, ends: ends, hangups: hangups)
        try Database.makeDirectory(configuration.dataDirectory)
        // The lock comes first: its holder owns the private server too.
        let content = try await possess(configuration.dataDirectory)
        let addresses = try await open(server)
        for address in addresses {
            log.info("listening", [("address", .string(address.description))])
        }
        let resources = ProcessResources(
            content: content, contentPlace: PlaceKind.chosen.open(content), server: server,
            addresses: addresses)
        do {
            let made = try await prepare(resources)
            do {
                try await serve(made, handler, watch)
            } catch {
                await made.database.close()
                throw error
            }
            await made.database.close()
        } catch {
            // Failures during a requested stop are its consequences: the stop itself ends the
            // process.
            if isDraining.isRaised { await signals.value }
            _ = await server.drain(grace: .zero)
            throw error
        }
    }

    /// Ends the process while it starts: no work is in progress, and a blocking call could take
    /// long.
    private func endBeforeReady(_ server: Server) async {
        isDraining.raise()
        _ = await server.drain(grace: .zero)
        // A server that is still recovering is left to the next start, which adopts it.
        do throws(PostgresError) {
            try await embedded?.stop()
        } catch {
            complain("the private PostgreSQL did not stop: \(error)")
        }
        log.info("stopped before it was ready")
        _exit(0)
    }

    /// Binds the ports, before anything is created in the database.
    private func open(_ server: Server) async throws(ServerError) -> [ListenAddress] {
        let shutdownPoll = Alarm()
        // A predecessor that is ending may still hold them for a moment.
        for _ in 0..<10 {
            do throws(ServerError) {
                return try await server.open()
            } catch {
                guard error.code == "address-in-use" else { throw error }
                await shutdownPoll.wait(upTo: .milliseconds(100))
            }
        }
        return try await server.open()
    }

    /// Locks the data directory; a predecessor that is ending may still hold the lock for a moment.
    private func possess(_ directory: String) async throws(ContentError) -> ContentStore {
        let instance = SecureRandom.bytes(16)
        let shutdownPoll = Alarm()
        for _ in 0..<50 {
            do throws(ContentError) {
                return try ContentStore.open(directory: directory, newInstance: instance)
            } catch {
                guard error.code == .locked else { throw error }
                await shutdownPoll.wait(upTo: .milliseconds(100))
            }
        }
        return try ContentStore.open(directory: directory, newInstance: instance)
    }

    /// The resources that belong to this process alone.
    struct ProcessResources: Sendable {
        /// The data directory.
        let content: ContentStore
        /// The place of finished content.
        let contentPlace: any ContentPlace
        let server: Server
        /// The server's addresses, with the ports that the system chose.
        let addresses: [ListenAddress]
    }

    /// The result of a start before requests are served.
    private struct Prepared: Sendable {
        let database: Database
        let pools: Pools
        let parts: Parts
        let handlers: Handlers
        /// Whether this start created or changed the schema.
        let isNew: Bool
    }

    /// Brings the schema up to date, registers the replica and builds the parts; starts over if a
    /// named database is lost meanwhile, because every step may be repeated.
    private func prepare(_ resources: ProcessResources) async throws -> Prepared {
        let rest = Alarm()
        while true {
            let database =
                if embedded == nil {
                    await Database.wait(for: configuration, log: log)
                } else {
                    try await Database.open(configuration, server: embedded, log: log)
                }
            let pools = Pools(
                url: database.url, options: configuration.connectionOptions, log: log)
            do {
                let isNew = try await !database.migrate(log: log).isEmpty
                try Preflight.check(try await pools.reads.durabilitySettings())
                let (parts, handlers) = try await assemble(pools, resources)
                if configuration.needsKeys { try await hintAtKeys(pools) }
                return Prepared(
                    database: database, pools: pools, parts: parts, handlers: handlers, isNew: isNew
                )
            } catch {
                await pools.close()
                guard embedded == nil, Database.isAway(error) else {
                    await database.close()
                    throw error
                }
                log.error(
                    "the database does not answer, trying again",
                    [("error", .string("\(error)"))])
            }
            await rest.wait(upTo: .seconds(1))
        }
    }

    private func serve(_ made: Prepared, _ handler: ServerHandler, _ watch: Watch) async throws {
        let (database, pools, parts) = (made.database, made.pools, made.parts)
        handler.open(made.handlers)
        log.info("ready")
        let settling = Task { if made.isNew { await database.settle(log: log) } }
        let working = Task { await parts.worker.run() }
        let listening = Task { await parts.news.run(parts.worker) }
        let sending = Task { await parts.sender.run() }
        let watching = Task {
            guard let failure = await database.server?.keepRunning() else { return }
            watch.ends.yield(.databaseLost(failure))
        }
        let reloading = Task {
            for await _ in watch.hangups { await reload(parts, pools, handler) }
        }
        for await ending in watch.endings {
            if case .databaseLost(let failure) = ending { endWithoutDatabase(failure) }
            break
        }
        reloading.cancel()
        await reloading.value
        await stop(parts)
        listening.cancel()
        await listening.value
        _ = await (working.value, sending.value)
        await parts.worker.releaseLease()
        await parts.engine.close()
        await parts.webhookEngine.close()
        await parts.uploadEngine.close()
        await parts.stores.engine?.close()
        await parts.peers.close()
        await pools.close()
        watching.cancel()
        await watching.value
        await settling.value
        log.info("stopped")
    }

    /// Ends the process, so that its supervisor acts.
    private func endWithoutDatabase(_ failure: PostgresError) -> Never {
        log.error(
            "the private PostgreSQL cannot be started again, so lull ends",
            [("error", .string(failure.message))])
        complain("\(failure)")
        // The accepted work is durable, and without the database nothing more can be recorded.
        _exit(1)
    }

    /// Logs a hint if there is no key, because every request is refused then.
    private func hintAtKeys(_ pools: Pools) async throws {
        let keys = try await APIKeys(pool: pools.reads).list()
        guard !keys.contains(where: { $0.revokedAt == nil }) else { return }
        log.warn(
            "there is no valid API key yet: make one with lull keys create --app NAME, with the "
                + "same LULL_DATA_DIR or LULL_DATABASE_URL")
    }

    /// Ends readiness first, then new work, then the work in progress.
    private func stop(_ parts: Parts) async {
        isDraining.raise()
        async let served = parts.server.drain(grace: configuration.grace)
        async let worked: Void = parts.worker.drain(grace: configuration.grace)
        _ = await (served, worked)
        await parts.sender.stop()
    }
}

/// The connection pools of this process, one for each kind of work that must not wait for the
/// others.
struct Pools: Sendable {
    let intake: ConnectionPool
    let reads: ConnectionPool
    let ledger: ConnectionPool
    let lease: ConnectionPool
    let upkeep: ConnectionPool
    let history: ConnectionPool
    let lists: ConnectionPool
    let outbox: ConnectionPool

    init(url: String, options: ConnectionOptions, log: Log) {
        var limits = PoolLimits()
        limits.waitMilliseconds = min(
            limits.waitMilliseconds, Int64(options.callTimeoutMilliseconds))
        func pool(_ size: Int, reusesPlans: Bool = false) -> ConnectionPool {
            var options = options
            options.reusesPlans = reusesPlans && options.preparesStatements
            return ConnectionPool(
                url: url, size: size, options: options, limits: limits, log: log)
        }
        // The statements for each download look rows up by key, and making a plan costs more than
        // the look-up.
        intake = pool(2, reusesPlans: true)
        reads = pool(6)
        // A single connection keeps the ledger's claims and finishes in order.
        ledger = pool(1, reusesPlans: true)
        // A heartbeat must wait neither for requests nor for the ledger.
        lease = pool(1)
        upkeep = pool(1)
        // Removing old rows may wait for locks and take long, so it has its own connection.
        history = pool(1)
        lists = Pools.lists(url: url, options: options, log: log)
        outbox = pool(1)
    }

    /// Separate connections for statements that read many rows, with a short time limit and a short
    /// queue.
    private static func lists(
        url: String, options: ConnectionOptions, log: Log
    ) -> ConnectionPool {
        var options = options
        options.statementTimeoutMilliseconds = min(
            options.statementTimeoutMilliseconds, Downloads.listTimeoutMilliseconds)
        var limits = PoolLimits()
        limits.waitMilliseconds = Int64(Downloads.listTimeoutMilliseconds)
        limits.waitersMax = 64
        return ConnectionPool(url: url, size: 2, options: options, limits: limits, log: log)
    }

    func close() async {
        for pool in [intake, reads, lists, ledger, lease, upkeep, history, outbox] {
            await pool.close()
        }
    }
}

/// An event that happens once and is polled often.
final class Flag: Sendable {
    private let value = Atomic(false)

    /// Whether the event has happened.
    var isRaised: Bool { value.load(ordering: .relaxed) }

    /// Notes that the event has happened.
    func raise() { value.store(true, ordering: .relaxed) }
}
