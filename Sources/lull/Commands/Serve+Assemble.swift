// Building the parts of the service and connecting them.
internal import API
internal import Base
internal import Content
internal import Crypto
internal import Downloads
internal import Glibc
internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import Postgres
internal import Scheduling
internal import Store
internal import Transfers
internal import Webhooks
internal import Worker

extension Serve {
    /// The running parts of the service.
    struct Parts: Sendable {
        let server: Server
        let worker: DownloadWorker
        let sender: WebhookSender
        let engine: TransferEngine
        let webhookEngine: TransferEngine
        let uploadEngine: TransferEngine
        let stores: WorkerStores
        let peers: PeerClient
        let news: ReplicaNotifier
        let live: LiveParts
    }

    /// The stores that the API uses.
    private static func store(
        _ pools: Pools, _ downloads: Downloads, _ facets: FacetBook, _ changes: ChangeHub
    ) -> StoreAccess {
        StoreAccess(
            intake: Intake(pool: pools.intake, facets: facets), downloads: downloads,
            sessions: Sessions(pool: pools.reads, lists: pools.lists),
            policies: Policies(pool: pools.reads), conditions: Conditions(pool: pools.reads),
            changes: changes)
    }

    /// Lets a worker begin the looks of sources.
    private static func begin(_ looks: LookHandler, on worker: DownloadWorker) {
        worker.onLook(
            LookActions(
                begin: { source, timetable, turn throws(StoreError) in
                    try await looks.begin(source, timetable, turn)
                },
                stop: { id, app throws(StoreError) in try await looks.stop(id, app: app) },
                document: { record, source in
                    switch await looks.content(of: record, for: source) {
                    case .bytes(let bytes): .bytes(bytes)
                    case .unavailable(let cause): .unavailable(cause)
                    case .gone(let reason): .gone(reason)
                    }
                },
                queue: { items, source, look, before throws(StoreError) in
                    let queued = try await looks.queue(
                        items, of: source, by: look, after: before)
                    return LookActions.Queued(
                        refused: queued.refused, left: queued.left, fault: queued.fault)
                }))
    }

    /// Builds every part; no request is served yet.
    func assemble(
        _ pools: Pools, _ resources: ProcessResources
    ) async throws -> (parts: Parts, handlers: Handlers) {
        let changes = ChangeHub(
            progressInterval: configuration.progressInterval,
            base: configuration.publicURL?.text ?? "",
            names: try await PublicNames.read(Settings(pool: pools.reads)))
        let facets = FacetBook()
        let downloads = readDownloads(pools, changes, facets)
        let (policy, zone) = try await policyInForce(pools.reads)
        let registration = Registration()
        let register = registering(registration, resources, pools, changes)
        let (ledger, now) = try await register()
        let clock = try await databaseClock(now, downloads.replicas)
        let facts = FactsInForce(
            policy, zone, at: now, history: await pastFacts(policy, zone, at: now, pools.reads))
        let secrets = try EncryptionKeys.open(configuration, log: log)
        let peerKeys = PeerKeys(secrets)
        let peers = PeerClient(keys: peerKeys, log: log) { clock.now }
        let news = ReplicaNotifier(configuration, replicas: downloads.replicas, log: log)
        let allowed = try await allowedDestinations(pools)
        let engine = try open(allowed.downloads, product: "Lull", proxies: allowed.proxies)
        let webhookEngine = try open(allowed.webhooks, product: "Lull-Webhooks")
        let uploadEngine = try open(allowed.uploads, product: "Lull")
        let stores = try openStores(clock)
        let sender = webhookSender(
            Outbox(pool: pools.outbox, registration: registration, changes: changes),
            over: webhookEngine, secrets)
        var workerParts =
            DownloadWorker.Parts(
                engine: engine, content: resources.content, place: resources.contentPlace,
                ledger: ledger, register: register,
                downloads: upkeepDownloads(pools, changes, facets),
                history: History(pool: pools.history), clock: clock,
                delivered: { sender.hint() }, log: log, facts: facts,
                conditions: Conditions(pool: pools.upkeep),
                policyOfVersion: { await newerPolicy(than: facts, $0, pools, clock) },
                peersSeen: { registration.peers = $0 },
                secrets: secrets, sender: uploadEngine)
        workerParts.stores = stores
        workerParts.announce = { news.announce(.orders) }
        let worker = DownloadWorker(workerParts, settings: try workerSettings())
        sender.onWakeAnswered { worker.sessionsChanged() }
        let store = Serve.store(pools, downloads, facets, changes)
        let connectUploads = connectingUploads(resources, peers, worker, news)
        let makeHandlers: @Sendable (AllowedDestinations) -> Handlers = { destinations in
            // Each copy has its own counts of requests.
            func fresh() -> Dependencies {
                var made = dependencies(
                    store: store, secrets: secrets, own: resources, peers: (peerKeys, peers),
                    news: news, worker: worker, sender: sender, facts: facts, clock: clock,
                    pools: pools, destinations: destinations)
                connectUploads(&made)
                return made
            }
            let handler = HookAnswerHandler(fresh()) {
                worker.hint()
                worker.sessionsChanged()
            }
            sender.onHookAnswered { await handler.take($1, to: $0) }
            Serve.begin(LookHandler(fresh()), on: worker)
            return handlers(fresh(), keys: APIKeys(pool: pools.reads))
        }
        let parts = Parts(
            server: resources.server, worker: worker, sender: sender, engine: engine,
            webhookEngine: webhookEngine, uploadEngine: uploadEngine, stores: stores, peers: peers,
            news: news,
            live: LiveParts(secrets: secrets, facts: facts, clock: clock, handlers: makeHandlers))
        return (parts, makeHandlers(allowed))
    }

