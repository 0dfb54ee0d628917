// Performs what the conductor decides.
package import Content
package import Core
package import Crypto
package import Platform
package import Store
internal import Synchronization
package import Transfers

/// One replica's worker: claims, runs, records, keeps its lease.
package actor DownloadWorker {
    struct Run {
        let attempt: AttemptRun
        var reported: Int64 = 0
        var checkpointAt: Timestamp
        var toldAt: Timestamp
        /// The bytes that the last progress event told.
        var told: Int64
        /// It was stopped because it is not this replica's any more, and writes nothing.
        var isGivenUp = false
        var speed = SpeedEstimate()
        /// The speed that was written last.
        var reportedSpeed: Int64?
        /// The instant of the run's last event; clocks are set right, events do not go back.
        var lastAt: Timestamp
    }

    let settings: WorkerSettings
    let tools: AttemptTools
    let clock: DatabaseClock
    let recorder: Recorder
    let log: Log
    /// What was seen of the volume.
    package nonisolated let gauge = DiskGauge()
    /// How attempts ended here.
    package nonisolated let tally = AttemptTally()
    /// What the engine does right now.
    package nonisolated var transfers: TransferGauges { tools.engine.gauges }
    let register: @Sendable () async throws(StoreError) -> (ledger: Ledger, now: Timestamp)
    let downloads: Downloads
    let delivered: @Sendable () -> Void
    private var conductor: Conductor
    private let alarm = Alarm()
    private let isHinted = Atomic(false)
    private var nextWake = Timestamp.epoch
    /// What was claimed and has not begun.
    var claims: [Identifier: ClaimedDownload] = [:]
    var lease: LeaseClock
    let leaseAlarm = Alarm()
    /// A claim got no answer: the store may say that more runs here than does.
    var isClaimUncertain = false
    private var isStopped = false
    /// What came before the sweep has ended; nil from then on.
    private var early: [ConductorEvent]? = []
    private var isDraining = false
    private var random = SystemRandomNumberGenerator()
    var ledger: Ledger
    var runs: [Identifier: Run] = [:]
    var rates: RateBook
    var rateOrder = RateOrder()
    /// Counts the limits that clients changed here.
    var limitChanges = 0
    /// Since when runs have not been allowed a byte.
    var stoppedSince: [Identifier: Timestamp] = [:]
    let policyOfVersion: @Sendable (Int64) async -> (Policy, TimeZoneRules)?

    /// What a worker is built from.
    package struct Parts: Sendable {
        /// The engine for downloads.
        package var engine: TransferEngine
        /// The files.
        package var content: ContentStore
        /// The ledger of this process, already registered.
        package var ledger: Ledger
        /// How to register again when the lease was lost.
        package var register:
            @Sendable () async throws(StoreError) -> (ledger: Ledger, now: Timestamp)
        /// For downloads whose time is over.
        package var downloads: Downloads
        /// The database's clock.
        package var clock: DatabaseClock
        /// Told when deliveries were written.
        package var delivered: @Sendable () -> Void
        /// The policy and its zone, where the version given is newer than what this process knows.
        package var policyOfVersion: @Sendable (Int64) async -> (Policy, TimeZoneRules)?
        /// Where to say what happens.
        package var log: Log
        /// Opens what requests are sent with.
        package var secrets: SecretBox

        /// Names all of it.
        package init(
            engine: TransferEngine, content: ContentStore, ledger: Ledger,
            register:
                @escaping @Sendable () async throws(StoreError) -> (
                    ledger: Ledger, now: Timestamp
                ),
            downloads: Downloads, clock: DatabaseClock,
            delivered: @escaping @Sendable () -> Void, log: Log,
            policyOfVersion:
                @escaping @Sendable (Int64) async -> (Policy, TimeZoneRules)? = { _ in nil },
            secrets: SecretBox = SecretBox(keys: [])
        ) {
            self.secrets = secrets
            self.engine = engine
            self.content = content
            self.ledger = ledger
            self.register = register
            self.downloads = downloads
            self.clock = clock
            self.delivered = delivered
            self.log = log
            self.policyOfVersion = policyOfVersion
        }
    }

    /// Stores; `run()` begins.
    package init(
        _ parts: Parts, settings: WorkerSettings, policy: Policy, zone: TimeZoneRules
    ) {
        self.settings = settings
        lease = LeaseClock(settings)
        clock = parts.clock
        log = parts.log
        ledger = parts.ledger
        register = parts.register
        downloads = parts.downloads
        delivered = parts.delivered
        let reader = RequestReader(downloads: parts.downloads, box: parts.secrets)
        policyOfVersion = parts.policyOfVersion
        rates = RateBook(policy.bandwidth, zone: zone)
        let smallBlocks = BlockPool.small()
        tools = AttemptTools(
            engine: parts.engine, content: parts.content,
            lanes: (0..<settings.fileLanes).map {
                WriteLane(label: String($0), pool: smallBlocks)
            }, smallBlocks: smallBlocks,
            instance: parts.content.instance, clock: parts.clock,
            minimumFree: settings.minimumFree, segmentsAtLeast: settings.segmentsAtLeast,
            stealsAbove: settings.stealsAbove, lowSpeed: settings.lowSpeed,
            contentRetention: settings.contentRetention,
            request: { await reader.read($0) })
        recorder = Recorder(
            content: parts.content, settings: settings, clock: parts.clock, log: parts.log,
            tally: tally, delivered: parts.delivered)
        conductor = Conductor(
            policy: policy, zone: zone, slots: settings.slots,
            pollInterval: settings.pollInterval)
    }

    /// Says that something may be due.
    package nonisolated func hint() {
        // Hints that come before the first was taken are one: a task for each would be a wake each.
        guard !isHinted.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task { await self.takeHint() }
    }

    private func takeHint() {
        isHinted.store(false, ordering: .sequentiallyConsistent)
        handle(.hinted)
    }

    /// Passes a client's order on; a download that runs elsewhere is not touched.
    package nonisolated func order(_ id: Identifier, _ order: RunOrder) {
        Task { await self.handle(.ordered(id, order)) }
    }

    /// Puts another policy in force.
    package nonisolated func replacePolicy(_ policy: Policy, _ zone: TimeZoneRules) {
        Task { await self.takePolicy(policy, zone) }
    }

    func takePolicy(_ policy: Policy, _ zone: TimeZoneRules) {
        rates.replace(policy.bandwidth, zone: zone)
        applyRates()
        handle(.policyChanged(policy, zone))
    }

    /// How many run.
    package var runningCount: Int { runs.count }

    /// Works until `drain()` has ended.
    package func run() async {
        // Nothing is claimed before: a file that is being published has no row yet.
        await sweep()
        await readDisk(on: FileLane(label: "volume"))
        let waiting = early ?? []
        early = nil
        // The time since the registration may have been long.
        _ = await renewLease()
        for event in waiting { handle(event) }
        async let watchingLease: Void = watchLease()
        async let beating: Void = beat()
        async let comparing: Void = compareRuns()
        async let reporting: Void = report()
        async let keeping: Void = keepUp()
        async let pacing: Void = keepRates()
        async let watching: Void = watchDisk()
        async let sweeping: Void = sweepAgain()
        async let retaining: Void = retain()
        while !isStopped {
            handle(.ticked)
            await alarm.wait(upTo: max(.milliseconds(1), nextWake - clock.now))
        }
        leaseAlarm.ring()
        _ = await (
            watchingLease, beating, comparing, reporting, keeping, pacing, watching, sweeping,
            retaining
        )
    }

    /// Stops claiming, and lets every attempt give way at a durable point.
    ///
    /// - Parameter grace: attempts that take longer are left to the lease.
    package func drain(grace: Duration) async {
        isDraining = true
        handle(.drained)
        let end = clock.now + grace
        while !runs.isEmpty, clock.now < end { await Alarm().wait(upTo: .milliseconds(20)) }
        isStopped = true
        alarm.ring()
    }

    /// Gives the lease back after the drain, webhooks included; what did not end keeps it.
    package func leave() async {
        guard runs.isEmpty else { return }
        do throws(StoreError) {
            try await ledger.leave()
        } catch {
            log.warn("lease not given back", [("error", .string(error.description))])
        }
    }

    /// True until the end of `drain()`.
    var isWorking: Bool { !isStopped }

    func handle(_ event: ConductorEvent) {
        if early != nil {
            // Hints and orders mean nothing yet; the disk, a policy and the end do.
            switch event {
            case .diskRead, .policyChanged, .drained: early?.append(event)
            default: break
            }
            return
        }
        for action in conductor.handle(event, at: clock.now) { perform(action) }
    }

    private func perform(_ action: ConductorAction) {
        switch action {
        case .look:
            Task { await self.look() }
        case .claim(let quotas, let total):
            Task { await self.claim(quotas, total: total) }
        case .start(let id, let fence):
            guard let claim = claims.removeValue(forKey: id), claim.fence == fence else { return }
            guard !lease.isOver else { return handle(.ended(id, fence: fence)) }
            start(claim)
        case .stop(let id, let fence, let order):
            guard let run = runs[id], run.attempt.claim.fence == fence else { return }
            // One that has ended already is still to be recorded.
            if order == .abandon { runs[id]?.isGivenUp = !run.attempt.isEnding }
            run.attempt.stop(order)
        case .wake(let instant):
            let isEarlier = instant < nextWake || nextWake <= clock.now
            nextWake = instant
            if isEarlier { alarm.ring() }
        }
    }

    private func look() async {
        do throws(StoreError) {
            if isClaimUncertain, !lease.isOver {
                // No claim is under way while the conductor looks.
                try await releaseUnknownRuns(claimedBefore: .zero)
                isClaimUncertain = false
            }
            let (heads, now) = try await ledger.lanes()
            clock.set(now: now)
            handle(.lanesLoaded(try await named(heads)))
        } catch {
            log.warn("lanes not read", [("error", .string(error.description))])
            handle(.storeFailed)
        }
    }

    private func claim(_ quotas: [LaneQuota], total: Int) async {
        guard !lease.isOver else { return handle(.storeFailed) }
        do throws(StoreError) {
            let answer = try await ledger.claim(
                quotas, total: total, limits: conductor.policy.limits,
                room: conductor.disk?.room)
            let claimed = answer.runs
            // Known from here on, so that nothing releases them.
            for claim in claimed { claims[claim.download.id] = claim }
            if !answer.unreadable.isEmpty { await fail(answer.unreadable) }
            await learnSessions(of: claimed)
            handle(
                .claimed(
                    claimed.map {
                        ClaimedRun(
                            id: $0.download.id, fence: $0.fence, order: $0.order, need: $0.need)
                    }))
        } catch {
            log.warn("nothing claimed", [("error", .string(error.description))])
            isClaimUncertain = true
            handle(.storeFailed)
        }
    }

    /// Ends downloads whose rows cannot be read; each would come back with every claim.
    private func fail(_ unreadable: [UnreadableRun]) async {
        for run in unreadable {
            log.error(
                "download cannot be read",
                [
                    ("download_id", .string(run.finished.download.id.text(.download))),
                    ("error", .string(run.reason)),
                ])
            tally.count(run.finished.outcome)
        }
        do throws(StoreError) {
            _ = try await ledger.finish(unreadable.map(\.finished))
            delivered()
        } catch {
            log.warn("outcomes not recorded", [("error", .string(error.description))])
            // What is refused comes back with the lease, not at once.
            if error.code != .refused { isClaimUncertain = true }
        }
    }

    private func start(_ claim: ClaimedDownload) {
        let ledger = ledger
        // Each closure has a copy of all that it names.
        let (id, fence) = (claim.download.id, claim.fence)
        let isSlow = enterRates(claim)
        let attempt = AttemptRun(
            claim, tools: tools, isSlow: isSlow,
            widen: { await self.widen(id, fence, by: $0, ledger) },
            // Whether it is marked has to be known: a mark without a request ends the download.
            markSent: {
                await self.insist { () throws(StoreError) in
                    try await ledger.markSent(id, fence: fence)
                }
            }
        ) { point in
            do throws(StoreError) {
                return try await ledger.remember(point, for: id, fence: fence)
            } catch {
                return false
            }
        }
        let now = clock.now
        runs[claim.download.id] = Run(
            attempt: attempt, checkpointAt: now, toldAt: now, told: claim.download.bytesReceived,
            lastAt: claim.claimedAt)
        Task { await self.perform(attempt, ledger: ledger) }
    }

    /// Further places for one download; none where the store does not answer.
    private func widen(
        _ id: Identifier, _ fence: Int64, by extra: Int, _ ledger: Ledger
    ) async -> Int {
        do throws(StoreError) {
            return try await ledger.widen(
                by: extra, id, fence: fence, limits: conductor.policy.limits)
        } catch {
            log.warn("no further streams", [("error", .string(error.description))])
            return 0
        }
    }

    /// Which other mirrors are not to be asked now, because of what they said to other downloads.
    private func learnCooling(of attempt: AttemptRun, _ ledger: Ledger) async {
        let origins = attempt.origins.compactMap(\.self)
        guard !origins.isEmpty else { return }
        do throws(StoreError) {
            attempt.learn(try await ledger.cooling(origins))
        } catch {
            // The gates hold all the same; the download only waits where it need not.
            log.warn("cooling origins not read", [("error", .string(error.description))])
        }
    }

    /// Whether a client has given it more time since it was claimed; asked where that decides.
    private func learnDeadline(of attempt: AttemptRun, _ ledger: Ledger) async {
        guard clock.now >= attempt.deadline else { return }
        do throws(StoreError) {
            let id = attempt.claim.download.id
            guard let now = try await ledger.deadline(of: id, fence: attempt.claim.fence) else {
                return
            }
            attempt.move(deadline: now)
        } catch {
            log.warn("deadline not read", [("error", .string(error.description))])
        }
    }

    private func perform(_ attempt: AttemptRun, ledger: Ledger) async {
        await end(attempt, report: await attempt.run(), ledger: ledger)
    }

    /// Not a part of `perform`: what a function holds in all is held by every run while it waits.
    @inline(never) private func end(
        _ attempt: AttemptRun, report: AttemptReport, ledger: Ledger
    ) async {
        if case .failed = report {
            await learnCooling(of: attempt, ledger)
            await learnDeadline(of: attempt, ledger)
        }
        let body: CompleteBody? = if case .complete(let body) = report { body } else { nil }
        let lastAt = runs[attempt.claim.download.id]?.lastAt ?? attempt.claim.claimedAt
        let finished = attempt.finished(
            report, schedule: settings.retries, now: max(clock.now, lastAt), using: &random)
        if let finished {
            if body == nil, finished.resume?.offset ?? 0 == 0 { await attempt.discard() }
            await recorder.record(
                RunEnd(
                    finished: finished, body: body, attempt: attempt, ledger: ledger,
                    hasHook: attempt.claim.hookMask != 0))
        }
        let claim = attempt.claim
        if runs[claim.download.id]?.attempt === attempt {
            runs[claim.download.id] = nil
            rates.end(claim.download.id)
        }
        handle(.ended(claim.download.id, fence: claim.fence))
    }

    /// Ends downloads whose time is over, and takes from replicas that are gone.
    private func keepUp() async {
        let pause = Alarm()
        do throws(StoreError) {
            let count = try await downloads.eraseOrphanedSecrets()
            if count > 0 { log.warn("orphaned secrets erased", [("count", .integer(count))]) }
        } catch {
            log.warn("orphaned secrets not looked for", [("error", .string(error.description))])
        }
        var turn = 0
        while isWorking {
            await attend { () throws(StoreError) in
                while try await downloads.expire(limit: 100) == 100 {}
            }
            // What ages by the day is looked at once a minute.
            if turn % 60 == 0 {
                await attend { () throws(StoreError) in
                    while try await downloads.idempotencyKeys.forgetOld(limit: 1000) == 1000 {}
                }
                await attend { () throws(StoreError) in
                    while try await downloads.journal.forget(limit: 1000) == 1000 {}
                    while try await downloads.restingReceivers.forgetOld(limit: 1000) == 1000 {}
                }
            }
            turn += 1
            await attend { () throws(StoreError) in
                while try await ledger.reap() > 0 { handle(.hinted) }
            }
            await wait(.seconds(1), with: pause)
        }
    }

    /// One duty; what keeps it from its end does not keep the next one.
    private func attend(_ duty: () async throws(StoreError) -> Void) async {
        do throws(StoreError) {
            try await duty()
        } catch {
            log.warn("upkeep waits", [("error", .string(error.description))])
        }
    }
}
