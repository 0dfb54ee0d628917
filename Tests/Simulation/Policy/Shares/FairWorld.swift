// Apps, sessions and origins that compete: how many others begin before a newcomer does.
import Base
import Downloads
import Scheduling
import Simulation

/// The world of a seed: backlogs, newcomers at random instants, replicas that come and go, lanes
/// that close, gates that fill.
///
/// `violation` says which promise was broken.
struct FairWorld {
    /// The levels of fair shares.
    enum Level: CaseIterable { case app, session, origin }

    struct Replica {
        var conductor: Conductor
        var wakeAt: Timestamp
        /// Whether it has read all lanes that waited when it began.
        var hasRead = false
    }

    struct Run {
        let id: Identifier
        let fence: Int64
        let flow: LaneFlow
        let lane: Int64
        let replica: Int
        let ends: Timestamp
        let bytes: Int64
    }

    /// A flow that has become due, and the begins since.
    struct Newcomer {
        let level: Level
        let flow: LaneFlow
        let lanes: Set<Int64>
        let isDiscretionary: Bool
        var others = 0
        /// The number of flows of its level and class that have waited or run since, itself
        /// included.
        var flows: Int

        /// Whether flows of other classes count for it: an app waits for all flows, in the parts of
        /// their classes; a session or origin waits for the begins of its app or session in its
        /// class.
        var countsAllClasses: Bool { level == .app && isDiscretionary }

        /// Whether a flow competes with it at its level.
        func isBeside(_ other: LaneFlow) -> Bool {
            switch level {
            case .app: true
            case .session: other.app == flow.app
            case .origin: other.session == flow.session
            }
        }

        /// The number of a flow at its level.
        func number(of other: LaneFlow) -> Int64 {
            switch level {
            case .app: other.app
            case .session: other.session
            case .origin: other.origin
            }
        }
    }

    static let start = Timestamp(seconds: 1_800_000_000)
    static let floor = 0.25

    var random: SeededRandom
    let mutant: FairMutant?
    var now = FairWorld.start
    var store: CrowdStore
    let policy: Policy
    var book: ConditionBook
    let slots: Int
    /// The highest number of the lanes that waited from the start.
    private var backlog: Int64 = 0
    var replicas: [Replica] = []
    var runs: [Run] = []
    var newcomers: [Newcomer] = []
    /// The number of begins, and the number of them when each lane came.
    var begun = 0
    var begunBefore: [Int] = []
    let requirements: [Requirement]
    var nextOrigin: Int64 = 1
    var nextSession: Int64 = 1
    /// The length of a download, and the variation of it.
    let length: Duration
    let isStaggered: Bool
    var checked = 0
    var violation: String?

    init(seed: UInt64, mutant: FairMutant? = nil) throws {
        random = SeededRandom(seed: seed)
        self.mutant = mutant
        slots = [4, 8, 16, 32, 64].randomElement(using: &random) ?? 8
        length =
            [.milliseconds(20), .milliseconds(300), .seconds(3)]
            .randomElement(using: &random) ?? .seconds(1)
        isStaggered = random.isOne(in: 2)
        policy = try FairWorld.policy()
        book = ConditionBook(policy, at: FairWorld.start)
        requirements = policy.judgedRules.flatMap(\.requirements)
        store = CrowdStore(limits: policy.limits)
        store.groupsAtOnce = 6
        for _ in 0..<(random.isOne(in: 3) ? Int.random(in: 2...3, using: &random) : 1) {
            replicas.append(Replica(conductor: conductor(), wakeAt: now))
        }
        addBacklog()
        backlog = Int64(store.lanes.count)
        for place in replicas.indices { deliver(.ticked, to: place) }
    }

    /// A policy under which sessions of even numbers are held while a condition says so.
    private static func policy() throws -> Policy {
        try Policy.parse(
            [
                "conditions": ["held": ["type": "boolean", "default": false]],
                "rules": [
                    ["name": "h", "match": ["session": "h*"], "require": ["held = false"]]
                ],
                "shares": ["discretionary_floor": .number(floor)],
            ], defaults: PolicyLimits(perOrigin: 6)
        ) { _ in true }.get()
    }

    private func conductor() -> Conductor {
        var shown = policy
        if mutant == .givesAllSlotsToOneApp {
            shown.limits = PolicyLimits(perOrigin: 6, perApp: slots)
        }
        return Conductor(
            policy: shown, zone: .utc, slots: slots, pollInterval: .seconds(60))
    }

    // MARK: lanes

    private mutating func addBacklog() {
        // Few worlds are very large, so that many can be checked.
        let most = random.isOne(in: 40) ? 10_000 : random.isOne(in: 5) ? 1000 : 120
        let count = Int.random(in: 1...most, using: &random)
        let appCount = Int64.random(in: 1...(random.isOne(in: 3) ? 50 : 3), using: &random)
        let perApp = Int64.random(in: 1...(random.isOne(in: 3) ? 50 : 2), using: &random)
        var left = count
        while left > 0 {
            let app = Int64.random(in: 1...appCount, using: &random)
            let session = 1000 * app + Int64.random(in: 0..<perApp, using: &random)
            let part = min(left, Int.random(in: 1...max(1, count / 8), using: &random))
            add(part, app: app, session: session, isDiscretionary: random.isOne(in: 4))
            left -= part
        }
    }

