internal import Base

/// The states of a policy's windows, computed again only when one of them opens or closes.
struct WindowStates: Sendable {
    private var states: [KeyText: WindowState]?
    private var from = Timestamp.epoch
    private var until = Timestamp.epoch
    /// The time for which a state without a known end is kept.
    private static let atMost = Duration.seconds(3600)

    /// The states at an instant, for one policy and zone.
    mutating func states(
        of policy: Policy, at now: Timestamp, in zone: TimeZoneRules
    ) -> [KeyText: WindowState] {
        if let states, now >= from, now < until { return states }
        let states = Situation.windows(of: policy, at: now, in: zone)
        WorkMeter.add(states.count)
        self.states = states
        from = now
        until = now + WindowStates.atMost
        for state in states.values {
            switch state {
            case .open(let end): until = min(until, end ?? until)
            case .closed(_, let end): until = min(until, end ?? until)
            }
        }
        return states
    }
}
