// The dependencies of the API.
internal import API
internal import Base
internal import Content
internal import Crypto
internal import Downloads
internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import Postgres
internal import Scheduling
internal import Store
internal import Webhooks
internal import Worker

extension Serve {
    /// The API's view of the program.
    func dependencies(
        store: StoreAccess, secrets: SecretBox, own: ProcessResources,
        peers: (keys: PeerKeys, client: PeerClient), news: ReplicaNotifier,
        worker: DownloadWorker, sender: WebhookSender, facts: FactsInForce, clock: DatabaseClock,
        pools: Pools, destinations: AllowedDestinations
    ) -> Dependencies {
        let (zones, log, draining, hidesOthers) = (zones, log, isDraining, configuration.needsKeys)
        var access = ContentAccess(to: own.contentPlace, worker.stores, worker, log)
        access.peerKeys = peers.keys
        access.fetch = { await peers.client.fetch($0) }
        var dependencies = Dependencies(
            settings: settings(destinations), store: store, secrets: secrets, content: access,
            worker: WorkerAccess(
                situation: {
                    facts.situation(
                        at: $0, isDraining: draining.isRaised, disk: worker.gauge.reading
                    ).hidingOthers(hidesOthers)
                },
                conditionPushed: { name, push, version in
                    facts.take(push, of: name, version: version, at: clock.now)
                    worker.conditionsChanged()
                },
                isDraining: { draining.isRaised },
                hint: { worker.hint() },
                expect: { worker.expect($0) },
                deadlineSet: { worker.deadlineSet() },
                delivered: { sender.hint() },
                orderPlaced: {
                    worker.order($0, $1)
                    news.announce(.orders)
                },
                policyChanged: { new, zone, version in
                    if facts.replace(new, zone, version: version, at: clock.now) {
                        news.announce(.policy)
                        worker.replacePolicy(new, zone)
                    }
                },
                rateChanged: { change in
                    switch change {
                    case .session(let key, let limit): worker.limitSession(key, to: limit)
                    case .download(let id, let limit): worker.limitDownload(id, to: limit)
                    }
                }),
            zone: { zones.rules(of: $0) },
            readiness: {
                await ThreadPool.run {
                    await Serve.readiness(
                        pools, own.content, worker.gauge, isDraining: draining.isRaised)
                }
            },
            now: { clock.now },
            makeIdentifier: { [random = BufferedRandom()] in random.identifier(at: $0) },
            report: { request, cause in
                log.error(
                    "request failed",
                    [("request_id", .string(request)), ("error", .string(cause))])
            })
        dependencies.keyChanged = { Serve.note($0, log) }
        Serve.connect(&dependencies.worker, to: worker)
        dependencies.worker.ownReadings = { facts.readings(at: $0) }
        dependencies.worker.calibration = { facts.calibration }
        dependencies.worker.history = {
            facts.noteConditions(at: clock.now)
            return facts.history
        }
        dependencies.worker.isHeldBack = { facts.isHeldBack($0, for: $1, at: $2) }
        dependencies.metrics = metrics(worker, sender, peers.client, facts, clock, pools)
        return dependencies
    }

    private static func note(_ change: KeyChange, _ log: Log) {
        log.info(
            "key \(change.kind.rawValue) through the API",
            [
                ("key", .integer(change.number)), ("app", .string(change.app)),
                ("scopes", .string(change.scopes.joined(separator: ","))),
                ("by_key", change.by.map { .integer($0) } ?? .string("none")),
                ("request_id", .string(change.requestID)),
            ])
    }

    private static func connect(_ access: inout WorkerAccess, to worker: DownloadWorker) {
        access.shares = { await worker.shares }
        access.sessionsChanged = { worker.sessionsChanged() }
        access.clientsChanged = { worker.clientsChanged() }
        access.flightsChanged = { worker.flightsChanged() }
        access.looksChanged = { worker.looksChanged() }
    }

