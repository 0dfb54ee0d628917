// Conductors in a world of rules, conditions, lanes and time, with the forbidden states of it.
import Base
import Downloads
import Scheduling
import Simulation

/// The world of a seed; `violation` names the property that does not hold.
struct EngineWorld {
    static let start = Timestamp(seconds: 1_795_392_000)
    static let slots = 6
    static let zone = TimeZoneRules.fixed(offset: 3600)

    var random: SeededRandom
    let mutant: EngineMutant?
    var document: JSONObject
    var policy: Policy
    var book: ConditionBook
    var now = EngineWorld.start
    var store: CrowdStore
    /// One conductor, or several that share the slots.
    private var replicas: [Replica] = []
    private var wakes = 0
    var runs: [Run] = []
    /// The readings of the budget counters, as the store has them and as a verdict takes them.
    var ledger: [BudgetKey: BudgetReading] = [:]
    var counters = BudgetBook()
    /// The downloads that began, in order.
    var trace: [String] = []
    /// The lanes of the downloads that began at each instant, in any replica: replicas that act
    /// within two seconds count as acting at once.
    var begins: [Set<Int64>] = []
    private var lastBegin: Timestamp?
    /// Pushes that a late engine has not learned yet.
    var latePushes: ConditionBook?
    var violation: String?
    /// The changes to clocks, names and so on, for pairs of worlds.
    let variant: EngineVariant

    /// A conductor with its slots.
    private struct Replica {
        var conductor: Conductor
        let slots: Int
        var wakeAt: Timestamp
    }

    /// A download that was claimed and has not ended.
    struct Run {
        let claim: ClaimedRun
        let holds: [Hold]
        /// The index of the replica that claimed it.
        let replica: Int
    }

    init(
        seed: UInt64, mutant: EngineMutant? = nil, variant: EngineVariant = EngineVariant()
    ) throws {
        random = SeededRandom(seed: seed)
        self.mutant = mutant
        self.variant = variant
        now = EngineWorld.start + variant.shift
        document = EngineWorld.document(&random, variant)
        policy = try EngineWorld.read(document)
        book = ConditionBook(policy, at: now - .seconds(86_400))
        store = CrowdStore(limits: policy.limits)
        let prefix = variant.prefix
        store.appName = { "\(prefix)a\($0)" }
        store.originName = { "https://o\($0 % 4).\($0 % 2 == 0 ? "a" : "b").example:443" }
        let shown = try EngineWorld.read(EngineWorld.altered(document, mutant))
        let slots = EngineWorld.slots / variant.replicas
        for _ in 0..<variant.replicas {
            let conductor = Conductor(
                policy: shown, zone: EngineWorld.zone(mutant), slots: slots,
                pollInterval: .seconds(7200))
            replicas.append(Replica(conductor: conductor, slots: slots, wakeAt: now))
        }
        for _ in 0..<Int.random(in: 3...14, using: &random) { addLane() }
        deliver(.conditionsChanged(shownBook))
        settle()
    }

    static func zone(_ mutant: EngineMutant?) -> TimeZoneRules {
        mutant == .ignoresTheZone ? .utc : zone
    }

    static func read(_ document: JSONObject) throws -> Policy {
        let limits = PolicyLimits(perOrigin: 3, perSession: 4)
        return try Policy.parse(.object(document), defaults: limits) { _ in true }.get()
    }

    var situation: Situation {
        var budgets = counters
        budgets.prepare(policy, zone: EngineWorld.zone, at: now, isNew: true)
        return Situation(
            now: now, policy: policy, zone: EngineWorld.zone, conditions: book, budgets: budgets)
    }

    // MARK: what happens

    /// Makes an event happen, with its immediate effects.
    mutating func step() {
        // Nothing arrives at the instant at which a download begins, because the order of the two
        // is open.
        if variant.isOneFlow { pass(3) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1:
            addLane()
            if mutant != .ignoresHints { deliver(.hinted) }
        case 2, 3: end()
        case 4: push("p")
        case 5: push("q")
        case 6: remove(random.isOne(in: 2) ? "p" : "q")
        case 7: changePolicy()
        default: pass(Int64.random(in: 1...28_800, using: &random))
        }
        settle()
        check()
    }

