/// The facts at one instant that all downloads share.
///
/// The conductor and the API judge by the same value.
package struct Situation: Equatable, Sendable {
    /// The instant.
    package let now: Timestamp
    /// The policy in force.
    package let policy: Policy
    /// The rules of the policy's time zone.
    package let zone: TimeZoneRules
    /// Whether the service is about to stop.
    package let isDraining: Bool
    /// The volume of the content; nil if it was not read yet, which blocks nothing.
    package let disk: DiskReading?
    /// What is known of conditions.
    package let conditions: ConditionBook
    /// The windows that rules name, evaluated once for all candidates.
    let windows: [String: WindowState]

    /// Names all of it; without conditions none is known.
    package init(
        now: Timestamp, policy: Policy, zone: TimeZoneRules, isDraining: Bool = false,
        disk: DiskReading? = nil, conditions: ConditionBook? = nil
    ) {
        self.now = now
        self.policy = policy
        self.zone = zone
        self.isDraining = isDraining
        self.disk = disk
        self.conditions = conditions ?? ConditionBook(policy, at: now)
        var windows: [String: WindowState] = [:]
        for rule in policy.rules {
            for requirement in rule.requirements {
                guard let name = requirement.window, windows[name] == nil else { continue }
                windows[name] = policy.window(name)?.state(at: now, in: zone)
            }
        }
        self.windows = windows
    }

    /// A requirement at the instant.
    func state(of requirement: Requirement) -> AtomState {
        guard case .window(let name, let isNegated) = requirement.subject else {
            return conditions.state(of: requirement, at: now)
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
}
