// Calendar dates and wall-clock times without a time zone.

/// A day of the week.
package enum Weekday: Int, Sendable, Hashable, CaseIterable {
    /// The days in the order of ISO 8601, from 0.
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// `Mon` to `Sun`, as HTTP and the policy spell them.
    package var shortName: String {
        switch self {
        case .monday: "Mon"
        case .tuesday: "Tue"
        case .wednesday: "Wed"
        case .thursday: "Thu"
        case .friday: "Fri"
        case .saturday: "Sat"
        case .sunday: "Sun"
        }
    }
}

/// A date of the Gregorian calendar, extended to all years.
package struct CivilDate: Hashable, Sendable {
    /// The year; 0 is the year before 1.
    package let year: Int
    /// The month, 1 to 12.
    package let month: Int
    /// The day of the month, 1 to 31.
    package let day: Int

    /// The date, or nil if the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), year.magnitude < 1_000_000, day >= 1,
            day <= CivilDate.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that many days after 1970-01-01.
    ///
    /// - Parameter daysSinceEpoch: within some 300,000 years.
    package init(daysSinceEpoch: Int) {
        // "chrono-Compatible Low-Level Date Algorithms", Howard Hinnant: days_from_civil and back.
        let shifted = daysSinceEpoch + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01, negative before it.
    package var daysSinceEpoch: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The day of the week.
    package var weekday: Weekday { CivilDate.weekday(daysSinceEpoch: daysSinceEpoch) }

    /// The day of the week that many days after 1970-01-01, a Thursday.
    package static func weekday(daysSinceEpoch: Int) -> Weekday {
        let number = (daysSinceEpoch % 7 + 10) % 7
        return Weekday(rawValue: number) ?? .monday
    }

    /// How many days a month has.
    ///
    /// - Parameters:
    ///   - month: 1 to 12.
    ///   - year: decides about the 29th of February.
    /// - Returns: 28 to 31.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether the year has a 29th of February.
    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

/// What a calendar and a clock show at some place.
package struct CivilTime: Hashable, Sendable {
    /// The day.
    package var date: CivilDate
    /// Seconds since midnight by the clock, 0 to 86399.
    package var secondOfDay: Int

    /// Creates a civil time.
    ///
    /// - Parameters:
    ///   - date: the day.
    ///   - secondOfDay: 0 to 86399.
    package init(date: CivilDate, secondOfDay: Int) {
        precondition((0..<86_400).contains(secondOfDay), "a day of the clock has 86400 seconds")
        self.date = date
        self.secondOfDay = secondOfDay
    }

    /// The hour, 0 to 23.
    package var hour: Int { secondOfDay / 3600 }
    /// The minute, 0 to 59.
    package var minute: Int { secondOfDay / 60 % 60 }
    /// The second, 0 to 59.
    package var second: Int { secondOfDay % 60 }

    /// Seconds from 1970-01-01T00:00:00 to this reading of the same clock.
    package var secondsSinceEpoch: Int64 {
        Int64(date.daysSinceEpoch) * 86_400 + Int64(secondOfDay)
    }

    /// What a clock shows that many seconds after it showed 1970-01-01T00:00:00.
    package init(secondsSinceEpoch: Int64) {
        var (days, second) = secondsSinceEpoch.quotientAndRemainder(dividingBy: 86_400)
        if second < 0 {
            days -= 1
            second += 86_400
        }
        date = CivilDate(daysSinceEpoch: Int(days))
        secondOfDay = Int(second)
    }
}

extension Timestamp {
    /// What a clock shows that many seconds east of Greenwich.
    package func civil(offset: Int = 0) -> CivilTime {
        CivilTime(secondsSinceEpoch: seconds + Int64(offset))
    }

    /// The instant at which a clock that many seconds east of Greenwich shows this.
    package init(_ civil: CivilTime, offset: Int = 0) {
        self.init(seconds: civil.secondsSinceEpoch - Int64(offset))
    }
}