    private mutating func addLane() {
        var origin = Int64.random(in: 0..<8, using: &random)
        var session = Int64.random(in: 1...3, using: &random)
        if variant.isOneFlow { (origin, session) = (0, 1) }
        let depth = Int.random(in: 1...3, using: &random)
        store.add(
            1, app: session == 3 ? 2 : 1, session: session, firstOrigin: origin,
            class: random.isOne(in: 2) ? .discretionary : .normal,
            rank: Int.random(in: 0...3, using: &random), at: now,
            depth: variant.isOneFlow ? 1 : depth,
            due: random.isOne(in: 3)
                ? now + .seconds(3600 * Int64.random(in: 1...30, using: &random)) : nil)
        if random.isOne(in: 6) {
            // A pause is never made shorter: the gates keep the later end.
            let end = now + .seconds(Int64.random(in: 1...900, using: &random))
            store.cooling[origin] = max(store.cooling[origin] ?? end, end)
        }
    }

    private mutating func end() {
        guard !runs.isEmpty else { return }
        let run = runs.remove(at: Int.random(in: runs.indices, using: &random))
        store.count(run.claim.flow, by: -1)
        note(run.holds, reserved: -1, spent: random.isOne(in: 3) ? 0 : 1)
        guard mutant != .ignoresEnds else { return }
        deliver(.ended(run.claim.id, fence: run.claim.fence, bytes: 1 << 20), to: run.replica)
        // A slot that another replica freed is found by a look.
        if replicas.count > 1 { deliver(.hinted) }
        if policy.hasBudgets, mutant != .ignoresSettlements { deliver(.budgetsRead(readings)) }
    }

    private mutating func push(_ name: String) {
        let number = Int.random(in: 0..<10, using: &random)
        var push = ConditionPush(
            value: name == "p" ? .number(Double(number)) : .flag(number > 4), pushedAt: now)
        if random.isOne(in: 3) { push.ttl = .seconds(Int64.random(in: 60...7200, using: &random)) }
        if name == "p", random.isOne(in: 2) {
            push.schedule = (1...3).map {
                ConditionPush.Step(
                    from: now + .seconds(1800 * Int64($0)),
                    value: .number(Double((number + 4 * $0) % 10)))
            }
        }
        book.take(push, of: name, at: now)
        tellConditions(isRemoval: false)
    }

    private mutating func remove(_ name: String) {
        book.take(nil, of: name, at: now)
        tellConditions(isRemoval: true)
    }

    private mutating func tellConditions(isRemoval: Bool) {
        switch mutant {
        case .ignoresPushes where !isRemoval, .ignoresRemovals where isRemoval: break
        case .learnsOfPushesLate: latePushes = book
        default: deliver(.conditionsChanged(shownBook))
        }
    }

    private mutating func changePolicy() {
        guard random.isOne(in: 2) else { return }
        let next = EngineWorld.document(&random, variant)
        do {
            policy = try EngineWorld.read(next)
            document = next
            book.take(policy, at: now)
            store.limits = policy.limits
            guard mutant != .ignoresNewPolicies else { return }
            let shown = try EngineWorld.read(EngineWorld.altered(next, mutant))
            deliver(.policyChanged(shown, EngineWorld.zone(mutant)))
            deliver(.conditionsChanged(shownBook))
        } catch {
            violation = "\(error)"
        }
    }

    /// Lets time pass, with every wake on the way.
    private mutating func pass(_ seconds: Int64) {
        let end = now + .seconds(seconds)
        for _ in 0..<400 where violation == nil {
            let late: Duration = mutant == .wakesLate ? .seconds(600) : .zero
            let wakeAt = nextWake
            guard wakeAt + late <= end else { break }
            if late > .zero {
                now = max(now, wakeAt + .seconds(2))
                check()
            }
            now = max(now, wakeAt + late)
            if let latePushes, mutant == .learnsOfPushesLate {
                self.latePushes = nil
                deliver(.conditionsChanged(latePushes))
            }
            tick()
            settle()
            // Each check asks the verdict for every lane, so not every wake is checked.
            wakes += 1
            if wakes % 8 == 0 { check() }
        }
        now = max(now, end)
        deliver(.ticked)
    }

