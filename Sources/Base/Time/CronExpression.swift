// When something comes again, by the fields of crontab(5).

/// The minutes at which something comes again, on the clock of a time zone.
///
/// The form is that of crontab(5) with five fields: minute, hour, day of the month, month, day of
/// the week. A field has `*`, numbers, ranges, steps of both, and lists of these; months and days
/// of the week also have their English names of three letters. `7` is Sunday, `L` the last day of a
/// month, `N#K` the Kth such day of the week in a month.
package struct CronExpression: Hashable, Sendable {
    /// The expression as it was given, with one space between its fields.
    package let text: String

    /// Bits 0 to 59.
    let minutes: UInt64
    /// Bits 0 to 23.
    let hours: UInt64
    /// Bits 1 to 31.
    let days: UInt64
    /// Whether the last day of a month is meant, too.
    let hasLastDay: Bool
    /// Bits 1 to 12.
    let months: UInt64
    /// Bits 0 to 6, from Sunday on: each such day of a month.
    let weekdays: UInt64
    /// For each K from 1 to 5, bits 0 to 6: the Kth such day of a month.
    let ordinals: [UInt64]
    /// Whether one of both day fields is enough, because neither begins with `*`; else both have to
    /// match.
    let isEither: Bool

    /// Reads an expression.
    ///
    /// - Parameter text: five fields with spaces between them.
    /// - Throws: `CronError` with the fault and what to write in its place.
    package init(_ text: String) throws(CronError) {
        let fields = text.split { $0 == " " || $0 == "\t" }
        guard fields.count == 5 else {
            throw CronError(
                "has \(fields.count) fields; it takes five: minute, hour, day of the month, month, "
                    + "day of the week")
        }
        self.text = fields.joined(separator: " ")
        minutes = try CronField.minute.read(fields[0]).bits
        hours = try CronField.hour.read(fields[1]).bits
        let day = try CronField.day.read(fields[2])
        (days, hasLastDay) = (day.bits, day.hasLast)
        months = try CronField.month.read(fields[3]).bits
        let weekday = try CronField.weekday.read(fields[4])
        // Both 0 and 7 are Sunday.
        weekdays = (weekday.bits | weekday.bits >> 7) & 0x7f
        ordinals = weekday.ordinals
        isEither = fields[2].first != "*" && fields[4].first != "*"
        guard isEither || isPossible else {
            throw CronError("names days that none of its months has")
        }
    }

    /// Whether a month of the expression has a day that both day fields allow, in some year.
    private var isPossible: Bool {
        (1...12).contains { month in
            guard months & 1 << UInt64(month) != 0 else { return false }
            let last = CivilDate.days(inMonth: month, of: 2000)
            return (1...last).contains { day in
                let isLast = day == last || month == 2 && day == 28
                let isDay = days & 1 << UInt64(day) != 0 || hasLastDay && isLast
                return isDay && (weekdays != 0 || ordinals[(day - 1) / 7] != 0)
            }
        }
    }

    /// Whether a date is one of its days.
    func matches(_ date: CivilDate) -> Bool {
        guard months & 1 << UInt64(date.month) != 0 else { return false }
        let isDay =
            days & 1 << UInt64(date.day) != 0
            || hasLastDay && date.day == CivilDate.days(inMonth: date.month, of: date.year)
        let weekday: UInt64 = 1 << UInt64((date.weekday.rawValue + 1) % 7)
        let isWeekday =
            weekdays & weekday != 0 || ordinals[(date.day - 1) / 7] & weekday != 0
        return isEither ? isDay || isWeekday : isDay && isWeekday
    }

    /// Whether the hour is not restricted, so that the clock is followed as it goes.
    var hasEveryHour: Bool { hours == CronField.hour.all }
}

/// One of the five fields.
private struct CronField {
    /// The values that a field names.
    struct Values {
        var bits: UInt64 = 0
        var hasLast = false
        var ordinals = [UInt64](repeating: 0, count: 5)
    }

    let name: String
    let range: ClosedRange<Int>
    /// The names of its first values.
    var names: [String] = []
    var namesBegin = 0

    static let minute = CronField(name: "minute", range: 0...59)
    static let hour = CronField(name: "hour", range: 0...23)
    static let day = CronField(name: "day of the month", range: 1...31)
    static let month = CronField(
        name: "month", range: 1...12,
        names: [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ], namesBegin: 1)
    static let weekday = CronField(
        name: "day of the week", range: 0...7,
        names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"])

    /// All values.
    var all: UInt64 { bits(range, step: 1) }

    /// Reads a list.
    func read(_ text: Substring) throws(CronError) -> Values {
        var values = Values()
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            if name == CronField.day.name, part.lowercased() == "l" {
                values.hasLast = true
                continue
            }
            if name == CronField.weekday.name, let place = part.firstIndex(of: "#") {
                let weekday = try value(part[..<place]) % 7
                guard let number = digits(part[part.index(after: place)...]),
                    (1...5).contains(number)
                else {
                    throw fault(part, "behind # stands the number of the day in its month, 1 to 5")
                }
                values.ordinals[number - 1] |= 1 << UInt64(weekday)
                continue
            }
            values.bits |= try bits(of: part)
        }
        return values
    }

    private func bits(of part: Substring) throws(CronError) -> UInt64 {
        let halves = part.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var step = 1
        if halves.count == 2 {
            guard let number = digits(halves[1]), number >= 1, number <= range.count else {
                throw fault(part, "a step is a number from 1 to \(range.count)")
            }
            step = number
        }
        if halves[0] == "*" { return bits(range, step: step) }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        let first = try value(ends[0])
        switch ends.count {
        case 1:
            guard halves.count == 1 else {
                throw fault(
                    part,
                    "a step goes with * or a range, such as \(first)-\(range.upperBound)/\(step)")
            }
            return 1 << UInt64(first)
        case 2:
            var last = try value(ends[1])
            // `fri-sun` ends with the week.
            if name == CronField.weekday.name, last == 0, first > 0 { last = 7 }
            guard first <= last else {
                throw fault(
                    part,
                    "a range rises; write two, such as \(first)-\(range.upperBound),"
                        + "\(range.lowerBound)-\(last)")
            }
            return bits(first...last, step: step)
        default: throw fault(part, "a range has two ends")
        }
    }

    private func bits(_ range: ClosedRange<Int>, step: Int) -> UInt64 {
        stride(from: range.lowerBound, through: range.upperBound, by: step).reduce(0) {
            $0 | 1 << UInt64($1)
        }
    }

    /// A number or a name.
    private func value(_ text: Substring) throws(CronError) -> Int {
        if let place = names.firstIndex(of: text.lowercased()) { return place + namesBegin }
        guard let number = digits(text) else {
            let last = names.last ?? ""
            let known = names.isEmpty ? "" : ", or a name from \(names[0]) to \(last)"
            throw fault(
                text, "it takes numbers from \(range.lowerBound) to \(range.upperBound)\(known)")
        }
        guard range.contains(number) else {
            throw fault(text, "it takes numbers from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func digits(_ text: Substring) -> Int? {
        guard (1...3).contains(text.utf8.count),
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }

    private func fault(_ part: Substring, _ rule: String) -> CronError {
        CronError("has \"\(part)\" as \(name): \(rule)")
    }
}
