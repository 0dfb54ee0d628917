// Performs the actions of the conductor.
package import Base
internal import Content
internal import Crypto
package import Downloads
package import ObjectStores
internal import Platform
package import Scheduling
internal import Store
internal import Synchronization
package import Transfers

/// The worker of one replica: claims, runs and records; its other duties are in `Upkeep`.
///
/// Calls from other parts of the process pass through one ordered inbox. It sleeps until there is a
/// message, an answer, or the instant that the conductor named.
package actor DownloadWorker {
    /// A download that runs here.
    struct Run {
        let attempt: AttemptRun
        var reported: Int64 = 0
        var checkpointAt: Timestamp
        var toldAt: Timestamp
        /// The number of bytes in the last progress event.
        var told: Int64
        /// Whether it was stopped because it no longer belongs to this replica, and writes nothing.
        var isGivenUp = false
        /// The part that budgets have counted; nil before, and if no budget counts it.
        var counted: CountedRun?
        var speed = SpeedEstimate()
        /// The speed in the last written progress.
        var reportedSpeed: Int64?
        /// The instant of the run's last event; clocks may be set back, events must not be.
        var lastAt: Timestamp
    }

    let settings: WorkerSettings
    let tools: AttemptTools
    let clock: DatabaseClock
    let recorder: Recorder
    let log: Log
    /// The last reading of the volume.
    package nonisolated let gauge = DiskGauge()
    /// Numbers of measurements.
    package nonisolated let learnedGauge = LearnedGauge()
    /// Numbers of lanes in the conductor.
    package nonisolated let lanes = LaneGauge()
    /// Counts of looks.
    package nonisolated let looks = LookTally()
    /// Begins and stops looks; nil before the API is there.
    nonisolated let lookActions = Mutex<LookActions?>(nil)
    /// Files that readers did not find here.
    nonisolated let missedFiles = MissedFiles()
    /// The age of the lease.
    package nonisolated let leaseGauge = LeaseGauge()
    /// Sums of the queue, computed while metrics are scraped.
    package nonisolated let queueGauge: QueueGauge
    /// Counts of wakes.
    package nonisolated let wakes = WakeTally()
    /// Counts of ended attempts.
    package nonisolated let tally = AttemptTally()
    /// Whether news of other replicas are announced here, so that they need not be polled.
    nonisolated let isListening = Atomic(false)
    /// The engine's current numbers.
    package nonisolated var transfers: TransferGauges { tools.engine.gauges }
    /// Bytes of files that were sent to receivers and stores.
    package nonisolated var sentBytes: Int64 {
        (tools.sender?.gauges.sentBytes ?? 0) + (tools.stores.engine?.gauges.sentBytes ?? 0)
    }
    /// The stores of the settings.
    package nonisolated var stores: OpenStores { tools.stores.open }
    /// Counts of requests to stores.
    package nonisolated var storeRequests: StoreTally { tools.stores.tally }
    let register: @Sendable () async throws(StoreError) -> (ledger: Ledger, now: Timestamp)
    let downloads: Downloads
    let delivered: @Sendable () -> Void
    let announce: @Sendable () -> Void
    let peersSeen: @Sendable (Int) -> Void
    let policyOfVersion: @Sendable (Int64) async -> (Policy, TimeZoneRules)?
    /// The facts by which downloads are scheduled and explained.
    let facts: FactsInForce
    /// The store of pushed conditions.
    let conditions: Conditions
    let duties: [any Duty]
    let bells: DutyBells
    private let inbox: WorkerInbox
    private let alarm = Alarm()
    private var nextWake = Timestamp.epoch
    /// Whether the loop sleeps until `nextWake`.
    private var isAsleep = false
    /// Whether the lease was renewed and the volume read, before which nothing is claimed.
    private var isReady = false
    private var isStopped = false
    /// Rung at the end of each run.
    private let runEnded = Alarm()
    /// The tasks of looks, claims and runs.
    private let tasks = TaskOwner()
    /// Runs that wait for a task; below, idle tasks; see `DownloadWorker+Tasks.swift`.
    var waitingRuns: [WaitingRun] = []
    var idleTasks: [CheckedContinuation<Void, Never>] = []
    var conductor: Conductor
    /// Claimed downloads that have not begun.
    var claims: [Identifier: Shared<ClaimedDownload>] = [:]
    var isClaiming = false
    /// Whether a statement with progress and checkpoints is in progress.
    var isWritingProgress = false
    var lease: LeaseClock
    /// Whether a claim got no answer, so that the database may have runs that this process does not
    /// know.
    var isClaimUncertain = false
    /// The time at which a claim was sent last, by the boot clock in nanoseconds.
    var claimedAt: Int64?
    /// The time at which the volume was read last, by the boot clock in nanoseconds.
    var diskReadAt: Int64?
    /// The time at which the clock was noted for other processes, by the boot clock in nanoseconds.
    var clockNotedAt: Int64?
    /// Whether a jump of the clock is still to be noted.
    var isClockNoteDue = false
    var wasClockSteady = true
    let volumeLane = FileLane(label: "volume")
    var random = SystemRandomNumberGenerator()
    var ledger: Ledger
    /// The other replicas, from the answer to the last heartbeat.
    var peers = HeartbeatAnswer.Peers()
    /// The version of the policy in the answer to the last heartbeat.
    var policyVersion: Int64 = 0
    var runs: [Identifier: Run] = [:]
    var rates: RateBook
    var rateOrder = RateOrder()
    /// Measurements that are not written yet.
    var learnedBuffer = LearnedBuffer()
    /// The time at which the link was slow last.
    var linkSlowAt: Timestamp?
    /// The number of limits that clients changed here.
    var limitChanges = 0

    /// Creates a worker; `run()` begins its work.
    package init(
        _ parts: Parts, settings: WorkerSettings
    ) {
        self.settings = settings
        let (policy, zone) = parts.facts.policy
        facts = parts.facts
        conditions = parts.conditions
        lease = LeaseClock(settings)
        clock = parts.clock
        log = parts.log
        ledger = parts.ledger
        register = parts.register
        downloads = parts.downloads
        downloads.facets.take(policy.facets)
        delivered = parts.delivered
        announce = parts.announce
        let reader = RequestReader(downloads: parts.downloads, box: parts.secrets)
        policyOfVersion = parts.policyOfVersion
        peersSeen = parts.peersSeen
        rates = RateBook(policy.bandwidth, zone: zone)
        inbox = WorkerInbox(bell: alarm)
        duties = Upkeep.duties(parts, settings, wakes)
        bells = DutyBells(duties)
        let (sessions, flights) = (bells[SessionWatch.self], bells[FlightWatch.self])
        let (sources, looks) = (bells[SourceWatch.self], looks)
        let census = bells[QueueCensus.self]
        queueGauge = QueueGauge { census.ring() }
        let smallBlocks = BlockPool.small()
        tools = AttemptTools(
            engine: parts.engine, sender: parts.sender, stores: parts.stores,
            content: parts.content, place: parts.place,
            lanes: (0..<settings.fileLanes).map {
                WriteLane(label: String($0), pool: smallBlocks)
            }, smallBlocks: smallBlocks,
            clock: parts.clock, settings: settings,
            request: { await reader.read($0) },
            facets: { parts.downloads.facetScheme })
        recorder = Recorder(
            executor: parts.engine.executor, place: parts.place, settings: settings,
            clock: parts.clock, log: parts.log, tally: tally, delivered: parts.delivered,
            sessionsChanged: {
                sessions.ring()
                if looks.isOpen { sources.ring() }
            }, flightsChanged: { flights.ring() },
            joined: {
                flights.ring()
                parts.announce()
            })
        conductor = Conductor(
            policy: policy, zone: zone, slots: settings.slots,
            pollInterval: settings.pollInterval)
    }

    /// The number of runs.
    package var runningCount: Int { runs.count }

    /// Works until `drain()` has ended.
    package func run() async {
        // The registration may be some time ago.
        _ = await renewLease()
        isReady = true
        await readDisk()
        async let upkeep: Void = Upkeep.run(self)
        while !isStopped {
            for message in inbox.take() { take(message) }
            handle(.ticked)
            isAsleep = true
            await alarm.wait(upTo: max(.milliseconds(1), nextWake - clock.now))
            isAsleep = false
        }
        bells.stop()
        await upkeep
    }

    /// Stops claiming, and stops every attempt at a durable point.
    ///
    /// - Parameter grace: attempts that take longer are left to the lease.
    package func drain(grace: Duration) async {
        handle(.drained)
        let end = clock.now + grace
        while isClaiming || !runs.isEmpty, clock.now < end {
            await runEnded.wait(upTo: end - clock.now)
        }
        isStopped = true
        endIdleTasks()
        alarm.ring()
        bells.stop()
    }

    /// Gives the lease back after the drain, webhooks included; a run that did not end keeps it.
    package func releaseLease() async {
        guard runs.isEmpty else { return }
        await tasks.finish()
        await recorder.finish()
        await tools.tasks.finish()
        await writeLearned()
        do throws(StoreError) {
            try await ledger.unregister()
        } catch {
            log.warn(
                "lease of this replica could not be given back",
                [("error", .string(error.description))])
        }
    }

    /// True until the end of `drain()`.
    var isWorking: Bool { !isStopped }

    /// Passes an event to the conductor and performs its actions.
    func handle(_ event: ConductorEvent) {
        // Before the first look or claim nothing depends on events; facts that remain true are read
        // later.
        guard isReady else { return }
        let actions = conductor.handle(event, at: clock.now)
        let changes = conductor.takeGateChanges()
        if !changes.isEmpty { facts.note(changes, at: clock.now) }
        for action in actions { perform(action) }
        if conductor.network.outage != facts.network { noteNetwork() }
        let known = conductor.known()
        lanes.set(lanes: known.lanes, signatures: known.signatures)
    }

    /// Starts a task that `leave()` waits for.
    func spawn(_ body: @escaping @Sendable (isolated DownloadWorker) async -> Void) {
        tasks.start(on: self, body)
    }

    /// Starts a task on the thread of transfers, so that a run or a claim needs no change of thread
    /// there.
    func spawnBesideTransfers(_ body: @escaping @Sendable (isolated DownloadWorker) async -> Void) {
        tasks.start(on: self, preferring: tools.engine.executor, body)
    }

    /// Notes that a run or a claim is over, for `drain()`.
    func noteEnd() { runEnded.ring() }

    private func perform(_ action: ConductorAction) {
        switch action {
        case .look(let cursor):
            spawn { await $0.look(from: cursor) }
        case .claim(let order):
            spawnBesideTransfers { await $0.claim(order) }
        case .start(let id, let fence):
            guard let claimed = claims.removeValue(forKey: id), claimed.value.fence == fence else {
                return
            }
            // A process that was suspended may not have noticed the end of its lease.
            guard !isLeaseOver else { return handle(.ended(id, fence: fence)) }
            start(claimed)
        case .stop(let id, let fence, let order):
            guard let run = runs[id], run.attempt.claim.fence == fence else { return }
            // A run that has ended is still recorded.
            if order == .abandon { runs[id]?.isGivenUp = !run.attempt.isEnding }
            run.attempt.stop(order)
        case .wake(let instant):
            let isEarlier = instant < nextWake
            nextWake = instant
            if isAsleep, isEarlier { alarm.ring() }
        }
    }
}