    /// Adds lanes, each with its own origin.
    @discardableResult
    private mutating func add(
        _ count: Int, app: Int64, session: Int64, isDiscretionary: Bool = false
    ) -> Set<Int64> {
        let first = Int64(store.lanes.count + 1)
        store.add(
            count, app: app, session: session, firstOrigin: nextOrigin,
            // Waiting does not change the step of these lanes.
            class: isDiscretionary ? .discretionary : .normal, rank: 0, at: now,
            depth: Int.random(in: 1...20, using: &random))
        begunBefore += Array(repeating: begun, count: count)
        nextOrigin += Int64(count)
        return Set(first..<first + Int64(count))
    }

    /// Adds a flow that was not there before.
    mutating func addNewcomer() {
        guard let lane = store.lanes.randomElement(using: &random) else { return }
        let level = Level.allCases.randomElement(using: &random) ?? .app
        let isDiscretionary = random.isOne(in: 4)
        nextSession += 1
        let app = level == .app ? 1_000_000 + nextSession : lane.app
        let session = level == .origin ? lane.session : 10_000_000 + nextSession
        let own = add(
            Int.random(in: 1...3, using: &random), app: app, session: session,
            isDiscretionary: isDiscretionary)
        let flow = LaneFlow(app: app, session: session, origin: nextOrigin - 1)
        for place in newcomers.indices
        where newcomers[place].isDiscretionary == isDiscretionary
            && newcomers[place].isBeside(flow)
        {
            newcomers[place].flows += newcomers[place].level == .origin ? own.count : 1
        }
        var newcomer = Newcomer(
            level: level, flow: flow, lanes: own, isDiscretionary: isDiscretionary, flows: 0)
        newcomer.flows = active(beside: newcomer)
        newcomers.append(newcomer)
        hint()
    }

    /// The number of flows of its level and class that wait or run beside a newcomer, itself
    /// included.
    private func active(beside newcomer: Newcomer) -> Int {
        let kind: SchedulingClass = newcomer.isDiscretionary ? .discretionary : .normal
        let running = Set(runs.map(\.lane))
        var numbers: Set<Int64> = []
        for lane in store.lanes
        where lane.schedulingClass == kind && (lane.depth > 0 || running.contains(lane.number)) {
            let flow = FairWorld.flow(of: lane)
            if newcomer.isBeside(flow) { numbers.insert(newcomer.number(of: flow)) }
        }
        return numbers.count
    }

    private static func flow(of lane: CrowdStore.Lane) -> LaneFlow {
        LaneFlow(app: lane.app, session: lane.session, origin: lane.origin)
    }

    // MARK: what happens

