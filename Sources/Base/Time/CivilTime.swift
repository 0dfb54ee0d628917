// Calendar dates and wall-clock times without a time zone.

/// A date and a time of day without a zone.
package struct CivilTime: Hashable, Sendable {
    /// The date.
    package var date: CivilDate
    /// Seconds since midnight in local time, 0 to 86399.
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

    /// Seconds from 1970-01-01T00:00:00 to this time, both in the same zone.
    package var secondsSinceEpoch: Int64 {
        Int64(date.daysSinceEpoch) * 86_400 + Int64(secondOfDay)
    }

    /// The time this many seconds after 1970-01-01T00:00:00 in the same zone.
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
    /// The local time at an offset, in seconds east of Greenwich.
    package func civil(offset: Int = 0) -> CivilTime {
        CivilTime(secondsSinceEpoch: seconds + Int64(offset))
    }

    /// The instant of a local time at an offset, in seconds east of Greenwich.
    package init(_ civil: CivilTime, offset: Int = 0) {
        self.init(seconds: civil.secondsSinceEpoch - Int64(offset))
    }
}
