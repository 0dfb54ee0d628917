// Instants as people type them: `22:00`, `tomorrow 6:00`, `fri`, `+2h`; pure.
package import Base

/// Parses and formats instants relative to a wall clock.
package struct InstantText: Sendable {
    /// The accepted forms, for help.
    package static let grammar =
        "now, +2h, 2h30m, 22:00, 10pm, noon, midnight, or today, tomorrow, a weekday or a date "
        + "such as 2026-11-28. A time can follow a day; without one it is the start of the day. A "
        + "zone such as UTC or +01:00 can stand last; without one it is that of this machine (TZ). "
        + "A time alone is the next such time. RFC 3339 is understood, too."

    /// The error of a text that is no instant, one sentence.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        /// The sentence.
        package let description: String
    }

    private let now: Timestamp
    private let zone: TimeZoneRules

    /// Creates a clock that shows `now` in `zone`.
    package init(now: Timestamp, zone: TimeZoneRules) {
        self.now = now
        self.zone = zone
    }

    /// Parses an instant; for a time that the clock skips it is the instant of the change, for a
    /// time that occurs twice the first one.
    package func read(_ text: String) throws(Failure) -> Timestamp {
        if let instant = Timestamp(rfc3339: text) { return instant }
        var words = text.lowercased().split(separator: " ")[...]
        if words.first == "in" { words.removeFirst() }
        if words == ["now"] { return now }
        if words.count == 1, let span = InstantText.duration(words[words.startIndex]) {
            return now + span
        }
        var zone = self.zone
        if let own = words.last.flatMap({ InstantText.zone($0) }), words.count > 1 {
            zone = own
            words.removeLast()
        }
        if let both = words.first, words.count == 1, let place = both.firstIndex(of: "t"),
            both.first?.isNumber == true
        {
            words = [both[..<place], both[both.index(after: place)...]]
        }
        let today = zone.civil(at: now).date.daysSinceEpoch
        guard let first = words.first, words.count <= 2 else { throw failure(text) }
        if words.count == 1, let second = InstantText.time(first) {
            let found = InstantText.instant(today, second, zone)
            return found > now ? found : InstantText.instant(today + 1, second, zone)
        }
        let behind = words.count == 2 ? InstantText.time(words[words.startIndex + 1]) : 0
        guard let second = behind else { throw failure(text) }
        switch first {
        case "today": return InstantText.instant(today, second, zone)
        case "tomorrow": return InstantText.instant(today + 1, second, zone)
        default: break
        }
        if let weekday = InstantText.weekday(first) {
            for day in today...today + 7
            where CivilDate.weekday(daysSinceEpoch: day) == weekday {
                let found = InstantText.instant(day, second, zone)
                if found > now { return found }
            }
        }
        guard let date = InstantText.date(first) else { throw failure(text) }
        return InstantText.instant(date.daysSinceEpoch, second, zone)
    }

    /// Formats an instant as `today 22:00 +01:00`, to the minute; `read` parses it again.
    package func show(_ instant: Timestamp) -> String {
        let offset = zone.offset(at: instant)
        let civil = zone.civil(at: instant)
        let today = zone.civil(at: now).date.daysSinceEpoch
        let day =
            switch civil.date.daysSinceEpoch - today {
            case 0: "today"
            case 1: "tomorrow"
            default:
                "\(civil.date.year)-\(InstantText.two(civil.date.month))"
                    + "-\(InstantText.two(civil.date.day))"
            }
        let minutes = abs(offset) / 60
        let zone =
            offset == 0
            ? "UTC"
            : "\(offset < 0 ? "-" : "+")\(InstantText.two(minutes / 60))"
                + ":\(InstantText.two(minutes % 60))"
        return "\(day) \(InstantText.two(civil.hour)):\(InstantText.two(civil.minute)) \(zone)"
    }

    /// Formats an instant with its distance: `today 22:00 UTC (in 3h 12m)`.
    package func showWithDistance(_ instant: Timestamp) -> String {
        let distance = instant - now
        let span = NumberText.span(distance < .zero ? .zero - distance : distance)
        return show(instant) + (distance < .zero ? " (\(span) ago)" : " (in \(span))")
    }

    /// Formats each RFC 3339 instant in a sentence of the service, and adds the distance of one of
    /// them.
    package func localized(_ sentence: String, distanceOf named: Timestamp? = nil) -> String {
        sentence.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let end = word.lastIndex(of: "Z").map { word.index(after: $0) } ?? word.startIndex
            guard let instant = Timestamp(rfc3339: String(word[..<end])) else {
                return String(word)
            }
            let shown = instant == named ? showWithDistance(instant) : show(instant)
            return shown + word[end...]
        }.joined(separator: " ")
    }

    private func failure(_ text: String) -> Failure {
        Failure(
            description:
                "\"\(text)\" is not a time: write 22:00, tomorrow 6:00, fri, 2026-11-28 22:00, +2h "
                + "or RFC 3339")
    }

    private static func instant(
        _ day: Int, _ second: Int, _ zone: TimeZoneRules
    ) -> Timestamp {
        zone.instants(of: CivilTime(date: CivilDate(daysSinceEpoch: day), secondOfDay: second))
            .earliest
    }

    private static func duration(_ word: Substring) -> Duration? {
        do throws(QuantityError) {
            return try DurationText.parse(String(word.hasPrefix("+") ? word.dropFirst() : word))
        } catch {
            return nil
        }
    }

    private static func weekday(_ word: Substring) -> Weekday? {
        let names = [
            "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        ]
        let place = names.firstIndex { $0 == word || $0.prefix(3) == word }
        return place.flatMap { Weekday(rawValue: $0) }
    }

    private static func date(_ word: Substring) -> CivilDate? {
        let parts = word.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, let year = number(parts[0]),
            let month = number(parts[1]), let day = number(parts[2])
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// The seconds since midnight of `22:00`, `22:00:30`, `10pm`, `noon`.
    private static func time(_ word: Substring) -> Int? {
        if word == "noon" { return 43_200 }
        if word == "midnight" { return 0 }
        var digits = word
        var half: Int?
        if word.hasSuffix("am") || word.hasSuffix("pm") {
            half = word.hasSuffix("pm") ? 12 : 0
            digits = word.dropLast(2)
        }
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3, parts.count > 1 || half != nil else { return nil }
        var values: [Int] = []
        for (place, part) in parts.enumerated() {
            guard let value = number(part), place == 0 ? part.count <= 2 : part.count == 2 else {
                return nil
            }
            values.append(value)
        }
        values += [0, 0]
        if let half {
            guard (1...12).contains(values[0]) else { return nil }
            values[0] = values[0] % 12 + half
        }
        guard values[0] < 24, values[1] < 60, values[2] < 60 else { return nil }
        return values[0] * 3600 + values[1] * 60 + values[2]
    }

    private static func zone(_ word: Substring) -> TimeZoneRules? {
        if word == "utc" || word == "z" || word == "gmt" { return .utc }
        guard let sign = word.first, sign == "+" || sign == "-" else { return nil }
        let parts = word.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 }), let hours = number(parts[0]),
            let minutes = number(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return .fixed(offset: (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
