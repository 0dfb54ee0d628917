// The dates of cookies, which are written in more ways than those of other fields.
internal import Base

/// Reads `Expires` of a `Set-Cookie` (RFC 6265 section 5.1.1).
enum CookieDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The instant; nil if a part is missing or invalid.
    static func read(_ text: some Collection<UInt8>) -> Timestamp? {
        var time: Int?
        var (day, month, year): (Int?, Int?, Int?) = (nil, nil, nil)
        for token in text.split(whereSeparator: isDelimiter) {
            let word = String(decoding: token, as: UTF8.self).lowercased()
            if time == nil, let found = secondOfDay(word) {
                time = found
            } else if day == nil, let found = number(word, digits: 1...2) {
                day = found
            } else if month == nil, let found = months.firstIndex(of: String(word.prefix(3))) {
                month = found + 1
            } else if year == nil, let found = number(word, digits: 2...4) {
                year = found < 70 ? found + 2000 : found < 100 ? found + 1900 : found
            }
        }
        guard let time, let day, let month, let year, year >= 1601,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        return Timestamp(CivilTime(date: date, secondOfDay: time))
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2f, 0x3b...0x40, 0x5b...0x60, 0x7b...0x7e: true
        default: false
        }
    }

    /// The number at the start of a word, if its count of digits is in a range.
    private static func number(_ word: String, digits: ClosedRange<Int>) -> Int? {
        let found = word.utf8.prefix { (0x30...0x39).contains($0) }
        guard digits.contains(found.count) else { return nil }
        return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// The second of the day; `9:5:07` is read like `09:05:07`.
    private static func secondOfDay(_ word: String) -> Int? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let numbers = parts.compactMap { number(String($0), digits: 1...2) }
        guard numbers.count == 3, numbers[0] < 24, numbers[1] < 60, numbers[2] < 60 else {
            return nil
        }
        return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
    }
}
