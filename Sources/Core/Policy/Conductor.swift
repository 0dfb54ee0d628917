// What a replica does next: a pure machine that answers events with actions.

/// Decides what runs: at most one look or claim is under way, never more runs than slots.
///
/// Every event is answered with a look, a claim or a wake, so that nothing waits for ever.
package struct Conductor: Sendable {
    struct Run: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// What is known of a run.
    struct RunFacts {
        let flow: LaneFlow
        /// As what it was given its slot.
        let servingClass: ServingClass
        /// What its flow was charged.
        var cost: Double
        /// Until when its download has time, where it may be stopped for more urgent work.
        var slackUntil: Timestamp?
        /// The orders that it got: none twice.
        var orders: Set<RunOrder> = []
    }

    /// How long the store is left alone after a failure, and a lane that gave nothing.
    package static let rest = Duration.seconds(1)
    /// A lane of which nothing fits before a closing is asked again after so long, if nothing in it
    /// changes.
    package static let unfitRest = Duration.seconds(60)
    /// How long free slots wait for `gathersAtLeast` of them, so that one claim serves all.
    package static let gathering = Duration.milliseconds(15)
    private static let earlyOrdersAtMost = 1024
    /// After so many pages without a claim a sweep is a burden: the next one waits for each page.
    private static let pagesAtOnce = 8
    private static let pagePause = Duration.milliseconds(5)
    /// What came since the last look is read before a claim where that is so long ago: it may be
    /// more urgent than what is known, which would fill each slot that becomes free.
    package static let newsPause = Duration.milliseconds(50)
    /// How long the judgement of known lanes rests, and after what time all are read again.
    private static let judgingPause = Duration.milliseconds(20)
    private static let knownFor = Duration.seconds(600)

    /// The policy that decides, and its zone.
    package private(set) var policy: Policy
    /// The rules of the policy's time zone.
    package private(set) var zone: TimeZoneRules
    /// The volume of the content as it was seen last, less what was claimed since.
    package private(set) var disk: DiskReading?
    /// What is known of conditions.
    package private(set) var conditions: ConditionBook
    /// What the world did so far.
    package private(set) var learned = LearnedFacts()
    /// What is known of budgets.
    package private(set) var budgets = BudgetBook()
    /// Whether the network of this machine is reached.
    package internal(set) var network = NetworkWatch()
    /// How often the store is asked even if nothing hints.
    package var pollInterval: Duration
    private let slotsAtMost: Int
    private(set) var runs: [Run: RunFacts] = [:]
    /// The runs that try whether their origins are reached and have not said so yet.
    var probing: [Run: Int64] = [:]
    var directory = LaneDirectory()
    /// Which limits hold something back.
    var fullGates = FullGates()
    var shares = FairShares()
    var floor = ClassFloor()
    /// What a download of unknown size is expected to bring: an average of those that ended.
    private(set) var typicalBytes = FairShares.unknownBytes
    /// The lanes that are known, and which of them are open.
    var index: LaneIndex
    /// Which lanes need not be read again.
    var coverage = LaneCoverage()
    /// How the policy's windows stand, and how long they do.
    var windows = WindowStates()
    /// Where the next look goes on, or where the one under way began.
    private(set) var cursor = LaneCursor.start
    /// A sweep has further pages.
    private var isSweeping = false
    /// The look under way begins a sweep.
    private var isFirstPage = true
    /// There are lanes in the index that may be open and were not judged.
    private var isIndexUnread = false
    /// Since when lanes that were read need not be read again.
    private var knownSince = Timestamp.epoch
    /// Pages in a row that led to no claim, and until when the next sweep waits for that.
    private var vainPages = 0
    private var sweepsFrom = Timestamp.epoch
    /// Nothing was claimed from the directory since it came.
    private var isDirectoryFresh = false
    private var isLooking = false
    private var isClaiming = false
    /// The lease was lost while a claim was under way: what it brings is not ours.
    private var isClaimVoid = false
    private var isDraining = false
    private var isHinted = true
    /// There may be lanes that were not read since the last sweep began, and from when on they are
    /// read before a claim.
    private var hasNews = false
    private var newsFrom = Timestamp.epoch
    private var asked = ClaimOrder([], total: 0)
    /// The last claim that was answered brought less than it asked for.
    private(set) var wasShort = false
    /// What lower classes have saved once the claim under way has brought something.
    private var claimedFloor = ClassFloor()
    /// Orders for downloads that a claim under way may bring.
    private var earlyOrders: [Identifier: RunOrder] = [:]
    var nextLook = Timestamp.epoch
    private var restsUntil = Timestamp.epoch
    private var gathersUntil = Timestamp.epoch
    /// When a full replica looks again for work that a run is stopped for.
    private var yieldsFrom = Timestamp.epoch

    /// A replica with nothing to do yet.
    ///
    /// - Parameters:
    ///   - policy: the policy in force.
    ///   - zone: the rules of its time zone.
    ///   - slots: how many may run here at once where the policy does not say.
    ///   - pollInterval: how often the store is asked without a hint.
    package init(policy: Policy, zone: TimeZoneRules, slots: Int, pollInterval: Duration) {
        precondition(slots > 0, "a replica without slots runs nothing")
        self.policy = policy
        self.zone = zone
        let conditions = ConditionBook(policy, at: .epoch)
        self.conditions = conditions
        index = LaneIndex(
            Situation(now: .epoch, policy: policy, zone: zone, conditions: conditions))
        floor.part = policy.shares.discretionaryFloor
        self.pollInterval = pollInterval
        slotsAtMost = slots
    }

    /// How many run.
    package var runningCount: Int { runs.count }

    /// How many more may run.
    package var freeSlots: Int { max(0, capacity - runs.count) }

    /// How many lanes are known, and how many sets of rules they match.
    ///
    /// It changes nothing; a getter of another module is called with a copy of the whole.
    package mutating func known() -> (lanes: Int, signatures: Int) {
        (index.count, index.signatureCount)
    }

    /// Whether something that is due may wait for room on the volume.
    package var awaitsRoom: Bool { directory.nextAttempt != nil }

    /// So many free slots wait for no others: half of many, few of few.
    private var gathersAtLeast: Int { max(capacity / 8, capacity / 2 - 8) }

    var capacity: Int {
        min(policy.limits.perReplica ?? slotsAtMost, policy.limits.running ?? .max)
    }

    /// Handles an event and returns what to do.
    package mutating func handle(
        _ event: ConductorEvent, at now: Timestamp
    ) -> [ConductorAction] {
        // A clock that was set back must not put the next look off.
        nextLook = min(nextLook, now + pollInterval)
        restsUntil = min(restsUntil, now + Conductor.rest)
        sweepsFrom = min(sweepsFrom, now + Conductor.rest)
        yieldsFrom = min(yieldsFrom, now + Conductor.rest)
        gathersUntil = min(gathersUntil, now + Conductor.gathering)
        newsFrom = min(newsFrom, now + Conductor.newsPause)
        network.adjust(to: now)
        var actions: [ConductorAction] = []
        switch event {
        case .hinted:
            hint(at: now)
        case .lanesLoaded(let page):
            take(page, at: now)
        case .claimed(let claims, let due):
            actions += take(claims, due, at: now)
        case .storeFailed:
            isLooking = false
            endClaim()
            restart()
            restsUntil = now + Conductor.rest
        case .ended(let id, let fence, let bytes):
            end(Run(id: id, fence: fence), bytes: bytes)
            // Ends are recorded together and reported one by one.
            if gathersUntil <= now { gathersUntil = now + Conductor.gathering }
            // Its end may have made room at a gate that the directory shows as full.
            isHinted = true
        case .arrived(let counts):
            for count in counts {
                let run = Run(id: count.id, fence: count.fence)
                charge(run, bytes: count.bytes)
                runs[run]?.slackUntil = count.slackUntil
            }
        case .ordered(let id, let order):
            actions += pass(order, to: id)
        case .awaited(let instant):
            nextLook = min(nextLook, instant)
        case .diskRead(let reading):
            if awaitsRoom, let disk, reading.room > disk.room { hint(at: now) }
            disk = reading
        case .conditionsChanged(let conditions):
            self.conditions = conditions
        case .learned(let facts):
            learned = facts
        case .told(let news, let origin): learn(news, of: origin, at: now)
        case .budgetsRead(let readings):
            budgets.take(readings)
        case .policyChanged(let policy, let zone):
            self.policy = policy
            self.zone = zone
            budgets.prepare(policy, zone: zone, at: now, isNew: true)
            floor.part = policy.shares.discretionaryFloor
            conditions.take(policy, at: now)
            windows = WindowStates()
            forgetLanes(at: now)
        case .leaseLost:
            isClaimVoid = isClaiming
            actions += stopAll(.abandon)
        case .drained:
            isDraining = true
            actions += stopAll(.release)
        case .ticked:
            renewLanes(at: now)
        }
        let more = proceed(at: now)
        return actions.isEmpty ? more : actions + more
    }

    /// Something came that may begin, or room for what is there.
    mutating func hint(at now: Timestamp) {
        isHinted = true
        hasNews = true
        directory.hint(at: now)
    }

    /// What was read may be wrong: the next look begins a sweep.
    private mutating func restart() {
        giveBackLanes()
        isSweeping = false
        isFirstPage = true
        isHinted = true
        hasNews = true
    }

    /// Reads all lanes again from time to time: what is gone or came unseen is wrong no longer.
    private mutating func renewLanes(at now: Timestamp) {
        guard now >= knownSince + Conductor.knownFor || now < knownSince else { return }
        // The sweep that began then has read all that was there.
        index.forget(readBefore: min(knownSince, now))
        coverage.forget()
        if index.count > 0 || !directory.lanes.isEmpty { isHinted = true }
        hasNews = isHinted
        knownSince = now
    }

    /// All that is known of lanes is read and judged again.
    private mutating func forgetLanes(at now: Timestamp) {
        index = LaneIndex(situation(at: now))
        coverage.forget()
        restart()
    }

    private mutating func take(_ page: LanePage, at now: Timestamp) {
        isLooking = false
        newsFrom = now + Conductor.newsPause
        isDirectoryFresh = true
        let isFirst = isFirstPage
        isFirstPage = false
        var page = page
        for place in page.heads.indices { page.heads[place].weigh(by: policy.shares) }
        enter(page, isFirst: isFirst, at: now)
        noteGates(of: page.heads)
        isSweeping = page.next != nil
        cursor = page.next ?? .start
        nextLook = isFirst ? now + pollInterval : min(nextLook, now + pollInterval)
        // One that is due by the database's clock is not far from it by ours.
        if let due = page.nextDue { nextLook = min(nextLook, max(due, now + .milliseconds(1))) }
        vainPages += 1
        guard !isSweeping, vainPages > Conductor.pagesAtOnce else { return }
        sweepsFrom = now + min(Conductor.rest, Conductor.pagePause * vainPages)
    }

    private mutating func take(
        _ claims: [ClaimedRun], _ due: [Int64: Timestamp], at now: Timestamp
    ) -> [ConductorAction] {
        let isShort = claims.count < asked.total
        wasShort = isShort
        var given: [Int64: Int] = [:]
        for claim in claims { given[claim.lane, default: 0] += 1 }
        learnProbes(claims, of: asked, at: now)
        let served = claims.isEmpty ? Set(runs.values.map(\.flow.origin)) : []
        for quota in asked.quotas {
            let lane = quota.head.lane
            guard let instant = due[lane] else {
                drop(lane)
                continue
            }
            directory.move(lane, to: instant)
            index.move(lane, to: instant)
            guard isShort, instant <= now, given[lane, default: 0] < quota.count else { continue }
            // It gave less than there is: a gate is full, or what waits does not fit.
            drop(lane)
            guard claims.isEmpty else { continue }
            if let room = quota.room {
                var head = quota.head
                head.runAt = instant
                // Rates, budgets and gates of other replicas change what fits, too.
                let until = min(room.closesAt, now + Conductor.unfitRest)
                directory.leave(unfit: head, until: max(until, now + Conductor.rest), at: now)
            } else if !served.contains(quota.head.originKey) {
                // While runs of its origin are here, the gate may be full by those: a look may have
                // left out runs whose `ended` event comes later. The next such event looks again.
                directory.leave(lane, until: now + Conductor.rest)
            }
        }
        // The slots that are left may be for a lane that gave less, or for one that came up since.
        // A fresh directory that brought nothing is not asked again at once.
        if isShort, !claims.isEmpty || !isDirectoryFresh { isHinted = true }
        if !claims.isEmpty {
            floor = claimedFloor
            floor.part = policy.shares.discretionaryFloor
            vainPages = 0
        }
        isDirectoryFresh = false
        for claim in claims { disk?.promise(claim.need) }
        let flows = Dictionary(
            asked.quotas.map { ($0.head.lane, $0.head.flow) }, uniquingKeysWith: { $1 })
        let actions = claims.flatMap { begin($0, as: flows[$0.lane] ?? $0.flow) }
        noteGates(of: asked.quotas.map(\.head))
        endClaim()
        return actions
    }

    private mutating func endClaim() {
        isClaiming = false
        isClaimVoid = false
        asked = ClaimOrder([], total: 0)
        earlyOrders = [:]
    }

    private mutating func begin(
        _ claim: ClaimedRun, as flow: LaneFlow
    ) -> [ConductorAction] {
        let run = Run(id: claim.id, fence: claim.fence)
        let cost = claim.need > 0 ? FairShares.cost(bytes: claim.need) : typicalBytes
        let kind = claim.schedulingClass
        let isGuarded = asked.quotas.contains { $0.head.lane == claim.lane && $0.isGuarded }
        runs[run] = RunFacts(
            flow: flow, servingClass: isGuarded ? ServingClass(near: kind) : ServingClass(kind),
            cost: cost)
        if claim.isProbe { probing[run] = flow.origin }
        shares.serve(flow, bytes: cost)
        directory.count(flow, by: 1)
        let start = ConductorAction.start(claim.id, fence: claim.fence)
        let ordered = earlyOrders[claim.id] == .cancel ? .cancel : claim.order
        guard
            let order = isClaimVoid
                ? .abandon : ordered ?? earlyOrders[claim.id] ?? (isDraining ? .release : nil)
        else { return [start] }
        return [start] + stop(run, order)
    }

    /// A run that brings more than it was charged for is charged for that at once: its flow does
    /// not get further slots meanwhile as if it had not.
    private mutating func charge(_ run: Run, bytes: Int64) {
        guard let facts = runs[run], Double(bytes) > facts.cost else { return }
        shares.correct(facts.flow, by: Double(bytes) - facts.cost)
        runs[run]?.cost = Double(bytes)
    }

    private mutating func end(_ run: Run, bytes: Int64?) {
        guard let facts = runs.removeValue(forKey: run) else { return }
        probing[run] = nil
        directory.count(facts.flow, by: -1)
        noteGates(after: facts.flow)
        guard let bytes else { return }
        let cost = max(FairShares.leastBytes, Double(bytes))
        shares.correct(facts.flow, by: cost - facts.cost)
        typicalBytes += (cost - typicalBytes) / 16
    }

    private mutating func pass(_ order: RunOrder, to id: Identifier) -> [ConductorAction] {
        // After a lost lease the same download may run twice here, the older run being stopped.
        let run = runs.keys.filter { $0.id == id }.max { $0.fence < $1.fence }
        if isClaiming, earlyOrders.count < Conductor.earlyOrdersAtMost,
            earlyOrders[id] != .cancel
        {
            earlyOrders[id] = order
        }
        return run.map { stop($0, order) } ?? []
    }

    private mutating func stop(_ run: Run, _ order: RunOrder) -> [ConductorAction] {
        guard runs[run]?.orders.insert(order).inserted == true else { return [] }
        return [.stop(run.id, fence: run.fence, order)]
    }

    private mutating func stopAll(_ order: RunOrder) -> [ConductorAction] {
        runs.keys.sorted { ($0.id, $0.fence) < ($1.id, $1.fence) }.flatMap { stop($0, order) }
    }

    private mutating func proceed(at now: Timestamp) -> [ConductorAction] {
        guard !isDraining, !isLooking, !isClaiming else { return [.wake(at: now + pollInterval)] }
        guard now >= restsUntil else { return [.wake(at: restsUntil)] }
        if now < gathersUntil, !runs.isEmpty, freeSlots < gathersAtLeast {
            return [.wake(at: gathersUntil)]
        }
        if directory.expire(at: now, longest: Conductor.rest) { isHinted = true }
        if policy.hasBudgets { budgets.prepare(policy, zone: zone, at: now) }
        let situation = situation(at: now)
        index.advance(to: situation)
        if freeSlots > 0, hasNews, !isSweeping, now >= newsFrom { return look() }
        if freeSlots > 0, !directory.isBarren, let plan = proposal(in: situation) {
            isClaiming = true
            asked = plan.order
            claimedFloor = plan.floor
            return [.claim(plan.order)]
        }
        if let run = yielding(in: situation) { return stop(run, .yield) + [.wake(at: nextLook)] }
        // A full replica looks for more urgent work while a run may be stopped for it.
        if isHinted, isFull(situation), now >= yieldsFrom, runs.values.contains(where: \.mayYield) {
            yieldsFrom = now + Conductor.rest
            return look()
        }
        let mayGoOn = isHinted || isSweeping
        if mayGoOn, freeSlots > 0, now >= sweepsFrom || now >= nextLook {
            return look()
        }
        if now >= nextLook { return look() }
        var next = nextWake(in: situation)
        if mayGoOn, freeSlots > 0 { next = min(next, sweepsFrom) }
        if isIndexUnread, freeSlots > 0 { next = min(next, now + Conductor.judgingPause) }
        return [.wake(at: next)]
    }

    /// A claim of lanes that are known to be open; nil where none can be asked.
    private mutating func proposal(
        in situation: Situation
    ) -> (order: ClaimOrder, floor: ClassFloor)? {
        while true {
            let room = LaneDirectory.lanesAtMost - directory.lanes.count
            let (heads, hasMore) = index.take(min(room, Conductor.lanesAtOnce))
            isIndexUnread = hasMore && room > 0
            for head in heads { directory.add(head) }
            if let plan = plan(in: situation) { return plan }
            guard heads.isEmpty else { continue }
            // As many as are asked at once, and no place for any: others are found by reading.
            if room <= 0, hasMore, !coverage.marks.isEmpty {
                coverage.forget()
                isHinted = true
                hasNews = true
            }
            return nil
        }
    }

    private mutating func look() -> [ConductorAction] {
        if !isSweeping {
            isHinted = false
            hasNews = false
            cursor = coverage.cursor
        }
        isFirstPage = !isSweeping
        isLooking = true
        return [.look(cursor)]
    }
}
