// The instants of a cron expression on a clock that is put forward and back.

extension CronExpression {
    /// An instant at which the expression comes again, and how the clock changed there.
    package struct Occurrence: Hashable, Sendable {
        /// The effect of a change of the clock.
        package enum Change: String, Sendable {
            /// The time of day does not exist on this date; this is the end of the gap.
            case gap
            /// The time of day exists twice on this date; this is the first, or with each hour, one
            /// of them.
            case `repeat`
        }

        /// The instant.
        package let at: Timestamp
        /// The effect of a change of the clock; nil for none.
        package let change: Change?
    }

    /// The years through which an occurrence is searched: the 29th of February is a given day of
    /// the week once in 28 years, and once in 40 over the year 2100.
    private static let yearsAtMost = 41

    /// The next occurrence.
    ///
    /// If the hour field has all hours, the clock is followed as it goes: a time that does not
    /// exist is left out, and one that exists twice comes twice. Else a time that does not exist
    /// comes at the end of the gap, once for all times in it, and one that exists twice comes the
    /// first time.
    ///
    /// - Parameters:
    ///   - instant: the occurrence is later.
    ///   - zone: the rules of the clock.
    /// - Returns: the occurrence; nil if there is none in 41 years.
    package func next(after instant: Timestamp, in zone: TimeZoneRules) -> Occurrence? {
        hasEveryHour ? nextOnTheClock(after: instant, zone) : nextOfItsHours(after: instant, zone)
    }

    private func nextOfItsHours(after instant: Timestamp, _ zone: TimeZoneRules) -> Occurrence? {
        // A clock that moves over the date line leaves a whole day out.
        let start = zone.civil(at: instant).date.daysSinceEpoch - 2
        let minutes = minutesOfDay()
        for day in start..<(start + CronExpression.yearsAtMost * 366) {
            let date = CivilDate(daysSinceEpoch: day)
            guard matches(date) else { continue }
            for minute in minutes {
                let local = CivilTime(date: date, secondOfDay: minute * 60)
                let found: Occurrence
                switch zone.instants(of: local) {
                case .one(let at): found = Occurrence(at: at, change: nil)
                case .two(let at, _): found = Occurrence(at: at, change: .repeat)
                case .gap(let at): found = Occurrence(at: at, change: .gap)
                }
                if found.at > instant { return found }
            }
        }
        return nil
    }

    private func nextOnTheClock(after instant: Timestamp, _ zone: TimeZoneRules) -> Occurrence? {
        let end = instant + .seconds(CronExpression.yearsAtMost * 366 * 86_400)
        let minutes = minutesOfDay()
        // The clock runs evenly from one of its changes to the next.
        var (since, isIncluded) = (instant, false)
        while since < end {
            let until = min(end, since + .seconds(40 * 86_400))
            let change = zone.firstChange(after: since, through: until)
            let offset = zone.offset(at: since)
            if let local = nextReading(
                of: minutes, after: since.civil(offset: offset), orAt: isIncluded,
                before: (change ?? until).civil(offset: offset))
            {
                let isRepeated =
                    if case .two = zone.instants(of: local) { true } else { false }
                return Occurrence(
                    at: Timestamp(local, offset: offset), change: isRepeated ? .repeat : nil)
            }
            (since, isIncluded) = (change ?? until, true)
        }
        return nil
    }

    /// The first matching reading of an even clock in a span.
    private func nextReading(
        of minutes: [Int], after start: CivilTime, orAt isIncluded: Bool, before end: CivilTime
    ) -> CivilTime? {
        let first = start.date.daysSinceEpoch
        for day in first...max(first, end.date.daysSinceEpoch) {
            let date = CivilDate(daysSinceEpoch: day)
            guard matches(date) else { continue }
            for minute in minutes {
                let local = CivilTime(date: date, secondOfDay: minute * 60)
                let reading = local.secondsSinceEpoch
                if reading >= end.secondsSinceEpoch { return nil }
                if reading > start.secondsSinceEpoch
                    || isIncluded && reading == start.secondsSinceEpoch
                {
                    return local
                }
            }
        }
        return nil
    }

    /// The matching minutes of a day, rising.
    private func minutesOfDay() -> [Int] {
        var found: [Int] = []
        for hour in 0..<24 where hours & 1 << UInt64(hour) != 0 {
            for minute in 0..<60 where minutes & 1 << UInt64(minute) != 0 {
                found.append(hour * 60 + minute)
            }
        }
        return found
    }
}
