// Dates in the format of HTTP.

/// Writes IMF-fixdate; RFC 9110 section 5.6.7.
package enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Writes an instant, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// - Parameter seconds: since 1970-01-01 UTC, within the years 0 to 9999.
    /// - Returns: 29 characters.
    package static func format(seconds: Int64) -> String {
        precondition(
            (-62_167_219_200..<253_402_300_800).contains(seconds), "a year of four digits")
        let time = (seconds % 86_400 + 86_400) % 86_400
        let day = (seconds - time) / 86_400
        // Converts days to a civil date by H. Hinnant's "chrono-compatible low-level date
        // algorithms".
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let weekday = days[Int((day % 7 + 7) % 7)]
        return "\(weekday), \(two(dayOfMonth)) \(months[month - 1]) \(four(year)) "
            + "\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) GMT"
    }

    private static func two(_ number: Int64) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }

    private static func four(_ number: Int64) -> String { two(number / 100) + two(number % 100) }
}
