// Dates in the forms that feeds have.
internal import Base

/// Reads dates: RFC 822 and 3339 as they should be, and as they are.
enum FeedDate {
    /// The instant of a text; nil if it has none that is certain.
    ///
    /// Read are RFC 3339 and ISO 8601 down to the year, RFC 822 with or without the day of the
    /// week, seconds, zone and two digits of the year, `asctime`, and English names of months and
    /// days. A date without a zone is in UTC, a date without a time at midnight. A date of
    /// numbers alone that may be read in two ways, such as `06/11/1994`, is not read.
    static func read(_ text: String) -> Timestamp? {
        let text = text.trimmed
        guard text.utf8.count <= 128 else { return nil }
        return iso(text) ?? named(text)
    }

    /// `1994-11-06T08:49:37.5+01:00` and less.
    private static func iso(_ text: String) -> Timestamp? {
        let pattern =
            #/
            (\d{4}) (?: - (\d{1,2}) (?: - (\d{1,2})
            (?: [Tt\ ]+ (\d{1,2}) : (\d{2}) (?: : (\d{2}) (?: [.,] \d+ )? )? )? )? )?
            \s* (.*)
            /#
        guard let match = text.wholeMatch(of: pattern),
            let zone = offset(match.7.split(separator: " ").map { $0 })
        else { return nil }
        // A zone needs a time.
        guard match.4 != nil || match.7.isEmpty else { return nil }
        return instant(
            year: Int(match.1), month: match.2.flatMap { Int($0) } ?? 1,
            day: match.3.flatMap { Int($0) } ?? 1, hour: match.4.flatMap { Int($0) } ?? 0,
            minute: match.5.flatMap { Int($0) } ?? 0, second: match.6.flatMap { Int($0) } ?? 0,
            offset: zone)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` and what is near it: a month by its name, a day, a year.
    private static func named(_ text: String) -> Timestamp? {
        var words = text.split { $0 == " " || $0 == "," || $0 == "\t" || $0 == "\n" }
        // `06-Nov-1994` and `6/Nov/1994`.
        words = words.flatMap { word -> [Substring] in
            let parts = word.split { $0 == "-" || $0 == "/" }
            return parts.count == 3 && month(parts[1]) != nil ? parts : [word]
        }
        guard let place = words.firstIndex(where: { month($0) != nil }),
            let month = month(words[place])
        else { return nil }
        var time: (hour: Int, minute: Int, second: Int)?
        var numbers: [Substring] = []
        var zones: [Substring] = []
        for (index, word) in words.enumerated() where index != place {
            if let clock = clock(word), time == nil {
                time = clock
            } else if word.allSatisfy(\.isNumber), numbers.count < 2 {
                numbers.append(word)
            } else if let day = ordinal(word), numbers.isEmpty {
                numbers.append(day)
            } else if index > place || word.first == "+" {
                zones.append(word)
            } else if weekday(word) == nil {
                return nil
            }
        }
        guard numbers.count == 2, let day = Int(numbers[0]), let year = year(numbers[1]) else {
            return nil
        }
        var hour = time?.hour ?? 0
        if let half = zones.first?.lowercased(), half == "am" || half == "pm" {
            zones.removeFirst()
            hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        guard let offset = offset(zones) else { return nil }
        return instant(
            year: year, month: month, day: day, hour: hour, minute: time?.minute ?? 0,
            second: time?.second ?? 0, offset: offset)
    }

    private static func instant(
        year: Int?, month: Int, day: Int, hour: Int, minute: Int, second: Int, offset: Int
    ) -> Timestamp? {
        guard let year, (1900...2200).contains(year), (0...24).contains(hour),
            (0...59).contains(minute), (0...60).contains(second),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        let second = hour * 3600 + minute * 60 + min(second, 59)
        guard second <= 86_400 else { return nil }
        return Timestamp(seconds: Int64(date.daysSinceEpoch) * 86_400 + Int64(second - offset))
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// 1 to 12, of a name with three letters or more.
    private static func month(_ word: Substring) -> Int? {
        position(of: word, in: months).map { $0 + 1 }
    }

    private static func weekday(_ word: Substring) -> Int? { position(of: word, in: days) }

    private static func position(of word: Substring, in names: [String]) -> Int? {
        let word = word.filter { $0 != "." }.lowercased()
        guard word.count >= 3, word.allSatisfy(\.isLetter) else { return nil }
        return names.firstIndex { word.hasPrefix($0) }
    }

    /// `6th` is 6.
    private static func ordinal(_ word: Substring) -> Substring? {
        let digits = word.prefix(while: \.isNumber)
        let rest = word.dropFirst(digits.count).lowercased()
        return !digits.isEmpty && ["st", "nd", "rd", "th"].contains(rest) ? digits : nil
    }

    private static func year(_ word: Substring) -> Int? {
        guard let number = Int(word) else { return nil }
        switch word.count {
        case 4: return number
        case 2: return number < 70 ? 2000 + number : 1900 + number
        default: return nil
        }
    }

    /// `8:49` and `08:49:37`.
    private static func clock(_ word: Substring) -> (hour: Int, minute: Int, second: Int)? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        let numbers = parts.compactMap { Int($0.prefix { $0 != "." }) }
        guard numbers.count == parts.count, numbers.allSatisfy({ $0 >= 0 }) else { return nil }
        return (numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : 0)
    }

    /// Zones by their names, in hours east of Greenwich; other names count as UTC.
    private static let zones: [String: Int] = [
        "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
        "cet": 1, "cest": 2, "eet": 2, "eest": 3, "msk": 3, "bst": 1, "jst": 9, "kst": 9,
        "aest": 10, "aedt": 11,
    ]

    /// Seconds east of Greenwich; 0 without a zone, nil for what is none.
    private static func offset(_ words: [Substring]) -> Int? {
        guard let word = words.first else { return 0 }
        if word.allSatisfy(\.isLetter) {
            // `GMT +0100`, as some programs write.
            if words.count > 1, let named = offset([words[1]]), words[1].first != "(" {
                return named
            }
            return (zones[word.lowercased()] ?? 0) * 3600
        }
        let match = word.wholeMatch(of: /(?:GMT|UTC|UT)?([+\-])(\d{1,2}):?(\d{2})?/)
        guard let match, let hours = Int(match.2), hours <= 14 else { return nil }
        let minutes = match.3.flatMap { Int($0) } ?? 0
        guard minutes <= 59 else { return nil }
        return (hours * 3600 + minutes * 60) * (match.1 == "-" ? -1 : 1)
    }
}
