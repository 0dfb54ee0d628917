// The part of the link and of the slots that the calendar may book.
internal import Base

extension CalendarRoom {
    /// The part of the deployment's rate that is booked; the rest is for what comes meanwhile.
    private static let part = 0.7

    /// What a policy leaves: its limit of downloads, and a part of what the deployment's timetable
    /// allows and the links of its replicas have carried.
    init(of situation: Situation, replicas: Int = 1) {
        let first = PriceCurve.hour(of: situation.now)
        let rates = (0..<PriceCurve.hours).map { hour in
            let instant = first + PriceCurve.hour * hour
            let allowed = situation.policy.bandwidth.deployment?
                .state(at: instant, in: situation.zone).rate.bytesPerSecond.map(Double.init)
            let carried = situation.learned.link(at: instant)
                .map { $0.quantile(0.5) * Double(replicas) }
            return min(allowed ?? .infinity, carried ?? .infinity) * CalendarRoom.part
        }
        self.init(slots: situation.policy.limits.running, link: rates)
    }
}
