// Performs what the conductor decides.
internal import Content
package import Core
internal import Crypto
internal import Platform
internal import Store
internal import Synchronization
package import Transfers

/// One replica's worker: claims, runs and records; its other duties are in `Upkeep`.
///
/// Calls from other parts of the process go through one ordered inbox. It sleeps until there is
/// a message, an answer, or the instant that the conductor named.
package actor DownloadWorker {
    /// A download that runs here.
    struct Run {
        let attempt: AttemptRun
        var reported: Int64 = 0
        var checkpointAt: Timestamp
        var toldAt: Timestamp
        /// The bytes that the last progress event named.
        var told: Int64
        /// It was stopped because it is not this replica's any more, and writes nothing.
        var isGivenUp = false
        /// What the budgets have counted of it; nil before, and where none counts it.
        var counted: CountedRun?
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
    /// What was measured of the world here, and is known of it.
    package nonisolated let learnedGauge = LearnedGauge()
    /// What the conductor knows of lanes.
    package nonisolated let lanes = LaneGauge()
    /// Files that readers did not find here.
    nonisolated let missedFiles = MissedFiles()
    /// How old the lease is.
    package nonisolated let leaseGauge = LeaseGauge()
    /// What waits, counted while metrics are scraped.
    package nonisolated let queueGauge: QueueGauge
    /// What became of wakes here.
    package nonisolated let wakes = WakeTally()
    /// How attempts ended here.
    package nonisolated let tally = AttemptTally()
    /// Whether news of other replicas are sent here, so that they need not be asked for.
    nonisolated let isListening = Atomic(false)
    /// What the engine does right now.
    package nonisolated var transfers: TransferGauges { tools.engine.gauges }
    let register: @Sendable () async throws(StoreError) -> (ledger: Ledger, now: Timestamp)
    let downloads: Downloads
    let history: History
    let delivered: @Sendable () -> Void
    let peersSeen: @Sendable (Int) -> Void
    let policyOfVersion: @Sendable (Int64) async -> (Policy, TimeZoneRules)?
    /// What decides here and explains in the API.
    let facts: FactsInForce
    /// The conditions that are pushed.
    let conditions: Conditions
    let duties: [any Duty]
    let bells: DutyBells
    private let inbox: WorkerInbox
    private let alarm = Alarm()
    private var nextWake = Timestamp.epoch
    /// Whether the loop sleeps until `nextWake`.
    private var isAsleep = false
    /// Nothing is claimed before the lease was renewed and the volume read.
    private var isReady = false
    private var isStopped = false
    /// Rung at the end of each run.
    private let runEnded = Alarm()
    /// Looks, claims and runs.
    private let tasks = TaskOwner()
    /// Runs that no task has yet, and tasks whose run is over; see `DownloadWorker+Tasks.swift`.
    var waitingRuns: [WaitingRun] = []
    var idleTasks: [CheckedContinuation<Void, Never>] = []
    var conductor: Conductor
    /// What was claimed and has not begun.
    var claims: [Identifier: ClaimedDownload.Box] = [:]
    var isClaiming = false
    /// Whether a statement with progress and checkpoints is on its way.
    var isWritingProgress = false
    var lease: LeaseClock
    /// A claim got no answer: the database may hold runs that this process does not know.
    var isClaimUncertain = false
    /// When a claim was sent last, by the boot clock in nanoseconds.
    var claimedAt: Int64?
    /// When the volume was read last, by the boot clock in nanoseconds.
    var diskReadAt: Int64?
    /// When the clock was noted for other processes, by the boot clock in nanoseconds.
    var clockNotedAt: Int64?
    /// A jump of the clock is not noted yet.
    var isClockNoteDue = false
    var wasClockSteady = true
    let volumeLane = FileLane(label: "volume")
    var random = SystemRandomNumberGenerator()
    var ledger: Ledger
    /// What the last heartbeat answered of the other replicas.
    var peers = HeartbeatAnswer.Peers()
    /// The version of the policy as the last heartbeat answered it.
    var policyVersion: Int64 = 0
    var runs: [Identifier: Run] = [:]
    var rates: RateBook
    var rateOrder = RateOrder()
    /// What was measured of the world and is not written yet.
    var learnedBook = LearnedBook()
    /// When the link was slow the last time.
    var linkSlowAt: Timestamp?
    /// Counts the limits that clients changed here.
    var limitChanges = 0

    /// Stores; `run()` begins.
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
        history = parts.history
        delivered = parts.delivered
        let reader = RequestReader(downloads: parts.downloads, box: parts.secrets)
        policyOfVersion = parts.policyOfVersion
        peersSeen = parts.peersSeen
        rates = RateBook(policy.bandwidth, zone: zone)
        inbox = WorkerInbox(bell: alarm)
        duties = Upkeep.duties(settings)
        bells = DutyBells(duties)
        let (sessions, flights) = (bells[SessionWatch.self], bells[FlightWatch.self])
        let census = bells[QueueCensus.self]
        queueGauge = QueueGauge { census.ring() }
        let smallBlocks = BlockPool.small()
        tools = AttemptTools(
            engine: parts.engine, content: parts.content,
            lanes: (0..<settings.fileLanes).map {
                WriteLane(label: String($0), pool: smallBlocks)
            }, smallBlocks: smallBlocks,
            clock: parts.clock, settings: settings,
            request: { await reader.read($0) })
        recorder = Recorder(
            executor: parts.engine.executor, content: parts.content, settings: settings,
            clock: parts.clock, log: parts.log, tally: tally, delivered: parts.delivered,
            sessionsChanged: { sessions.ring() }, flightsChanged: { flights.ring() })
        conductor = Conductor(
            policy: policy, zone: zone, slots: settings.slots,
            pollInterval: settings.pollInterval)
    }

    /// How many run.
    package var runningCount: Int { runs.count }

    /// Works until `drain()` has ended.
    package func run() async {
        // The time since the registration may have been long.
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

    /// Gives the lease back after the drain, webhooks included; what did not end keeps it.
    package func leave() async {
        guard runs.isEmpty else { return }
        await tasks.finish()
        await recorder.finish()
        await tools.tasks.finish()
        await writeLearned()
        do throws(StoreError) {
            try await ledger.leave()
        } catch {
            log.warn("lease not given back", [("error", .string(error.description))])
        }
    }

    /// True until the end of `drain()`.
    var isWorking: Bool { !isStopped }

    /// Hands an event to the conductor and performs what it answers.
    func handle(_ event: ConductorEvent) {
        // Without a look or a claim nothing depends on events yet; what stays true is read later.
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

    /// The same where transfers run: what a run or a claim does there costs no change of thread.
    func spawnBesideTransfers(_ body: @escaping @Sendable (isolated DownloadWorker) async -> Void) {
        tasks.start(on: self, preferring: tools.engine.executor, body)
    }

    /// A run or a claim is over; `drain()` may go on.
    func noteEnd() { runEnded.ring() }

    private func perform(_ action: ConductorAction) {
        switch action {
        case .look(let cursor):
            spawn { await $0.look(from: cursor) }
        case .claim(let order):
            spawnBesideTransfers { await $0.claim(order) }
        case .start(let id, let fence):
            guard let claimed = claims.removeValue(forKey: id), claimed.claim.fence == fence else {
                return
            }
            // A process that was stopped meanwhile may not have noticed yet.
            guard !isLeaseOver else { return handle(.ended(id, fence: fence)) }
            start(claimed)
        case .stop(let id, let fence, let order):
            guard let run = runs[id], run.attempt.claim.fence == fence else { return }
            // One that has ended already is still to be recorded.
            if order == .abandon { runs[id]?.isGivenUp = !run.attempt.isEnding }
            run.attempt.stop(order)
        case .wake(let instant):
            let isEarlier = instant < nextWake
            nextWake = instant
            if isAsleep, isEarlier { alarm.ring() }
        }
    }
}

// What other parts of the process hand in; callable from anywhere.
extension DownloadWorker {
    /// The shares that each flow has got here so far.
    package var shares: FairShares { conductor.shares }

    /// Something may be due now.
    package nonisolated func hint() { inbox.post(.hinted) }

    /// Something is due at an instant: a download may begin then, or its time is over.
    package nonisolated func expect(_ instant: Timestamp) {
        // What is later is found by a look before.
        guard instant - clock.now < settings.healInterval else { return }
        inbox.post(.awaited(instant))
    }

    /// A reader did not find a file as its row says.
    package nonisolated func missed(_ id: Identifier, fence: Int64) {
        missedFiles.note(MissingFiles.File(id: id, fence: fence))
        bells[LostContent.self].ring()
    }

    /// A client set or moved a deadline, which may be at risk already.
    package nonisolated func deadlineSet() { inbox.post(.deadlineSet) }

    /// Passes a client's order on; a download that runs elsewhere is not touched.
    package nonisolated func order(_ id: Identifier, _ order: RunOrder) {
        inbox.post(.ordered(id, order))
    }

    /// Puts another policy in force.
    package nonisolated func replacePolicy(_ policy: Policy, _ zone: TimeZoneRules) {
        inbox.post(.policy(policy, zone))
    }

    /// A condition was pushed or removed, and is in the facts already.
    package nonisolated func conditionsChanged() { inbox.post(.conditions) }

    /// Something has happened that sessions may have to be woken for.
    package nonisolated func sessionsChanged() { bells[SessionWatch.self].ring() }

    /// A download may have stopped bringing bytes for others.
    package nonisolated func flightsChanged() { bells[FlightWatch.self].ring() }

    /// A session has another limit in bytes a second; nil for none.
    package nonisolated func limitSession(_ key: Int64, to limit: Int64?) {
        inbox.post(.sessionLimit(key, limit))
    }

    /// A download has another limit of its own; one that runs elsewhere is not touched.
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
            bells[Deadlines.self].ring(ifAsleepAt: instant)
            handle(.awaited(instant))
        case .hinted: handle(.hinted)
        }
    }

    /// Puts another policy in force, for rates and for what may begin.
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
