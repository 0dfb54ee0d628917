/// The facts at one instant that all downloads share.
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
    /// The windows that rules name, evaluated once for all candidates.
    let windows: [String: WindowState]
    /// The deployment's rate, where it may be 0.
    let deploymentRate: RateState?

    /// Names all of it.
    package init(
        now: Timestamp, policy: Policy, zone: TimeZoneRules, isDraining: Bool = false,
        disk: DiskReading? = nil
    ) {
        self.now = now
        self.policy = policy
        self.zone = zone
        self.isDraining = isDraining
        self.disk = disk
        var windows: [String: WindowState] = [:]
        for name in policy.rules.flatMap(\.windows) where windows[name] == nil {
            windows[name] = policy.window(name)?.state(at: now, in: zone)
        }
        self.windows = windows
        let timetable = policy.bandwidth.deployment
        deploymentRate = timetable?.canStop == true ? timetable?.state(at: now, in: zone) : nil
    }
}
