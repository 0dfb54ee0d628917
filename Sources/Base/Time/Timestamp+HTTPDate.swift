// HTTP dates (RFC 9110, section 5.6.7) in Last-Modified, Date and Retry-After.

extension Timestamp {
    /// Reads an HTTP-date in any of the three forms of RFC 9110, section 5.6.7.
    ///
    /// The day of the week has to be a valid name, but not the right one: origins get it wrong.
    ///
    /// - Parameters:
    ///   - httpDate: such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///   - now: decides the century of a two-digit year: a date that seems to lie more than
    ///     50 years ahead is in the past.
    package init?(httpDate: String, now: Timestamp) {
        let parsed =
            Timestamp.imfFixdate(httpDate) ?? Timestamp.asctime(httpDate)
            ?? Timestamp.rfc850(httpDate, now: now)
        guard let parsed else { return nil }
        self = parsed
    }

    /// The IMF-fixdate of its second, such as `Sun, 06 Nov 1994 08:49:37 GMT`, within the years
    /// 0 to 9999.
    package var httpDate: String {
        let time = civil()
        let date = time.date
        precondition((0...9999).contains(date.year), "a year of four digits")
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let year = two(date.year / 100) + two(date.year % 100)
        return "\(date.weekday.shortName), \(two(date.day)) "
            + "\(Timestamp.monthNames[date.month - 1]) \(year) "
            + "\(two(time.hour)):\(two(time.minute)):\(two(time.second)) GMT"
    }

    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let longDayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static func imfFixdate(_ text: String) -> Timestamp? {
        var scanner = DigitScanner(text)
        guard takeShortDay(&scanner), scanner.take(text: ", "),
            let day = scanner.digits(2), scanner.take(" "),
            let month = takeMonth(&scanner), scanner.take(" "),
            let year = scanner.digits(4), scanner.take(" "),
            let second = timeOfDay(&scanner), scanner.take(text: " GMT"), scanner.isAtEnd,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        return Timestamp(CivilTime(date: date, secondOfDay: second))
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static func rfc850(_ text: String, now: Timestamp) -> Timestamp? {
        var scanner = DigitScanner(text)
        guard longDayNames.contains(where: { scanner.take(text: $0) }), scanner.take(text: ", "),
            let day = scanner.digits(2), scanner.take("-"),
            let month = takeMonth(&scanner), scanner.take("-"),
            let shortYear = scanner.digits(2), scanner.take(" "),
            let second = timeOfDay(&scanner), scanner.take(text: " GMT"), scanner.isAtEnd
        else { return nil }
        let thisYear = now.civil().date.year
        var year = thisYear - thisYear % 100 + shortYear
        if year > thisYear + 50 { year -= 100 }
        if year <= thisYear - 50 { year += 100 }
        guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
        return Timestamp(CivilTime(date: date, secondOfDay: second))
    }

    /// `Sun Nov  6 08:49:37 1994`.
    private static func asctime(_ text: String) -> Timestamp? {
        var scanner = DigitScanner(text)
        guard takeShortDay(&scanner), scanner.take(" "),
            let month = takeMonth(&scanner), scanner.take(" "),
            let day = scanner.take(" ") ? scanner.digits(1) : scanner.digits(2), scanner.take(" "),
            let second = timeOfDay(&scanner), scanner.take(" "),
            let year = scanner.digits(4), scanner.isAtEnd,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        return Timestamp(CivilTime(date: date, secondOfDay: second))
    }

    private static func takeShortDay(_ scanner: inout DigitScanner) -> Bool {
        Weekday.allCases.contains { scanner.take(text: $0.shortName) }
    }

    private static func takeMonth(_ scanner: inout DigitScanner) -> Int? {
        guard let position = monthNames.firstIndex(where: { scanner.take(text: $0) }) else {
            return nil
        }
        return position + 1
    }

    /// `08:49:37` as a second of the day; second 60 counts as 59.
    private static func timeOfDay(_ scanner: inout DigitScanner) -> Int? {
        guard let hour = scanner.digits(2), hour <= 23, scanner.take(":"),
            let minute = scanner.digits(2), minute <= 59, scanner.take(":"),
            let second = scanner.digits(2), second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + min(second, 59)
    }
}