    /// The database's clock, with the readings of earlier processes.
    private func databaseClock(
        _ now: Timestamp, _ replicas: Replicas
    ) async throws(StoreError) -> DatabaseClock {
        let clock = DatabaseClock(
            now: now, steadyFor: configuration.clockSteady, record: try await replicas.clock())
        if clock.steadyNow == nil {
            log.error(
                "the database's clock has jumped: correct it; retentions and time limits are "
                    + "paused until it is steady",
                [("now", .string(now.rfc3339))])
        }
        return clock
    }

    private func webhookSender(
        _ outbox: Outbox, over engine: TransferEngine, _ secrets: SecretBox
    ) -> WebhookSender {
        WebhookSender(
            outbox: outbox, engine: engine, secrets: signingSecrets(secrets),
            notices: noticeDelivery(),
            settings: WebhookSenderSettings(
                schedule: configuration.deliveries, disabling: configuration.disabling,
                timeout: configuration.webhookTimeout),
            log: log)
    }

    /// What messages to people need: the addresses of this service, and its mail.
    private func noticeDelivery() -> NoticeDelivery {
        let links = NoticeLinks(
            base: configuration.publicURL?.text ?? "", hasPage: configuration.page == "on")
        guard let server = configuration.smtpURL, let from = configuration.smtpFrom else {
            return NoticeDelivery(links: links)
        }
        let client = MailClient(server: server, certificateFile: configuration.certificateFile)
        return NoticeDelivery(
            links: links, mail: NoticeDelivery.Mail(client: client, from: from))
    }

    /// The secrets that sign webhooks.
    private func signingSecrets(_ box: SecretBox) -> SigningSecrets {
        SigningSecrets(
            box: box, inherited: configuration.webhookSecret.flatMap { EndpointSecret($0) })
    }

    /// - Throws: `ConfigurationError` for a folder that cannot be used.
    private func workerSettings() throws(ConfigurationError) -> WorkerSettings {
        var settings = WorkerSettings(
            slots: configuration.maxRunning, lease: configuration.lease,
            retries: configuration.retries)
        settings.progressEventInterval = configuration.webhookProgressInterval
        settings.reportInterval = min(.seconds(1), configuration.progressInterval)
        settings.lowSpeed = configuration.lowSpeed
        settings.tracesOrigins = configuration.traceOrigins == "on"
        settings.minimumFree = configuration.minimumFree
        settings.contentRetention = configuration.defaults.contentRetention
        settings.goneAfter = configuration.replicaGoneAfter
        settings.quarantine = configuration.quarantine
        settings.historyRetention = configuration.historyKept
        settings.deliveryRetention = configuration.deliveryRetention
        settings.wakes = configuration.wakes
        do throws(ContentError) {
            settings.folders = try OpenFolders(opening: configuration.destinations ?? .none)
        } catch {
            throw ConfigurationError("LULL_DESTINATIONS: \(error)")
        }
        return settings
    }

    private func open(
        _ destinations: Destinations, product: String, proxies: Destinations? = nil
    ) throws -> TransferEngine {
        try TransferEngine.open(
            TransferEngine.Configuration(
                destinations: destinations, userAgent: "\(product)/\(Version.text)",
                certificateFile: configuration.certificateFile, proxyDestinations: proxies))
    }

    private func registering(
        _ registration: Registration, _ resources: ProcessResources, _ pools: Pools,
        _ changes: ChangeHub
    ) -> @Sendable () async throws(StoreError) -> (ledger: Ledger, now: Timestamp) {
        let instance = resources.content.instance
        let node = Serve.nodeName()
        let lease = configuration.lease
        let address = configuration.advertise ?? Serve.advertised(resources.addresses, node: node)
        return { () throws(StoreError) in
            let fresh = try await Ledger.register(
                pool: pools.ledger, heartbeats: pools.lease, instance: instance, node: node,
                address: address, lease: lease, changes: changes)
            registration.replica = fresh.ledger.replica
            return fresh
        }
    }

