// A replica in a world of dice: every answer may be late or lost, and the replica may die.
import Base
import Downloads
import Scheduling
import Simulation

/// The world of a seed; `step()` makes an event happen, `violations` lists the forbidden states
/// that were seen.
struct DiceReplica {
    struct Run: Hashable {
        let id: Identifier
        let fence: Int64
    }

    /// The state of a claim between the replica and the store.
    enum Claim {
        case none
        case sent(ClaimOrder)
        /// Committed, and its answer is on the way.
        case committed(ConductorEvent)
    }

    static let slots = 4
    static let poll = Duration.seconds(5)

    let isCalm: Bool
    var random: SeededRandom
    var now = Timestamp(seconds: 1_800_000_000)
    var store = DiceStore()
    var conductor: Conductor
    var policies: [Policy]
    /// The attempts in progress, and the orders that each was given.
    var runs: [Run: Set<RunOrder>] = [:]
    var look: LanePage?
    var claim = Claim.none
    var wakeAt = Timestamp.epoch
    var isDrained = false
    var violations: [String] = []
    var seen: Set<String> = []
    /// The instant since which runnable work meets a free slot while no claim is in progress.
    private var idleSince: Timestamp?

    init(seed: UInt64, policies: [Policy]) {
        random = SeededRandom(seed: seed)
        isCalm = seed % 4 == 0
        // Windows cost the most time, so not every world has them.
        self.policies = seed % 16 < 15 ? Array(policies.prefix(2)) : policies
        conductor = Conductor(
            policy: policies[0], zone: .utc, slots: DiceReplica.slots,
            pollInterval: DiceReplica.poll)
        deliver(.ticked)
    }

    /// Passes an event to the conductor, performs its actions and checks the state.
    mutating func deliver(_ event: ConductorEvent) {
        let actions = conductor.handle(event, at: now)
        for action in actions { perform(action) }
        switch actions.last {
        case .look, .claim, .wake: break
        default: violations.append("\(event) was answered with nothing that goes on")
        }
        if runs.count > DiceReplica.slots { violations.append("more runs than slots") }
        if runs.count != conductor.runningCount { violations.append("the count of runs is wrong") }
        watchForIdleness()
    }

    private mutating func perform(_ action: ConductorAction) {
        switch action {
        case .look:
            expectNothingUnderWay(action)
            look = store.page()
        case .claim(let order):
            expectNothingUnderWay(action)
            let slots = min(
                DiceReplica.slots, conductor.policy.limits.running ?? .max)
            if order.total > slots - runs.count { violations.append("claims too many") }
            if order.quotas.contains(where: { $0.head.runAt > now || $0.count < 1 }) {
                violations.append("claims what is not due")
            }
            if order.quotas.reduce(0, { $0 + $1.count }) > 2 * order.total {
                violations.append("asks for more than twice the free slots")
            }
            claim = .sent(order)
        case .start(let id, let fence):
            if runs.updateValue([], forKey: Run(id: id, fence: fence)) != nil {
                violations.append("starts a run twice")
            }
        case .stop(let id, let fence, let order):
            if runs[Run(id: id, fence: fence)]?.insert(order).inserted != true {
                violations.append("stops what does not run, or twice: \(order)")
            }
        case .wake(let instant):
            if instant <= now { violations.append("wakes without sleeping") }
            wakeAt = instant
        }
    }

    private mutating func expectNothingUnderWay(_ action: ConductorAction) {
        if isDrained { violations.append("\(action) after the drain") }
        if case .none = claim, look == nil { return }
        violations.append("\(action) while another is under way")
    }

    /// Checks that work that is due, allowed and has room does not meet a free slot for longer than
    /// a poll, and not at all in a world in which every hint arrives.
    private mutating func watchForIdleness() {
        guard case .none = claim, look == nil, !isDrained, conductor.freeSlots > 0, hasWork() else {
            idleSince = nil
            return
        }
        let since = idleSince ?? now
        idleSince = since
        if isCalm || now - since > DiceReplica.poll + Conductor.rest {
            violations.append("work is due, a slot is free, and nothing happens")
        }
    }

    func hasWork() -> Bool {
        var isOpen: [SchedulingClass: Bool] = [:]
        for job in store.jobs
        where job.place == .waiting && job.runAt <= now
            && store.hasRoom(job.lane, at: now, conductor.policy.limits)
        {
            let kind = DiceStore.lanes[job.lane].schedulingClass
            if isOpen[kind] ?? allows(kind) { return true }
            isOpen[kind] = false
        }
        return false
    }

    private func allows(_ kind: SchedulingClass) -> Bool {
        guard !conductor.policy.rules.isEmpty else { return true }
        let candidate = AdmissionCandidate(
            isDiscretionary: kind == .discretionary, session: "session-0", createdAt: now,
            waitingSince: now, runAt: now, attempt: 0, origin: GateReading(),
            sessionGate: GateReading())
        let situation = Situation(now: now, policy: conductor.policy, zone: .utc)
        return Admission.policyBlockers(candidate, in: situation).isEmpty
    }

    /// Kills the process and starts it again: it takes its own work back.
    mutating func crash() {
        seen.insert("crash")
        store.giveBack(at: now)
        runs = [:]
        look = nil
        claim = .none
        idleSince = nil
        conductor = Conductor(
            policy: conductor.policy, zone: .utc, slots: DiceReplica.slots,
            pollInterval: DiceReplica.poll)
        deliver(.ticked)
    }
}