    /// Makes an event happen.
    mutating func step() {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: addNewcomer()
        case 1: toggle()
        case 2: random.isOne(in: 4) ? restart() : endSome()
        default: endSome()
        }
        check()
    }

    private mutating func hint() {
        for place in replicas.indices {
            let isFull = replicas[place].conductor.freeSlots == 0
            if isFull, mutant == .ignoresHintsWhileFull { continue }
            deliver(.hinted, to: place)
        }
    }

    /// Closes or opens the rule of some sessions.
    private mutating func toggle() {
        let push = ConditionPush(value: .flag(random.isOne(in: 2)), pushedAt: now)
        book.take(push, of: "held", at: now)
        for place in replicas.indices { deliver(.conditionsChanged(book), to: place) }
    }

    /// Ends a replica and starts another one in its place: its runs wait again.
    private mutating func restart() {
        let place = Int.random(in: replicas.indices, using: &random)
        for run in runs where run.replica == place {
            store.giveBack(run.lane, run.flow, at: now)
        }
        runs.removeAll { $0.replica == place }
        replicas[place] = Replica(conductor: conductor(), wakeAt: now)
        // All waiting work is new to it, and its flows begin equal.
        for place in newcomers.indices { newcomers[place].others = 0 }
        deliver(.conditionsChanged(book), to: place)
    }

    /// Reads all lanes that waited when a replica began, with some begins after each page.
    private mutating func endSweep(of place: Int) {
        guard !replicas[place].hasRead else { return }
        replicas[place].hasRead = true
        for place in newcomers.indices { newcomers[place].others = 0 }
    }

    /// Lets time pass to the next end or wake.
    private mutating func endSome() {
        let wake = replicas.map(\.wakeAt).min() ?? now
        guard let first = runs.indices.min(by: { runs[$0].ends < runs[$1].ends }),
            runs[first].ends <= wake
        else {
            now = max(now, wake)
            for place in replicas.indices where replicas[place].wakeAt <= now {
                deliver(.ticked, to: place)
            }
            return
        }
        let run = runs.remove(at: first)
        now = max(now, run.ends)
        store.count(run.flow, by: -1)
        deliver(.ended(run.id, fence: run.fence, bytes: run.bytes), to: run.replica)
    }

    private mutating func deliver(_ event: ConductorEvent, to place: Int) {
        var events = [event]
        while let event = events.popLast(), violation == nil {
            for action in replicas[place].conductor.handle(event, at: now) {
                switch action {
                case .look(let cursor):
                    let page = page(cursor)
                    if !cursor.readsChangesOnly, page.next == nil { endSweep(of: place) }
                    events.append(.lanesLoaded(page))
                case .claim(let order): events.append(claim(order, by: place))
                case .wake(let instant): replicas[place].wakeAt = instant
                case .start, .stop: break
                }
            }
        }
    }

    private mutating func page(_ cursor: LaneCursor) -> LanePage {
        var asked = cursor
        if mutant == .forgetsChanges, cursor.readsChangesOnly { asked.changePosition = nil }
        var page = store.page(from: asked, wanted: 48, at: now)
        if mutant == .readsOnePage { page.next = nil }
        // Lanes that waited when it began are not read.
        if mutant == .beginsWithWhatComes, !cursor.readsChangesOnly {
            (page.heads, page.next) = ([], nil)
        }
        for place in page.heads.indices { alter(&page.heads[place]) }
        return page
    }

    /// A lane as a faulty engine reads it.
    private func alter(_ head: inout LaneHead) {
        head.session = head.sessionKey % 2 == 0 ? "h\(head.sessionKey)" : "s\(head.sessionKey)"
        switch mutant {
        case .ignoresApps: (head.app, head.appName) = (1, "a1")
        case .ignoresSessions: head.sessionKey = head.app
        case .servesOldOriginsFirst: head.rank = head.lane <= backlog ? 0 : 3
        default: break
        }
    }

    private mutating func claim(_ order: ClaimOrder, by place: Int) -> ConductorEvent {
        let event = store.claim(order, at: now)
        guard case .claimed(let claims, _) = event else { return event }
        for claim in claims {
            let lane = store.lanes[Int(claim.lane - 1)]
            let flow = FairWorld.flow(of: lane)
            note(lane, flow, by: place)
            let spread = isStaggered ? Double.random(in: 0.1...3, using: &random) : 1
            runs.append(
                Run(
                    id: claim.id, fence: claim.fence, flow: flow, lane: claim.lane,
                    replica: place, ends: now + length * spread,
                    bytes: Int64.random(in: 1000...4_000_000, using: &random)))
        }
        return event
    }

    // MARK: what must never be

    /// Counts a begin for the waiting newcomers.
    private mutating func note(_ lane: CrowdStore.Lane, _ flow: LaneFlow, by replica: Int) {
        begun += 1
        checkShare(of: flow.app, by: replica)
        newcomers.removeAll { $0.lanes.contains(lane.number) }
        let isDiscretionary = lane.schedulingClass == .discretionary
        for place in newcomers.indices {
            let newcomer = newcomers[place]
            guard newcomer.countsAllClasses || newcomer.isDiscretionary == isDiscretionary,
                newcomer.isBeside(flow), !isClosed(newcomer.flow.session)
            else { continue }
            newcomers[place].others += 1
        }
    }

    /// Whether the rule of a session holds it, including a while after a condition that flips
    /// often.
    private func isClosed(_ session: Int64) -> Bool {
        session % 2 == 0 && requirements.contains { !book.isMet($0, at: now) }
    }

    /// Checks that no app begins beyond seven eighths of the slots while a lane of another one
    /// could begin.
    ///
    /// A newcomer is read with a look, after at most a turnover.
    private mutating func checkShare(of app: Int64, by replica: Int) {
        guard replicas.count == 1, replicas[replica].hasRead, violation == nil else { return }
        let own = 1 + runs.count { $0.flow.app == app && $0.replica == replica }
        guard own > max(1, slots * 7 / 8) else { return }
        let other = store.lanes.first { lane in
            lane.app != app && lane.depth > 0 && !isClosed(lane.session)
                && begun - begunBefore[Int(lane.number - 1)] > 2 * slots
                && store.hasRoom(lane, at: now)
        }
        guard let other else { return }
        violation = "app \(app) has \(own) of \(slots) slots while app \(other.app) waits"
    }

    /// Checks the bound of every newcomer: two begins of each flow of its level and one turnover.
    private mutating func check() {
        for newcomer in newcomers where !isClosed(newcomer.flow.session) {
            checked += 1
            var bound = Double(2 * newcomer.flows + slots * replicas.count)
            if replicas.count > 1 { bound *= 2 }
            if newcomer.countsAllClasses { bound /= FairWorld.floor }
            guard Double(newcomer.others) > bound, violation == nil else { continue }
            violation =
                "\(newcomer.others) others began before a new \(newcomer.level) of "
                + "\(newcomer.flows)"
        }
    }

    /// Runs a world to its end or to its first violation.
    static func run(seed: UInt64, mutant: FairMutant? = nil) throws -> FairWorld {
        var world = try FairWorld(seed: seed, mutant: mutant)
        for _ in 0..<600 where world.violation == nil { world.step() }
        return world
    }
}
