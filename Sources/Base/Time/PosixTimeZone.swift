// The rule at the end of a TZif file, which applies to all years after its table.

/// A POSIX TZ rule such as `CET-1CEST,M3.5.0,M10.5.0/3` with the extensions of RFC 9636, 3.3.1.
struct PosixTimeZone: Hashable, Sendable {
    /// The standard offset, in seconds east of Greenwich.
    let standardOffset: Int
    /// Summer time, if the zone has it.
    let daylight: Daylight?

    /// Summer time and its two changes each year.
    struct Daylight: Hashable, Sendable {
        let offset: Int
        /// The time at which it begins, in standard time.
        let start: Change
        /// The time at which it ends, in summer time.
        let end: Change
    }

    /// A day of the year and seconds after its midnight, which may lie outside of the day.
    struct Change: Hashable, Sendable {
        let day: Day
        let second: Int
    }

    /// The three forms of a day.
    enum Day: Hashable, Sendable {
        /// 1 to 365, the 29th of February is never counted.
        case withoutLeapDay(Int)
        /// 0 to 365, the 29th of February is counted.
        case withLeapDay(Int)
        /// Month, week 1 to 5 (5 is the last), day from Sunday as 0.
        case weekday(month: Int, week: Int, day: Int)
    }

    /// The two instants of a year at which the offset changes, in seconds since 1970, in order.
    func changes(in year: Int) -> [(at: Int64, offset: Int)] {
        guard let daylight else { return [] }
        let start = daylight.start.localSeconds(in: year) - Int64(standardOffset)
        let end = daylight.end.localSeconds(in: year) - Int64(daylight.offset)
        let changes = [(at: start, offset: daylight.offset), (at: end, offset: standardOffset)]
        return start <= end ? changes : changes.reversed()
    }

    /// The offset at an instant in seconds since 1970, in seconds east of Greenwich.
    func offset(at second: Int64) -> Int {
        guard daylight != nil else { return standardOffset }
        let year = CivilTime(secondsSinceEpoch: second + Int64(standardOffset)).date.year
        // The years before and after are included: a change may fall into the neighbouring year by
        // UTC.
        var offset = standardOffset
        for candidate in year - 1...year + 1 {
            for change in changes(in: candidate) where change.at <= second {
                offset = change.offset
            }
        }
        return offset
    }
}

extension PosixTimeZone.Change {
    /// Seconds from 1970-01-01T00:00:00 to the change, in the local time that it ends.
    func localSeconds(in year: Int) -> Int64 {
        let firstDay = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
        let days: Int
        switch day {
        case .withoutLeapDay(let number):
            days = firstDay + number - 1 + (number >= 60 && CivilDate.isLeap(year) ? 1 : 0)
        case .withLeapDay(let number): days = firstDay + number
        case .weekday(let month, let week, let weekday):
            let first = CivilDate(year: year, month: month, day: 1)?.daysSinceEpoch ?? 0
            let sundayBased = (CivilDate.weekday(daysSinceEpoch: first).rawValue + 1) % 7
            var dayOfMonth = 1 + (weekday - sundayBased + 7) % 7 + (week - 1) * 7
            while dayOfMonth > CivilDate.days(inMonth: month, of: year) { dayOfMonth -= 7 }
            days = first + dayOfMonth - 1
        }
        return Int64(days) * 86_400 + Int64(second)
    }
}