    /// The stored policy, or that of the settings if none is stored.
    ///
    /// - Throws: `CommandError` for a stored one that this program cannot read.
    func policyInForce(_ pool: ConnectionPool) async throws -> (Policy, TimeZoneRules) {
        try read(try await Policies(pool: pool).documents())
    }

    /// The policy of stored documents under the settings in force.
    func read(
        _ stored: PolicyDocuments
    ) throws(CommandError) -> (Policy, TimeZoneRules) {
        let zones = zones
        let reading = Policy.inForce(
            .object(stored.deployment?.document ?? JSONObject()), apps: stored.apps,
            defaults: configuration.limits, bandwidth: configuration.bandwidth
        ) { zones.rules(of: $0) != nil }
        guard let policy = reading.policy, let zone = zones.rules(of: policy.timeZone) else {
            throw CommandError("this version of lull cannot read the stored policy\(why(reading))")
        }
        return (policy, zone)
    }

    private func why(_ reading: PolicyReading) -> String {
        guard reading.policy == nil else { return ": this system does not know its time_zone" }
        return ": "
            + reading.errors.list.map { "\($0.pointer) \($0.detail)" }.joined(separator: "; ")
    }

    /// The policy that another replica stored; nil if this process has it already.
    private func newerPolicy(
        than known: FactsInForce, _ version: Int64, _ pools: Pools, _ clock: DatabaseClock
    ) async -> (Policy, TimeZoneRules)? {
        guard version > known.policyVersion else { return nil }
        do {
            let stored = try await Policies(pool: pools.reads).documents()
            let (policy, zone) = try read(stored)
            let isNewer = known.replace(
                policy, zone, version: stored.version, at: clock.now)
            return isNewer ? (policy, zone) : nil
        } catch {
            log.warn(
                "new policy could not be read, so the old one stays in force",
                [("error", .string("\(error)"))])
            return nil
        }
    }

    /// The server, whose answers come from the handler.
    func server(_ handler: ServerHandler) -> Server {
        let requests = RequestLog(log)
        let openFiles = OpenFileLimit.raise(to: configuration.files)
        if openFiles < configuration.files {
            log.warn(
                "the limit of open files is too low for LULL_MAX_CONNECTIONS and LULL_MAX_RUNNING: "
                    + "raise it (ulimit -n, LimitNOFILE)",
                [
                    ("limit", .integer(Int64(openFiles))),
                    ("needed", .integer(Int64(configuration.files))),
                ])
        }
        return Server(
            addresses: configuration.listen, limits: configuration.server(openFiles: openFiles),
            log: log, streams: { handler.streamsBody($0) },
            refusal: { handler.refuse($0, of: $1) }, gauges: gauges,
            onRequest: { answered in
                requests.note(
                    answered.request, answered.response, microseconds: answered.microseconds,
                    now: SystemClock.bootNanoseconds() / 1000)
            },
            observedFrom: configuration.observedStatus,
            lanes: configuration.lanes ?? Server.lanes(processors: MachineReading.cores()),
            handler: { handler.answer($0) })
    }

    /// The handlers of requests, and of bytes that are not a request.
    struct Handlers: Sendable {
        let answer: Handler
        let refuse: Server.Refusal
        let streamsBody: Server.Streaming
    }

    /// The router, behind a check of keys if they are needed.
    private func handlers(_ dependencies: Dependencies, keys: APIKeys) -> Handlers {
        guard configuration.needsKeys else {
            let router = Router(dependencies)
            return Handlers(
                answer: { router.answer($0) }, refuse: { router.refuse($0, of: $1) },
                streamsBody: { router.streamsBody($0) })
        }
        let authenticator = KeyAuthenticator(dependencies, keys: keys)
        return Handlers(
            answer: { authenticator.answer($0) }, refuse: { authenticator.refuse($0, of: $1) },
            streamsBody: { authenticator.streamsBody($0) })
    }

    /// The first TCP address, with the machine's name in place of an address that stands for all.
    static func advertised(_ addresses: [ListenAddress], node: String) -> String? {
        for case .internet(let host, let port) in addresses {
            let isAny = host.allSatisfy { $0 == "0" || $0 == "." || $0 == ":" }
            return ListenAddress.internet(host: isAny ? node : host, port: port).description
        }
        return nil
    }

    private static func nodeName() -> String {
        var name = [CChar](repeating: 0, count: 256)
        let result = unsafe gethostname(&name, 255)
        guard result == 0 else { return "unknown" }
        let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
