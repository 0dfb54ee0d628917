import Foundation

/// Instants as the API writes them: RFC 3339 in UTC with milliseconds.
enum Instant {
    /// Writes a date; parts of a millisecond are rounded.
    static func text(_ date: Date) -> String {
        let milliseconds = Int((date.timeIntervalSince1970 * 1000).rounded())
        let day = floor(milliseconds, 86_400_000)
        let (year, month, dayOfMonth) = civil(day)
        let left = milliseconds - day * 86_400_000
        let clock = [left / 3_600_000, left / 60_000 % 60, left / 1000 % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))"
            + "T\(clock.joined(separator: ":")).\(padded(left % 1000, 3))Z"
    }

    /// Reads an instant with any offset and fraction; nil for another text.
    static func date(_ text: String) -> Date? {
        let bytes = Array(text.utf8)
        func number(_ from: Int, _ count: Int) -> Int? {
            guard from + count <= bytes.count else { return nil }
            return bytes[from..<from + count].reduce(Int?.some(0)) { sum, byte in
                guard let sum, byte >= 48, byte <= 57 else { return nil }
                return sum * 10 + Int(byte - 48)
            }
        }
        guard bytes.count >= 20, bytes[4] == 45, bytes[7] == 45, bytes[13] == 58, bytes[16] == 58,
            bytes[10] == 84 || bytes[10] == 116,
            let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2), let minute = number(14, 2), let second = number(17, 2),
            1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second < 61
        else { return nil }
        var place = 19
        var fraction = 0.0
        if bytes[place] == 46 {
            var unit = 0.1
            place += 1
            while place < bytes.count, 48...57 ~= bytes[place] {
                fraction += Double(bytes[place] - 48) * unit
                unit /= 10
                place += 1
            }
        }
        guard place < bytes.count else { return nil }
        var offset = 0
        switch bytes[place] {
        case 90, 122: place += 1
        case 43, 45:
            guard let hours = number(place + 1, 2), let minutes = number(place + 4, 2) else {
                return nil
            }
            offset = (hours * 60 + minutes) * (bytes[place] == 43 ? 60 : -60)
            place += 6
        default: return nil
        }
        guard place == bytes.count else { return nil }
        let days = daysSince1970(year, month, day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(seconds) + fraction)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func floor(_ number: Int, _ divisor: Int) -> Int {
        number / divisor - (number % divisor < 0 ? 1 : 0)
    }

    /// Days since 1970 of a date of the Gregorian calendar; years begin in March, so that the
    /// leap day is their last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = floor(shifted, 400)
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floor(shifted, 146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let day = ofYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
    }
}