    /// Processes wakes that follow at once: slots that are collected, lanes that rest.
    private mutating func settle() {
        for _ in 0..<60 * replicas.count where nextWake - now <= .milliseconds(1100) {
            now = max(now, nextWake)
            tick()
        }
    }

    /// The earliest instant at which a replica wants to be called.
    private var nextWake: Timestamp { replicas.map(\.wakeAt).min() ?? now }

    /// Calls the replicas whose instant has come.
    private mutating func tick() {
        for place in replicas.indices where replicas[place].wakeAt <= now {
            deliver(.ticked, to: place)
        }
    }

    // MARK: the engine

    /// Delivers an event to every replica, the first one first.
    private mutating func deliver(_ event: ConductorEvent) {
        for place in replicas.indices { deliver(event, to: place) }
    }

    private mutating func deliver(_ event: ConductorEvent, to place: Int) {
        var events = [event]
        var steps = 0
        while let event = events.popLast(), steps < 2000 {
            steps += 1
            for action in replicas[place].conductor.handle(event, at: now) {
                switch action {
                case .look(let cursor):
                    var page = store.page(from: cursor, wanted: 256, at: now)
                    page.heads = page.heads.map(shown)
                    events.append(.lanesLoaded(page))
                    // Settlements are read before the page is taken.
                    if policy.hasBudgets, !ledger.isEmpty, mutant != .ignoresSettlements {
                        events.append(.budgetsRead(readings))
                    }
                case .claim(let order):
                    events.append(claim(order, by: place))
                    if policy.hasBudgets { events.append(.budgetsRead(readings)) }
                case .wake(let instant): replicas[place].wakeAt = instant
                case .start, .stop: break
                }
            }
        }
        if steps >= 2000 { violation = "it goes on for ever" }
    }

    private mutating func claim(_ order: ClaimOrder, by replica: Int) -> ConductorEvent {
        let situation = situation
        var order = order
        let holds = reserve(&order)
        let event = store.claim(order, at: now)
        guard case .claimed(let claims, _) = event else { return event }
        for quota in order.quotas {
            let begun = claims.count { $0.lane == quota.head.lane }
            note(holds[quota.head.lane] ?? [], reserved: Int64(begun - quota.count))
        }
        for claim in claims {
            let lane = store.lanes[Int(claim.lane - 1)]
            let candidate = store.head(lane).candidate
            if !Admission.policyBlockers(candidate, in: situation).isEmpty {
                violation = violation ?? "beginsOnlyWhatIsOpen: lane \(claim.lane) at \(now)"
            }
            runs.append(Run(claim: claim, holds: holds[claim.lane] ?? [], replica: replica))
            if lastBegin.map({ now - $0 > .seconds(2) }) ?? true { begins.append([]) }
            lastBegin = now
            begins[begins.count - 1].insert(claim.lane)
            trace.append("\(now - EngineWorld.start - variant.shift) \(claim.lane)")
        }
        if runs.count(where: { $0.replica == replica }) > replicas[replica].slots {
            violation = violation ?? "neverMoreThanSlots"
        }
        return event
    }

    // MARK: what must never be

    /// Checks that no slot is free while a lane is due, open and has room.
    private mutating func check() {
        guard violation == nil, runs.count < EngineWorld.slots else { return }
        let situation = situation
        for lane in store.lanes where lane.depth > 0 && lane.nextAt <= now {
            guard store.hasRoom(lane, at: now) else { continue }
            let candidate = store.head(lane).candidate
            if Admission.policyBlockers(candidate, in: situation).isEmpty {
                violation = "aFreeSlotMeansThatNothingIsOpen: lane \(lane.number) at \(now)"
                return
            }
        }
    }

    /// Runs a world to its end or to its first violation.
    static func run(
        seed: UInt64, steps: Int = 40, mutant: EngineMutant? = nil,
        variant: EngineVariant = EngineVariant()
    ) throws -> EngineWorld {
        var world = try EngineWorld(seed: seed, mutant: mutant, variant: variant)
        for _ in 0..<steps where world.violation == nil { world.step() }
        return world
    }
}
