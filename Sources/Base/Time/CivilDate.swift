/// A date of the Gregorian calendar, extended to all years.
package struct CivilDate: Hashable, Sendable {
    /// The year; 0 is the year before 1.
    package let year: Int
    /// The month, 1 to 12.
    package let month: Int
    /// The day of the month, 1 to 31.
    package let day: Int

    /// Creates a date; nil if the calendar has no such day.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), year.magnitude < 1_000_000, day >= 1,
            day <= CivilDate.days(inMonth: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date this many days after 1970-01-01.
    ///
    /// - Parameter daysSinceEpoch: within some 300,000 years.
    package init(daysSinceEpoch: Int) {
        // "chrono-Compatible Low-Level Date Algorithms" by Howard Hinnant: days_from_civil and
        // back.
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

    /// The day of the week this many days after 1970-01-01, a Thursday.
    package static func weekday(daysSinceEpoch: Int) -> Weekday {
        let number = (daysSinceEpoch % 7 + 10) % 7
        return Weekday(rawValue: number) ?? .monday
    }

    /// The number of days of a month.
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
