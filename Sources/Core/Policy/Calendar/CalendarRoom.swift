/// What all downloads together may use in the hours of a calendar.
package struct CalendarRoom: Equatable, Sendable {
    /// Transfers at once; nil where there is no limit.
    package var slots: Int?
    /// Bytes a second of all transfers in each hour; nil where that is not known.
    package var link: [Double]?

    /// Names both.
    package init(slots: Int? = nil, link: [Double]? = nil) {
        precondition(link.map { $0.count == PriceCurve.hours } ?? true, "a rate for each hour")
        self.slots = slots
        self.link = link
    }
}

extension CalendarRoom {
    /// The part of the deployment's rate that is booked; the rest is for what comes meanwhile.
    private static let part = 0.7

    /// What a policy leaves: its limit of downloads, and a part of the deployment's timetable.
    init(of situation: Situation) {
        let first = PriceCurve.hour(of: situation.now)
        let rates = (0..<PriceCurve.hours).map { hour in
            situation.policy.bandwidth.deployment?
                .state(at: first + PriceCurve.hour * hour, in: situation.zone).rate.bytesPerSecond
                .map { Double($0) * CalendarRoom.part } ?? .infinity
        }
        self.init(slots: situation.policy.limits.running, link: rates)
    }
}
