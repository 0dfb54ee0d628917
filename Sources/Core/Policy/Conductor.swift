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
    /// The request to the store that is under way.
    enum Errand {
        case none
        case looking(LaneCursor)
        /// With what lower classes have saved once the claim has brought something; where the lease
        /// was lost meanwhile, what it brings is not ours.
        case claiming(ClaimOrder, floor: ClassFloor, isVoid: Bool)
    }

    /// Whether all lanes are being read.
    private enum Sweep {
        /// They were; from an instant on they are read again.
        case over(next: Timestamp)
        case underWay(LaneCursor, since: Timestamp)
    }

    /// After so many pages without a claim a sweep is a burden: the next one waits for each page.
    private static let pagesAtOnce = 8
    private static let pagePause = Duration.milliseconds(5)
    /// A full replica reads a page of a sweep so often.
    private static let fullPagePause = Duration.milliseconds(20)
    /// A look comes before a claim where something was announced so long ago, or where
    /// half of the slots were given away since.
    package static let newsPause = Duration.milliseconds(50)
    /// How long the judgement of known lanes rests.
    private static let judgingPause = Duration.milliseconds(20)
    /// After what time all lanes are read again; few of them are at every poll.
    private static let knownFor = Duration.seconds(600)
    private static let readOftenAtMost = 1024
    /// After so long it is asked again whether a deadline is near.
    static let guardPause = Duration.seconds(60)
    /// At most so many lanes are noted to be read by their numbers.
    static let againAtMost = 131_072
    /// A look reads so many lanes for the gates that they wait for.
    private static let gatesAtOnce = 256
    private static let gatesPause = Duration.milliseconds(200)

    /// The policy that decides, and its zone.
    package private(set) var policy: Policy
    /// The rules of the policy's time zone.
    package private(set) var zone: TimeZoneRules
    /// The volume of the content as it was seen last, less what was claimed since.
    package internal(set) var disk: DiskReading?
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
    var runs: [Run: RunFacts] = [:]
    /// The runs that try whether their origins are reached and have not said so yet.
    var probing: [Run: Int64] = [:]
    /// The lanes that are known.
    var book: LaneBook
    /// Which limits hold something back.
    var fullGates = FullGates()
    var floor = ClassFloor()
    /// What a download of unknown size is expected to bring: an average of those that ended.
    var typicalBytes = FairShares.unknownBytes
    /// How the policy's windows stand, and how long they do.
    var windows = WindowStates()
    var errand = Errand.none
    private var sweep = Sweep.over(next: .epoch)
    /// From where changes of lanes are read; nil where the store does not tell of them.
    private(set) var news: LaneNews?
    /// Lanes that are read by their numbers before they are asked again.
    var again: Set<Int64> = []
    /// When lanes of full gates are read again at the soonest.
    private var gatesFrom = Timestamp.epoch
    /// The last look came too soon for the lanes of full gates: they are still to be read.
    private var owesGates = false
    /// The last plan ended before all that it could have looked at.
    var isPlanCut = false
    /// There are lanes in the book that may be open and were not judged.
    private var isBookUnread = false
    /// Pages in a row that led to no claim, and until when the next look waits for that.
    var vainPages = 0
    private var looksFrom = Timestamp.epoch
    /// When a full replica reads the next page of a sweep.
    private var pageFrom = Timestamp.epoch
    /// How many began since the last look.
    var begun = 0
    /// Nothing was claimed since the last look.
    var isBookFresh = false
    var isDraining = false
    var isHinted = true
    /// There may be lanes that were not read yet, and from when on they are read before a claim.
    var hasNews = false
    private var newsFrom = Timestamp.epoch
    /// The last claim that was answered brought less than it asked for.
    var wasShort = false
    /// Orders for downloads that a claim under way may bring.
    var earlyOrders: [Identifier: RunOrder] = [:]
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
        book = LaneBook(
            Situation(now: .epoch, policy: policy, zone: zone, conditions: conditions))
        floor.part = policy.shares.discretionaryFloor
        self.pollInterval = pollInterval
        slotsAtMost = slots
    }

    /// The shares that each flow has got so far.
    package var shares: FairShares { book.queue.shares }

    /// How many run.
    package var runningCount: Int { runs.count }

    /// How many more may run.
    package var freeSlots: Int { max(0, capacity - runs.count) }

    /// How many lanes are known, and how many sets of rules they match.
    ///
    /// It changes nothing; a getter of another module is called with a copy of the whole.
    package mutating func known() -> (lanes: Int, signatures: Int) {
        (book.count, book.index.signatureCount)
    }

    /// Whether something that is due may wait for room on the volume.
    package var awaitsRoom: Bool { book.nextAttempt != nil }

    /// After so many begins what is new is read before others begin; also where those that may
    /// begin next would be more than all slots and two with them.
    private var turnover: Int { max(2, capacity / 2) }

    /// After so many begins the next page of a sweep is read before others begin.
    private var pageTurn: Int { max(2, min(32, capacity) / 2) }

    /// So many free slots wait for no others: half of many, few of few.
    private var gathersAtLeast: Int { max(capacity / 8, capacity / 2 - 8) }

    var capacity: Int {
        min(policy.limits.perReplica ?? slotsAtMost, policy.limits.running ?? .max)
    }

    /// Handles an event and returns what to do.
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
            errand = .none
            earlyOrders = [:]
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
            // On a full volume nothing is asked for, so that nothing is known to wait for room.
            if let disk, reading.room > disk.room, awaitsRoom || !disk.admits(0) { hint(at: now) }
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
            if case .claiming(let order, let floor, _) = errand {
                errand = .claiming(order, floor: floor, isVoid: true)
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

    /// A clock that was set back must not put the next look off.
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

    /// Something came that may begin, or room for what is there.
    mutating func hint(at now: Timestamp) {
        isHinted = true
        hasNews = true
        book.hint(at: now)
    }

    /// What was read may be wrong: the next look begins a sweep.
    private mutating func restart() {
        sweep = .over(next: .epoch)
        news = nil
        again = []
        isHinted = true
        hasNews = true
        newsFrom = .epoch
    }

    /// All that is known of lanes is read and judged again; what each flow has got stays.
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
        if case .looking(let cursor) = errand {
            asked = cursor
            errand = .none
        }
        newsFrom = now + Conductor.newsPause
        pageFrom = now + Conductor.fullPagePause
        isBookFresh = true
        var page = page
        for place in page.heads.indices { page.heads[place].weigh(by: policy.shares) }
        let isFull = enter(page, asked: asked, at: now)
        noteGates(of: page.heads)
        news = page.news
        if news?.after != nil {
            hint(at: now)
            newsFrom = now
        }
        var isFirst = asked.isNewsOnly
        if !asked.isNewsOnly, case .underWay(let place, let since) = sweep {
            isFirst = place == .start
            if let next = page.next {
                sweep = .underWay(next, since: since)
            } else {
                endSweep(since: since, isFull: isFull, at: now)
            }
        }
        nextLook = isFirst ? now + pollInterval : min(nextLook, now + pollInterval)
        // One that is due by the database's clock is not far from it by ours.
        if let due = page.nextDue { nextLook = min(nextLook, max(due, now + .milliseconds(1))) }
        vainPages += 1
        guard !isSweeping, vainPages > Conductor.pagesAtOnce else { return }
        looksFrom = now + min(Conductor.rest, Conductor.pagePause * vainPages)
    }

    private var isSweeping: Bool {
        if case .underWay = sweep { true } else { false }
    }

    /// All lanes were read: others have nothing, or were passed by while they changed.
    private mutating func endSweep(since: Timestamp, isFull: Bool, at now: Timestamp) {
        for lane in book.index.lanes(readBefore: since) {
            if news == nil { book.remove(lane) } else { again.insert(lane) }
        }
        let pause = book.count <= Conductor.readOftenAtMost ? pollInterval : Conductor.knownFor
        sweep = .over(next: now + (isFull ? Conductor.rest : pause))
    }

    private mutating func pass(_ order: RunOrder, to id: Identifier) -> [ConductorAction] {
        // After a lost lease the same download may run twice here, the older run being stopped.
        let run = runs.keys.filter { $0.id == id }.max { $0.fence < $1.fence }
        if case .claiming = errand, earlyOrders.count < Conductor.earlyOrdersAtMost,
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
        guard !isDraining, case .none = errand else { return [.wake(at: now + pollInterval)] }
        guard now >= restsUntil else { return [.wake(at: restsUntil)] }
        if now < gathersUntil, !runs.isEmpty, freeSlots < gathersAtLeast {
            return [.wake(at: gathersUntil)]
        }
        let over = book.expire(at: now, longest: Conductor.rest)
        if !over.isEmpty { isHinted = true }
        if policy.hasBudgets { budgets.prepare(policy, zone: zone, at: now) }
        let situation = situation(at: now)
        book.index.advance(to: situation)
        for lane in over where book.index.isOut(lane) { seat(lane, in: situation) }
        if case .over(let next) = sweep, now >= next, news != nil { isHinted = true }
        if isLookFirst(at: now) { return look(at: now) }
        if freeSlots > 0, !book.isBarren {
            if let plan = proposal(in: situation) {
                errand = .claiming(plan.order, floor: plan.floor, isVoid: false)
                return [.claim(plan.order)]
            }
            if book.queue.isEmpty, !isBookUnread, !isSweeping, !hasNews { book.queue.rest() }
        }
        if let run = yielding(in: situation) { return stop(run, .yield) + [.wake(at: nextLook)] }
        // A full replica looks for more urgent work while a run may be stopped for it.
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

    /// Whether something is to be read before a slot is given away: what is new, which may come
    /// before all that is known, or more of what was there when the replica began.
    private func isLookFirst(at now: Timestamp) -> Bool {
        let isMany = begun >= turnover || begun + freeSlots > capacity + 2
        if freeSlots > 0, hasNews, now >= newsFrom || isMany { return true }
        guard isSweeping else { return false }
        return freeSlots > 0 ? begun >= pageTurn : now >= pageFrom
    }

    /// A claim of lanes that are known to be open; nil where none can be asked.
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
            if news != nil { (isHinted, hasNews) = (false, false) }
        case .over(let next):
            (isHinted, hasNews) = (false, false)
            if news == nil || now >= next {
                sweep = .underWay(.start, since: now)
            } else {
                cursor.isNewsOnly = true
            }
        }
        if let news {
            cursor.news = news
            cursor.again = Array(again.prefix(LaneCursor.againAtOnce - Conductor.gatesAtOnce))
            owesGates = now < gatesFrom && book.hasFullGates
            if now >= gatesFrom {
                gatesFrom = now + Conductor.gatesPause
                let gates = book.lanesOfFullGates(Conductor.gatesAtOnce)
                cursor.again += gates.filter { !cursor.again.contains($0) }
            }
        }
        begun = 0
        errand = .looking(cursor)
        return [.look(cursor)]
    }
}
