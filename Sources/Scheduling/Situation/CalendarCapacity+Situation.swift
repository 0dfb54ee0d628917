// The slots and the part of the link that the calendar may book.
internal import Base

extension CalendarCapacity {
    /// The share of the deployment's rate that is booked; the rest is kept for new downloads.
    private static let part = 0.7

    /// The capacity under a policy: its limit of downloads, and a share of the rate that the
    /// deployment's timetable allows and its replicas' links have carried.
    init(of situation: Situation, replicas: Int = 1) {
        let first = PriceCurve.hour(of: situation.now)
        let rates = (0..<PriceCurve.hours).map { hour in
            let instant = first + PriceCurve.hour * hour
            let allowed = situation.policy.bandwidth.deployment?
                .state(at: instant, in: situation.zone).rate.bytesPerSecond.map(Double.init)
            let carried = situation.learned.link(at: instant)
                .map { $0.quantile(0.5) * Double(replicas) }
            return min(allowed ?? .infinity, carried ?? .infinity) * CalendarCapacity.part
        }
        self.init(slots: situation.policy.limits.running, link: rates)
    }
}
