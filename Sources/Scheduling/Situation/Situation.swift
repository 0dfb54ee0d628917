package import Base
package import Downloads

/// The facts at one instant on which all downloads' admission depends.
///
/// The conductor and the API judge by the same value.
package struct Situation: Equatable, Sendable {
    /// The instant.
    package private(set) var now: Timestamp
    private var shared: SharedFacts
    /// Whether results are shown to one app of several, which sees no numbers of the others.
    package var hidesOthers = false
    /// The states of the windows that rules name, computed once for all candidates.
    private(set) var windows: [KeyText: WindowState]

    /// Creates a situation from shared facts; windows are computed unless their states are given.
    package init(
        now: Timestamp, facts: SharedFacts, windows known: [KeyText: WindowState]? = nil
    ) {
        self.now = now
        shared = facts
        // Only looked at if it has rules, because a policy is a large value.
        windows =
            known ?? (facts.hasRules ? Situation.windows(of: facts, at: now) : [:])
    }

    /// Creates a situation from all its members; without `conditions` none has a value, and windows
    /// are computed unless their states are given.
    package init(
        now: Timestamp, policy: Policy, zone: TimeZoneRules, isDraining: Bool = false,
        disk: DiskReading? = nil, conditions: ConditionBook? = nil,
        learned: LearnedFacts = LearnedFacts(), history: FactsHistory? = nil,
        budgets: BudgetBook = BudgetBook(), network: Outage? = nil,
        others: [ReplicaReadings] = [], windows known: [KeyText: WindowState]? = nil
    ) {
        let facts = SharedFacts(
            SituationFacts(
                policy: policy, zone: zone, isDraining: isDraining, disk: disk,
                conditions: conditions ?? ConditionBook(policy, at: now), learned: learned,
                history: history, budgets: budgets, network: network, others: others))
        self.init(now: now, facts: facts, windows: known)
    }

    /// The policy in force.
    package var policy: Policy { shared.value.policy }

    /// The rules of the policy's time zone.
    package var zone: TimeZoneRules { shared.value.zone }

    /// Whether the policy depends on names of origins.
    package var needsOriginNames: Bool { shared.value.policy.needsOriginNames }

    /// Whether the service is about to stop.
    package var isDraining: Bool { shared.value.isDraining }

    /// The reading of the content's volume; nil before the first one, which blocks nothing.
    package var disk: DiskReading? { shared.value.disk }

    /// The values of conditions.
    package var conditions: ConditionBook { shared.value.conditions }

    /// The learned rates, sizes and progress.
    package var learned: LearnedFacts { shared.value.learned }

    /// The former values of conditions, if the instant is in the past.
    var history: FactsHistory? { shared.value.history }

    /// The readings of budgets.
    package var budgets: BudgetBook {
        get { shared.value.budgets }
        set { change { $0.budgets = newValue } }
    }

    /// The outage of this machine's network; nil while it is reached.
    package var network: Outage? {
        get { shared.value.network }
        set { change { $0.network = newValue } }
    }

    /// The measurements of other replicas; empty for a decision of one replica, which uses its own
    /// only.
    package var others: [ReplicaReadings] {
        get { shared.value.others }
        set { change { $0.others = newValue } }
    }

    private mutating func change(_ body: (inout SituationFacts) -> Void) {
        var facts = shared.value
        body(&facts)
        shared = SharedFacts(facts)
    }

    private static func windows(of facts: SharedFacts, at now: Timestamp) -> [KeyText: WindowState]
    {
        windows(of: facts.value.policy, at: now, in: facts.value.zone)
    }

    /// The states of the windows that rules name.
    static func windows(
        of policy: Policy, at now: Timestamp, in zone: TimeZoneRules
    ) -> [KeyText: WindowState] {
        var windows: [KeyText: WindowState] = [:]
        for rule in policy.rules {
            for requirement in rule.requirements {
                guard let name = requirement.window, windows[name] == nil else { continue }
                windows[name] = policy.window(name)?.state(at: now, in: zone)
            }
        }
        return windows
    }

    /// Whether it differs from another situation of this policy in more than its instant, windows,
    /// conditions, budgets and the figures of a disk that stays full, or stays not full.
    func hasOtherFacts(than other: Situation) -> Bool {
        guard shared !== other.shared else { return false }
        var same = other.shared.value
        // Policies are not compared at every event, because their documents are long.
        same.policy = policy
        same.zone = zone
        same.conditions = conditions
        same.budgets = budgets
        same.disk = disk
        return same != shared.value || calendar != other.calendar
            || disk?.isFull != other.disk?.isFull || disk?.trouble != other.disk?.trouble
    }

    /// The facts at another instant, as far as they are known for it.
    func at(_ instant: Timestamp) -> Situation {
        Situation(
            now: instant, policy: policy, zone: zone, isDraining: isDraining, disk: disk,
            conditions: conditions, learned: learned, budgets: budgets)
    }

    /// The facts with transfers at their usual speed.
    var atUsualPace: Situation {
        var usual = self
        usual.change { $0.learned.pace = 1 }
        return usual
    }

    /// The costs of the hours by the preferences of rules, and the bookings of them.
    var calendar: BookingCalendar { conditions.calendar }

    /// The rate that deadlines assume, in bytes a second, of an origin or of all: a low quantile of
    /// the learned ones, reduced while all transfers are slow.
    package func countedRate(_ learned: LearnedEstimate) -> Double {
        learned.quantile(policy.deadlines.quantile) * self.learned.pace
    }

    /// The state of a requirement at the instant.
    func state(of requirement: Requirement) -> AtomState {
        guard case .window(let name, let isNegated) = requirement.subject else {
            if let past = history?.state(of: requirement, at: now) { return past }
            return conditions.state(of: requirement, at: now).joined(
                others.compactMap { $0.standings[requirement.description] })
        }
        let window = windows[name] ?? policy.window(name)?.state(at: now, in: zone)
        guard let window else { return AtomState(truth: .unknown, isForeseen: false) }
        return Situation.state(of: window, isNegated: isNegated)
    }

    private static func state(of window: WindowState, isNegated: Bool) -> AtomState {
        switch window {
        case .open(let until):
            AtomState(truth: Truth(!isNegated), until: until, isForeseen: true)
        case .closed(let since, let until):
            AtomState(truth: Truth(isNegated), since: since, until: until, isForeseen: true)
        }
    }

    /// The first instant from `start` on at which a requirement is met, as far as known.
    func opening(of requirement: Requirement, from start: Timestamp) -> Timestamp? {
        guard case .window(let name, let isNegated) = requirement.subject else {
            return conditions.opening(of: requirement, from: start)
        }
        guard let hours = policy.window(name) else { return nil }
        let state = Situation.state(of: hours.state(at: start, in: zone), isNegated: isNegated)
        return state.isMet ? start : state.until
    }

    /// The first instant after `start`, at which it is met, at which a requirement on a window is
    /// not met; nil for never.
    func closing(of requirement: Requirement, after start: Timestamp) -> Timestamp? {
        guard case .window(let name, let isNegated) = requirement.subject,
            let hours = policy.window(name)
        else { return nil }
        return Situation.state(of: hours.state(at: start, in: zone), isNegated: isNegated).until
    }

    /// The first instant after `start` at which a requirement of any kind is not met, as far as
    /// known.
    func knownClosing(of requirement: Requirement, after start: Timestamp) -> Timestamp? {
        guard requirement.condition != nil else { return closing(of: requirement, after: start) }
        return conditions.closing(of: requirement, after: start)
    }
}
