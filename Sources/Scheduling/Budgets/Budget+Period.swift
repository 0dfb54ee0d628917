// The periods of budgets, by the clock of the policy's zone.
package import Base

extension Budget {
    /// The period in which an instant lies.
    ///
    /// - Parameters:
    ///   - now: the instant; a period begins with its first microsecond.
    ///   - zone: the time zone of the policy. Where the clocks are put back an hour may be two
    ///     hours long, as they show it twice.
    /// - Returns: from the first instant on, up to the one behind the last.
    package func span(at now: Timestamp, in zone: TimeZoneRules) -> Range<Timestamp> {
        let local = zone.civil(at: now)
        let today = local.date.daysSinceEpoch
        func instant(_ day: Int, _ hour: Int = 0) -> Timestamp {
            zone.instants(
                of: CivilTime(
                    date: CivilDate(daysSinceEpoch: day + hour / 24),
                    secondOfDay: hour % 24 * 3600)
            ).earliest
        }
        var first = instant(today, local.hour)
        var end = instant(today, local.hour + 1)
        switch period {
        case .hour: break
        case .day: (first, end) = (instant(today), instant(today + 1))
        case .week:
            let monday = today - local.date.weekday.rawValue
            (first, end) = (instant(monday), instant(monday + 7))
        case .month:
            let start = today - local.date.day + 1
            let days = CivilDate.days(inMonth: local.date.month, of: local.date.year)
            (first, end) = (instant(start), instant(start + days))
        }
        // Whatever the rules of the zone say, a period has its own instants and ends.
        return min(first, now)..<max(end, now + .microseconds(1))
    }
}
