// Decides the next actions of a replica: a pure machine that answers events with actions.
package import Base
internal import Downloads

/// Decides which downloads begin: at most one look or claim is under way, and there are never more
/// runs than slots.
///
/// The answer to every event has a look, a claim or a wake, so that no download waits for ever.
package struct Conductor: Sendable {
    struct Run: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// The conductor's record of a run.
    struct RunFacts {
        let flow: LaneFlow
        /// The class as which it was given its slot.
        let servingClass: ServingClass
        /// The bytes that its flow was charged.
        var cost: Double
        /// The time until which its download has time; nil if it may not be stopped for more urgent
        /// work.
        var slackUntil: Timestamp?
        /// The orders that it was given; each is given once.
        var orders: Set<RunOrder> = []
    }

    /// The pause after a failure of the store, and for a lane that waits for the result of a probe.
    package static let rest = Duration.seconds(1)
    /// The pause for a lane of which no download fits before a closing, if nothing in it changes.
    package static let unfitRest = Duration.seconds(60)
    /// The time for which free slots are gathered, up to `gathersAtLeast` of them, so that one
    /// claim serves all.
    package static let gathering = Duration.milliseconds(15)
    private static let earlyOrdersAtMost = 1024
    /// The request to the store that is under way.
    enum StoreRequest {
        case none
        case looking(LaneCursor)
        /// `floor` holds what lower classes have saved once the claim has brought something;
        /// `isVoid` means that the lease was lost meanwhile, so that the claimed runs belong to
        /// another owner.
        case claiming(ClaimOrder, floor: ClassFloor, isVoid: Bool)
    }

    /// The state of a sweep, which reads all lanes page by page.
    private enum Sweep {
        /// All lanes were read; the next sweep begins at an instant.
        case over(next: Timestamp)
        case underWay(LaneCursor, since: Timestamp)
    }

    /// The number of pages without a claim after which a sweep pauses before each page, to spare
    /// the database.
    private static let pagesAtOnce = 8
    private static let pagePause = Duration.milliseconds(5)
    /// The pause between two pages of a sweep at a full replica.
    private static let fullPagePause = Duration.milliseconds(20)
    /// The time after an announcement at which a look comes before the next claim, unless half of
    /// the slots were given away earlier.
    package static let newsPause = Duration.milliseconds(50)
    /// The pause before more known lanes are judged.
    private static let judgingPause = Duration.milliseconds(20)
    /// The pause between two sweeps; with few lanes there is one at every poll.
    private static let knownFor = Duration.seconds(600)
    private static let readOftenAtMost = 1024
    /// The pause after which the deadlines of a lane are judged again.
    static let guardPause = Duration.seconds(60)
    /// The most lanes that are noted to be read by number.
    static let againAtMost = 131_072
    /// The most lanes at full gates that one look reads.
    private static let gatesAtOnce = 256
    private static let gatesPause = Duration.milliseconds(200)

    /// The policy in force.
    package private(set) var policy: Policy
    /// The rules of the policy's time zone.
    package private(set) var zone: TimeZoneRules
    /// The last reading of the content's volume, less the bytes claimed since.
    package internal(set) var disk: DiskReading?
    /// The values of conditions.
    package private(set) var conditions: ConditionBook
    /// The learned rates, sizes and progress.
    package private(set) var learned = LearnedFacts()
    /// The readings of budgets.
    package private(set) var budgets = BudgetBook()
    /// Whether the network of this machine is reached.
    package internal(set) var network = NetworkWatch()
    /// The interval at which the store is asked without a hint.
    package var pollInterval: Duration
    private let slotsAtMost: Int
    var runs: [Run: RunFacts] = [:]
    /// The origins of runs that probe them and have no result yet.
    var probing: [Run: Int64] = [:]
    /// The lanes that are known.
    var book: LaneBook
    /// The limits that hold downloads back.
    var fullGates = FullGates()
    var floor = ClassFloor()
    /// The expected bytes of a download of unknown size: an average over ended ones.
    var typicalBytes = FairShares.unknownBytes
    /// The states of the policy's windows, and how long they last.
    var windows = WindowStates()
    var storeRequest = StoreRequest.none
    private var sweep = Sweep.over(next: .epoch)
    /// The place in the changes of lanes from which they are read; nil if the store does not report
    /// them.
    private(set) var changePosition: LaneChangePosition?
    /// Lanes that are read by number before they are claimed again.
    var again: Set<Int64> = []
    /// The earliest time for the next reading of lanes at full gates.
    private var gatesFrom = Timestamp.epoch
    /// Whether the last look left out the lanes at full gates, so that they are still to be read.
    private var owesGates = false
    /// Whether the last plan ended before it had examined all lanes.
    var isPlanCut = false
    /// Whether the book has lanes that may be open and were not judged yet.
    private var isBookUnread = false
    /// The number of pages in a row that led to no claim; below, the time until which the next look
    /// waits for that reason.
    var vainPages = 0
    private var looksFrom = Timestamp.epoch
    /// The time at which a full replica reads the next page of a sweep.
    private var pageFrom = Timestamp.epoch
    /// The number of downloads that began since the last look.
    var begun = 0
    /// Whether nothing was claimed since the last look.
    var isBookFresh = false
    var isDraining = false
    var isHinted = true
    /// Whether there may be lanes that were not read yet; below, the time from which they are read
    /// before a claim.
    var hasNews = false
    private var newsFrom = Timestamp.epoch
    /// Whether the last answered claim brought less than it asked for.
    var wasShort = false
    /// Orders for downloads that a claim in progress may bring.
    var earlyOrders: [Identifier: RunOrder] = [:]
    var nextLook = Timestamp.epoch
    private var restsUntil = Timestamp.epoch
    private var gathersUntil = Timestamp.epoch
    /// The time at which a full replica looks again for work for which a run is stopped.
    private var yieldsFrom = Timestamp.epoch

    /// Creates the conductor of a replica without runs.
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
        book = LaneBook(
            Situation(now: .epoch, policy: policy, zone: zone, conditions: conditions))
        floor.part = policy.shares.discretionaryFloor
        self.pollInterval = pollInterval
        slotsAtMost = slots
    }

    /// The share of each flow so far.
    package var shares: FairShares { book.queue.shares }

    /// The number of runs.
    package var runningCount: Int { runs.count }

    /// The number of free slots.
    package var freeSlots: Int { max(0, capacity - runs.count) }

    /// The number of known lanes, and of the different sets of rules that they match.
    ///
    /// Mutating although it changes nothing, because a getter that another module calls gets a copy
    /// of the whole value.
    package mutating func known() -> (lanes: Int, signatures: Int) {
        (book.count, book.index.signatureCount)
    }

    /// Whether lanes rest that gave no download, perhaps because none has room on the volume.
    package var hasRestingLanes: Bool { book.nextAttempt != nil }

    /// Some of these lanes, up to twice a number, those that rest longest among them.
    package func restingLanes(_ most: Int) -> [Int64] { book.restingLanes(most) }

    /// The number of begins after which new lanes are read before further downloads begin.
    private var turnover: Int { max(2, capacity / 2) }

    /// The number of begins after which the next page of a sweep is read before further downloads
    /// begin.
    private var pageTurn: Int { max(2, min(32, capacity) / 2) }

    /// The number of free slots that are used at once, without gathering more: half of many slots,
    /// an eighth of few.
    private var gathersAtLeast: Int { max(capacity / 8, capacity / 2 - 8) }

    var capacity: Int {
        min(policy.limits.perReplica ?? slotsAtMost, policy.limits.running ?? .max)
    }

    /// Handles an event and returns the actions that follow.
    package mutating func handle(
        _ event: ConductorEvent, at now: Timestamp
    ) -> [ConductorAction] {
        adjust(to: now)
        var actions: [ConductorAction] = []
        switch event {
        case .hinted:
            hint(at: now)
        case .lanesLoaded(let page):
            take(page, at: now)
        case .claimed(let claims, let due):
            actions += take(claims, due, at: now)
        case .storeFailed:
            storeRequest = .none
            earlyOrders = [:]
            restart()
            restsUntil = now + Conductor.rest
        case .ended(let id, let fence, let bytes):
            end(Run(id: id, fence: fence), bytes: bytes)
            // Ends are recorded together and reported one by one, so more slots may become free at
            // once.
            if gathersUntil <= now { gathersUntil = now + Conductor.gathering }
            // The end of a run may have made room at a gate that the book shows as full.
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
            // While the volume is full nothing is claimed, so it is not known whether a download
            // waits for room.
            if let disk, reading.room > disk.room, hasRestingLanes || !disk.admits(0) {
                book.noteRoom()
                hint(at: now)
            }
            disk = reading
        case .conditionsChanged(let conditions):
            self.conditions = conditions
        case .learned(let facts):
            learned = facts
        case .told(let result, let origin): learn(result, of: origin, at: now)
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
            if case .claiming(let order, let floor, _) = storeRequest {
                storeRequest = .claiming(order, floor: floor, isVoid: true)
            }
            actions += stopAll(.abandon)
        case .drained:
            isDraining = true
            actions += stopAll(.release)
        case .ticked: break
        }
        let more = proceed(at: now)
        return actions.isEmpty ? more : actions + more
    }

    /// Limits all instants, so that a clock that was set back does not delay the next look.
    private mutating func adjust(to now: Timestamp) {
        nextLook = min(nextLook, now + pollInterval)
        restsUntil = min(restsUntil, now + Conductor.rest)
        looksFrom = min(looksFrom, now + Conductor.rest)
        pageFrom = min(pageFrom, now + Conductor.rest)
        gatesFrom = min(gatesFrom, now + Conductor.gatesPause)
        if case .over(let next) = sweep, next > now + Conductor.knownFor {
            sweep = .over(next: now + Conductor.knownFor)
        }
        yieldsFrom = min(yieldsFrom, now + Conductor.rest)
        gathersUntil = min(gathersUntil, now + Conductor.gathering)
        newsFrom = min(newsFrom, now + Conductor.newsPause)
        network.adjust(to: now)
    }

    /// Notes that there may be a new download, or room for a waiting one.
    mutating func hint(at now: Timestamp) {
        isHinted = true
        hasNews = true
        book.hint(at: now)
    }

    /// Notes that the known lanes may be wrong: the next look begins a sweep.
    private mutating func restart() {
        sweep = .over(next: .epoch)
        changePosition = nil
        again = []
        isHinted = true
        hasNews = true
        newsFrom = .epoch
    }

    /// Forgets all lanes, which are read and judged again; the shares of flows stay.
    private mutating func forgetLanes(at now: Timestamp) {
        let shares = book.queue.shares
        let running = book.gate(.deployment)
        book = LaneBook(situation(at: now))
        book.queue = LaneQueue(shares: shares)
        book.note(running, of: .deployment)
        restart()
    }

    private mutating func take(_ page: LanePage, at now: Timestamp) {
        var asked = LaneCursor.start
        if case .looking(let cursor) = storeRequest {
            asked = cursor
            storeRequest = .none
        }
        newsFrom = now + Conductor.newsPause
        pageFrom = now + Conductor.fullPagePause
        isBookFresh = true
        var page = page
        for place in page.heads.indices { page.heads[place].weigh(by: policy.shares) }
        let isFull = enter(page, asked: asked, at: now)
        noteGates(of: page.heads)
        changePosition = page.changePosition
        if changePosition?.after != nil {
            hint(at: now)
            newsFrom = now
        }
        var isFirst = asked.readsChangesOnly
        if !asked.readsChangesOnly, case .underWay(let place, let since) = sweep {
            isFirst = place == .start
            if let next = page.next {
                sweep = .underWay(next, since: since)
            } else {
                endSweep(since: since, isFull: isFull, at: now)
            }
        }
        nextLook = isFirst ? now + pollInterval : min(nextLook, now + pollInterval)
        // A lane that is due by the database's clock is almost due by the clock of this process.
        if let due = page.nextDue { nextLook = min(nextLook, max(due, now + .milliseconds(1))) }
        vainPages += 1
        guard !isSweeping, vainPages > Conductor.pagesAtOnce else { return }
        looksFrom = now + min(Conductor.rest, Conductor.pagePause * vainPages)
    }

    private var isSweeping: Bool {
        if case .underWay = sweep { true } else { false }
    }

    /// Ends a sweep: known lanes that it did not find have no downloads, or changed while it
    /// passed.
    private mutating func endSweep(since: Timestamp, isFull: Bool, at now: Timestamp) {
        for lane in book.index.lanes(readBefore: since) {
            if changePosition == nil { book.remove(lane) } else { again.insert(lane) }
        }
        let pause = book.count <= Conductor.readOftenAtMost ? pollInterval : Conductor.knownFor
        sweep = .over(next: now + (isFull ? Conductor.rest : pause))
    }

    private mutating func pass(_ order: RunOrder, to id: Identifier) -> [ConductorAction] {
        // After a lost lease two runs of one download may be here, the older of which is being
        // stopped.
        let run = runs.keys.filter { $0.id == id }.max { $0.fence < $1.fence }
        if case .claiming = storeRequest, earlyOrders.count < Conductor.earlyOrdersAtMost,
            earlyOrders[id] != .cancel
        {
            earlyOrders[id] = order
        }
        return run.map { stop($0, order) } ?? []
    }

    mutating func stop(_ run: Run, _ order: RunOrder) -> [ConductorAction] {
        guard runs[run]?.orders.insert(order).inserted == true else { return [] }
        return [.stop(run.id, fence: run.fence, order)]
    }

    private mutating func stopAll(_ order: RunOrder) -> [ConductorAction] {
        runs.keys.sorted { ($0.id, $0.fence) < ($1.id, $1.fence) }.flatMap { stop($0, order) }
    }

    private mutating func proceed(at now: Timestamp) -> [ConductorAction] {
        guard !isDraining, case .none = storeRequest else { return [.wake(at: now + pollInterval)] }
        guard now >= restsUntil else { return [.wake(at: restsUntil)] }
        if now < gathersUntil, !runs.isEmpty, freeSlots < gathersAtLeast {
            return [.wake(at: gathersUntil)]
        }
        let over = book.expire(at: now)
        if !over.isEmpty { isHinted = true }
        if policy.hasBudgets { budgets.prepare(policy, zone: zone, at: now) }
        let situation = situation(at: now)
        book.index.advance(to: situation)
        for lane in over where book.index.isOut(lane) { seat(lane, in: situation) }
        if case .over(let next) = sweep, now >= next, changePosition != nil { isHinted = true }
        if isLookFirst(at: now) { return look(at: now) }
        if freeSlots > 0 {
            if let plan = proposal(in: situation) {
                storeRequest = .claiming(plan.order, floor: plan.floor, isVoid: false)
                return [.claim(plan.order)]
            }
            if book.queue.isEmpty, !isBookUnread, !isSweeping, !hasNews { book.queue.rest() }
        }
        if let run = yielding(in: situation) { return stop(run, .yield) + [.wake(at: nextLook)] }
        // A full replica looks for more urgent work while there is a run that may be stopped for
        // it.
        if isHinted, isFull(situation), now >= yieldsFrom, runs.values.contains(where: \.mayYield) {
            yieldsFrom = now + Conductor.rest
            return look(at: now)
        }
        let mayGoOn = isHinted || isSweeping
        if mayGoOn, freeSlots > 0, now >= looksFrom || now >= nextLook { return look(at: now) }
        if now >= nextLook { return look(at: now) }
        let isOwed = owesGates && freeSlots > 0
        if isOwed, now >= gatesFrom { return look(at: now) }
        var next = nextWake(in: situation)
        if mayGoOn, freeSlots > 0 { next = min(next, looksFrom) }
        if isSweeping, freeSlots == 0 { next = min(next, pageFrom) }
        if isOwed { next = min(next, gatesFrom) }
        if isBookUnread, freeSlots > 0 { next = min(next, now + Conductor.judgingPause) }
        return [.wake(at: next)]
    }

    /// Whether a look comes before the next claim: to read new lanes, which may come before all
    /// known ones, or the next page of a sweep.
    private func isLookFirst(at now: Timestamp) -> Bool {
        let isMany = begun >= turnover || begun + freeSlots > capacity + 2
        if freeSlots > 0, hasNews, now >= newsFrom || isMany { return true }
        guard isSweeping else { return false }
        return freeSlots > 0 ? begun >= pageTurn : now >= pageFrom
    }

    /// A claim of known open lanes; nil if there are none.
    private mutating func proposal(
        in situation: Situation
    ) -> (order: ClaimOrder, floor: ClassFloor)? {
        for _ in 0..<4 {
            let hasMore = openLanes(in: situation)
            let found = plan(in: situation)
            isBookUnread = hasMore || book.hasOpenGates || isPlanCut
            if let found { return found }
            guard isBookUnread else { return nil }
        }
        return nil
    }

    private mutating func look(at now: Timestamp) -> [ConductorAction] {
        var cursor = LaneCursor.start
        owesGates = false
        switch sweep {
        case .underWay(let place, _):
            cursor = place
            if changePosition != nil { (isHinted, hasNews) = (false, false) }
        case .over(let next):
            (isHinted, hasNews) = (false, false)
            if changePosition == nil || now >= next {
                sweep = .underWay(.start, since: now)
            } else {
                cursor.readsChangesOnly = true
            }
        }
        if let changePosition {
            cursor.changePosition = changePosition
            cursor.again = Array(again.prefix(LaneCursor.againAtOnce - Conductor.gatesAtOnce))
            owesGates = now < gatesFrom && book.hasFullGates
            if now >= gatesFrom {
                gatesFrom = now + Conductor.gatesPause
                let gates = book.lanesOfFullGates(Conductor.gatesAtOnce)
                cursor.again += gates.filter { !cursor.again.contains($0) }
            }
        }
        begun = 0
        storeRequest = .looking(cursor)
        return [.look(cursor)]
    }
}
