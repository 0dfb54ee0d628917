/// The facts at one instant that all downloads share.
///
/// The conductor and the API judge by the same value.
package struct Situation: Equatable, Sendable {
    /// The instant.
    package private(set) var now: Timestamp
    private var shared: SharedFacts
    /// Whether what is said of it goes to one app of several, which is told no figure of others.
    package var hidesOthers = false
    /// The windows that rules name, evaluated once for all candidates.
    private(set) var windows: [KeyText: WindowState]

    /// Known facts at an instant; windows are evaluated unless their states are given.
    package init(
        now: Timestamp, facts: SharedFacts, windows known: [KeyText: WindowState]? = nil
    ) {
        self.now = now
        shared = facts
        // A policy is large, also to be looked at.
        windows =
            known ?? (facts.hasRules ? Situation.windows(of: facts, at: now) : [:])
    }

    /// Names all of it; without conditions none is known, and windows are evaluated unless their
    /// states are given.
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

    /// Whether the policy judges by names of origins.
    package var needsOriginNames: Bool { shared.value.policy.needsOriginNames }

    /// Whether the service is about to stop.
    package var isDraining: Bool { shared.value.isDraining }

    /// The volume of the content; nil if it was not read yet, which blocks nothing.
    package var disk: DiskReading? { shared.value.disk }

    /// What is known of conditions.
    package var conditions: ConditionBook { shared.value.conditions }

    /// What the world did so far.
    package var learned: LearnedFacts { shared.value.learned }

    /// What conditions were, where the instant is one of the past.
    var history: FactsHistory? { shared.value.history }

    /// What is known of budgets.
    package var budgets: BudgetBook {
        get { shared.value.budgets }
        set { change { $0.budgets = newValue } }
    }

    /// That the network of this machine is not reached; nil while it is.
    package var network: Outage? {
        get { shared.value.network }
        set { change { $0.network = newValue } }
    }

    /// What other replicas measure; empty for a decision of one replica, which counts alone.
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

    /// How the windows stand that rules name.
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

    /// Whether it differs from another one of the same policy in more than its instant, its
    /// windows, its conditions, its budgets and its disk.
    func hasOtherFacts(than other: Situation) -> Bool {
        guard shared !== other.shared else { return false }
        var same = other.shared.value
        // A document is long, and is not compared at every event.
        same.policy = policy
        same.zone = zone
        same.conditions = conditions
        same.budgets = budgets
        same.disk = disk
        return same != shared.value || calendar != other.calendar
    }

    /// The same facts at another instant, as far as they are known for it.
    func at(_ instant: Timestamp) -> Situation {
        Situation(
            now: instant, policy: policy, zone: zone, isDraining: isDraining, disk: disk,
            conditions: conditions, learned: learned, budgets: budgets)
    }

    /// The same facts once transfers have their usual speed.
    var atUsualPace: Situation {
        var usual = self
        usual.change { $0.learned.pace = 1 }
        return usual
    }

    /// What the hours cost that rules prefer, and what is booked of them.
    var calendar: BookingCalendar { conditions.calendar }

    /// Bytes a second that deadlines count on, of an origin or of all: a low part of what was
    /// learned, less while all transfers are slow.
    package func countedRate(_ learned: LearnedEstimate) -> Double {
        learned.quantile(policy.deadlines.quantile) * self.learned.pace
    }

    /// A requirement at the instant.
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

    /// The first instant from one on at which a requirement is met, as far as that is known.
    func opening(of requirement: Requirement, from start: Timestamp) -> Timestamp? {
        guard case .window(let name, let isNegated) = requirement.subject else {
            return conditions.opening(of: requirement, from: start)
        }
        guard let hours = policy.window(name) else { return nil }
        let state = Situation.state(of: hours.state(at: start, in: zone), isNegated: isNegated)
        return state.isMet ? start : state.until
    }

    /// The first instant after one, at which they are met, at which a requirement on a window is
    /// not met; nil for never.
    func closing(of requirement: Requirement, after start: Timestamp) -> Timestamp? {
        guard case .window(let name, let isNegated) = requirement.subject,
            let hours = policy.window(name)
        else { return nil }
        return Situation.state(of: hours.state(at: start, in: zone), isNegated: isNegated).until
    }

    /// The same of any requirement, as far as the end is known.
    func knownClosing(of requirement: Requirement, after start: Timestamp) -> Timestamp? {
        guard requirement.condition != nil else { return closing(of: requirement, after: start) }
        return conditions.closing(of: requirement, after: start)
    }
}
