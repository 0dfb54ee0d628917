package import Base
package import Downloads

/// The hours and days in which a feed need not be looked at, in UTC.
package struct QuietTimes: MemberList {
    /// The hours of the day, one bit each.
    package var hours: Int64 = 0
    /// The days of the week from Monday on, one bit each.
    package var days: Int64 = 0

    /// No such times.
    package init() {}

    /// Those of a feed.
    package init(of feed: Feed) {
        hours = feed.skipHours.reduce(0) { $0 | 1 << Int64($1) }
        days = feed.skipDays.reduce(0) { $0 | 1 << Int64($1.rawValue) }
    }

    /// The blank value that reading fills in.
    package static let blank = QuietTimes()

    /// The members as they are stored.
    package mutating func visit<Visitor: MemberVisitor>(_ members: inout Visitor) {
        members.visit("hours", &hours, usually: 0)
        members.visit("days", &days, usually: 0)
    }

    /// The first instant from one on at which a look is useful; a feed that names each hour or each
    /// day names none.
    package func end(from instant: Timestamp) -> Timestamp {
        let allHours: Int64 = 1 << 24 - 1
        let allDays: Int64 = 1 << 7 - 1
        let (hours, days) = (
            self.hours & allHours == allHours ? 0 : self.hours,
            self.days & allDays == allDays ? 0 : self.days
        )
        guard hours != 0 || days != 0 else { return instant }
        var next = instant
        // A week has 168 hours, and each step ends one of them at least.
        for _ in 0..<(8 * 24) {
            let hour = QuietTimes.floor(next.seconds, 3600)
            // The first day of the epoch was a Thursday.
            let day = QuietTimes.modulo(QuietTimes.floor(hour, 24) + 3, 7)
            let isQuiet = days >> day & 1 == 1 || hours >> QuietTimes.modulo(hour, 24) & 1 == 1
            guard isQuiet else { return next }
            next = Timestamp(seconds: (hour + 1) * 3600)
        }
        return next
    }

    private static func floor(_ value: Int64, _ part: Int64) -> Int64 {
        (value - modulo(value, part)) / part
    }

    private static func modulo(_ value: Int64, _ part: Int64) -> Int64 {
        (value % part + part) % part
    }
}