// Calls from other parts of the process, from any thread.
extension DownloadWorker {
    /// The share of each flow here so far.
    package var shares: FairShares { conductor.shares }

    /// Notes that a download may be due now.
    package nonisolated func hint() { inbox.post(.hinted) }

    /// Notes that a download is due at an instant, or its deadline is.
    package nonisolated func expect(_ instant: Timestamp) {
        // Later instants are found by a look in time.
        guard instant - clock.now < settings.healInterval else { return }
        inbox.post(.awaited(instant))
    }

    /// Notes that a reader did not find a file that its row names.
    package nonisolated func missed(_ id: Identifier, fence: Int64) {
        missedFiles.note(MissingFiles.File(id: id, fence: fence))
        bells[LostContentCheck.self].ring()
    }

    /// Notes that a client set or moved a deadline, which may be at risk already.
    package nonisolated func deadlineSet() { inbox.post(.deadlineSet) }

    /// Passes a client's order on; a download that runs at another replica is ignored.
    package nonisolated func order(_ id: Identifier, _ order: RunOrder) {
        inbox.post(.ordered(id, order))
    }

    /// Puts another policy in force.
    package nonisolated func replacePolicy(_ policy: Policy, _ zone: TimeZoneRules) {
        inbox.post(.policy(policy, zone))
    }