    /// The sources of `GET /metrics`, which are read for each request.
    private func metrics(
        _ worker: DownloadWorker, _ sender: WebhookSender, _ peers: PeerClient,
        _ facts: FactsInForce,
        _ clock: DatabaseClock, _ pools: Pools
    ) -> @Sendable () -> [Metric] {
        let (gauges, embedded) = (gauges, embedded)
        let (namesApps, lease) = (configuration.metricsAuth == "on", configuration.lease)
        let (disk, tally, transfers) = (worker.gauge, worker.tally, worker.transfers)
        let (deliveries, learned, wakes) = (sender.tally, worker.learnedGauge, worker.wakes)
        let looks = worker.looks
        return {
            [
                .gauge(
                    "lull_clock_steady",
                    "0 while retentions and time limits are paused because the database's clock "
                        + "has jumped, else 1.",
                    clock.steadyNow == nil ? 0 : 1)
            ] + Serve.metrics(gauges) + Serve.metrics(disk) + Serve.metrics(transfers)
                + [
                    Serve.metric(ofSent: worker.sentBytes),
                    Serve.metric(ofStores: worker.storeRequests),
                ]
                + Serve.metrics(learned) + Serve.metrics(facts.calibration) + Serve.metrics(tally)
                + Serve.metrics(embedded) + Serve.metrics(deliveries) + Serve.metrics(wakes)
                + Serve.metrics(looks)
                + peers.gauge.metrics
                + Serve.metrics(facts, at: clock.now, namesApps: namesApps)
                + Serve.metrics(outages: facts, at: clock.now)
                + worker.queueGauge.metrics(at: clock.now, namesApps: namesApps)
                + worker.leaseGauge.metrics(lease) + pools.metrics
                + ProcessReading.read().metrics
                + Serve.metrics(facts.conditions, at: clock.now, lanes: worker.lanes)
        }
    }

    private func settings(_ destinations: AllowedDestinations) -> APISettings {
        var settings = APISettings(
            version: Version.text, hosts: configuration.hosts,
            destinations: destinations.downloads,
            webhookDestinations: destinations.webhooks,
            uploadDestinations: destinations.uploads,
            defaults: configuration.defaults, limits: configuration.limits, app: 1)
        settings.publicURL = configuration.publicURL
        settings.origins = configuration.corsOrigins ?? .none
        settings.proxyDestinations = destinations.proxies
        settings.folders = configuration.destinations ?? .none
        settings.bandwidth = configuration.bandwidth
        settings.webhookSecret = configuration.webhookSecret.flatMap { EndpointSecret($0) }
        settings.webhookSecretOverlap = configuration.webhookSecretOverlap
        settings.wakes = configuration.wakes
        settings.metricsNeedKey = configuration.metricsAuth == "on"
        settings.showsPage = configuration.page == "on"
        settings.sendsMail = configuration.smtpURL != nil
        settings.sourceMinInterval = configuration.sourceMinInterval
        return settings
    }

    /// The readiness check for missing files, with the operator's remedy.
    private static func check(_ gauge: DiskGauge) -> ReadinessCheck {
        guard let held = gauge.heldMissing else {
            return ReadinessCheck(
                name: "content", isOK: true, detail: "no large number of files is missing")
        }
        return ReadinessCheck(
            name: "content", isOK: false,
            detail: "\(held.count) of \(held.total) files are missing, so none counts as lost: "
                + "mount their volume again, or give them up with lull replicas accept-loss "
                + "\(held.replica)")
    }

    private static func readiness(
        _ pools: Pools, _ content: ContentStore, _ gauge: DiskGauge, isDraining: Bool
    ) async -> [ReadinessCheck] {
        var checks: [ReadinessCheck] = []
        do throws(PostgresError) {
            _ = try await pools.reads.query("SELECT 1")
            checks.append(ReadinessCheck(name: "database", isOK: true, detail: "answers"))
        } catch {
            checks.append(
                ReadinessCheck(
                    name: "database", isOK: false, detail: error.summary ?? error.message))
        }
        do throws(ContentError) {
            let free = try content.freeBytes()
            let trouble = content.trouble
            checks.append(
                ReadinessCheck(
                    name: "disk", isOK: free > 0 && trouble == nil,
                    detail: trouble ?? "\(ByteCount.short(free)) free"))
        } catch {
            checks.append(
                ReadinessCheck(
                    name: "disk", isOK: false,
                    detail: error.errno == nil
                        ? error.description : "the free space of its volume cannot be read"))
        }
        checks.append(check(gauge))
        checks.append(
            ReadinessCheck(
                name: "service", isOK: !isDraining, detail: isDraining ? "stopping" : "works"))
        return checks
    }
}

extension BufferedRandom {
    /// Creates an identifier.
    fileprivate func identifier(at now: Timestamp) -> Identifier {
        var random = self
        return Identifier(at: now, using: &random)
    }
}

extension Situation {
    /// The situation, without figures of other apps if `hides` is true.
    fileprivate func hidingOthers(_ hides: Bool) -> Situation {
        var situation = self
        situation.hidesOthers = hides
        return situation
    }
}