    /// Notes that a condition was pushed or removed; the facts have the change already.
    package nonisolated func conditionsChanged() { inbox.post(.conditions) }

    /// Notes an event for which sessions may have to be woken.
    package nonisolated func sessionsChanged() { bells[SessionWatch.self].ring() }

    /// Notes that a source was put, changed or asked to look.
    package nonisolated func looksChanged() { bells[SourceWatch.self].ring() }

    /// Takes the functions that begin and stop looks.
    package nonisolated func onLook(_ actions: LookActions) {
        lookActions.withLock { $0 = actions }
        bells[SourceWatch.self].ring()
    }

    /// Notes that a session ends with its client from now on.
    package nonisolated func clientsChanged() { bells[ClientWatch.self].ring() }

    /// Notes that a leader may have ended, so that its followers have to continue.
    package nonisolated func flightsChanged() { bells[FlightWatch.self].ring() }

    /// Changes the limit of a session in bytes a second; nil for none.
    package nonisolated func limitSession(_ key: Int64, to limit: Int64?) {
        inbox.post(.sessionLimit(key, limit))
    }

    /// Changes a download's own limit; a download that runs at another replica is ignored.
    package nonisolated func limitDownload(_ id: Identifier, to limit: Int64?) {
        inbox.post(.downloadLimit(id, limit))
    }

    private func take(_ message: WorkerMessage) {
        switch message {
        case .ordered(let id, let order): handle(.ordered(id, order))
        case .policy(let policy, let zone): takePolicy(policy, zone)
        case .conditions: takeConditions()
        case .deadlineSet: bells[DeadlineWatch.self].ring()
        case .sessionLimit(let key, let limit): takeLimit(ofSession: key, limit)
        case .downloadLimit(let id, let limit): takeLimit(of: id, limit)
        case .awaited(let instant):
            bells[DeadlineExpiry.self].ring(ifAsleepAt: instant)
            handle(.awaited(instant))
        case .hinted: handle(.hinted)
        }
    }

    /// Puts another policy in force, for rates and for the conductor.
    func takePolicy(_ policy: Policy, _ zone: TimeZoneRules) {
        rates.replace(policy.bandwidth, zone: zone)
        applyRates()
        bells[RateWatch.self].ring()
        bells[ConditionProbe.self].ring()
        if downloads.facets.scheme != policy.facets {
            downloads.facets.take(policy.facets)
            bells[FacetDuty.self].ring()
        }
        bells[DeadlineWatch.self].ring()
        bells[BudgetSettlement.self].ring()
        handle(.policyChanged(policy, zone))
        takeConditions()
    }
}
