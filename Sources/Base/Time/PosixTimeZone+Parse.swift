// Reads the rule at the end of a TZif file.

extension PosixTimeZone {
    /// Reads a rule.
    ///
    /// - Parameter text: such as `EST5EDT,M3.2.0,M11.1.0` or `<+03>-3`; offsets count west.
    /// - Throws: `TimeZoneError` when it is not one.
    init(parsing text: String) throws(TimeZoneError) {
        var scanner = PosixScanner(bytes: Array(text.utf8))
        guard scanner.name(), let west = scanner.time(hours: 24) else {
            throw TimeZoneError("\"\(text)\" is not a POSIX time zone rule")
        }
        standardOffset = -west
        guard !scanner.isAtEnd else {
            daylight = nil
            return
        }
        var offset = standardOffset + 3600
        guard scanner.name() else {
            throw TimeZoneError("\"\(text)\" is not a POSIX time zone rule")
        }
        if scanner.current != UInt8(ascii: ",") {
            guard let west = scanner.time(hours: 24) else {
                throw TimeZoneError("\"\(text)\" has an invalid offset of summer time")
            }
            offset = -west
        }
        guard let start = scanner.change(), let end = scanner.change(), scanner.isAtEnd else {
            throw TimeZoneError("\"\(text)\" does not say when summer time begins and ends")
        }
        daylight = Daylight(offset: offset, start: start, end: end)
    }
}

/// A position in a POSIX rule.
private struct PosixScanner {
    let bytes: [UInt8]
    var index = 0

    var isAtEnd: Bool { index == bytes.count }
    var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// Reads letters, or anything in angle brackets.
    mutating func name() -> Bool {
        let isQuoted = take("<")
        let start = index
        while let byte = current {
            let isLetter = (0x41...0x5a).contains(byte & 0xdf)
            let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            guard isLetter || isQuoted && (isSign || (0x30...0x39).contains(byte)) else { break }
            index += 1
        }
        return index - start >= 3 && (!isQuoted || take(">"))
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let start = index
        var value = 0
        while let byte = current, (0x30...0x39).contains(byte), index - start < 3 {
            value = value * 10 + Int(byte - 0x30)
            index += 1
        }
        return index > start && range.contains(value) ? value : nil
    }

    /// Reads `[+-]hh[:mm[:ss]]` as seconds.
    mutating func time(hours limit: Int) -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(0...limit) else { return nil }
        var seconds = hours * 3600
        if take(":") {
            guard let minutes = number(0...59) else { return nil }
            seconds += minutes * 60
            if take(":") {
                guard let rest = number(0...59) else { return nil }
                seconds += rest
            }
        }
        return isNegative ? -seconds : seconds
    }

    /// Reads `,Mm.w.d`, `,Jn` or `,n`, and the time behind it.
    mutating func change() -> PosixTimeZone.Change? {
        guard take(","), let day = day() else { return nil }
        var second = 2 * 3600
        if take("/") {
            guard let time = time(hours: 167) else { return nil }
            second = time
        }
        return PosixTimeZone.Change(day: day, second: second)
    }

    private mutating func day() -> PosixTimeZone.Day? {
        if take("M") {
            guard let month = number(1...12), take("."), let week = number(1...5), take("."),
                let day = number(0...6)
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        }
        if take("J") { return number(1...365).map { .withoutLeapDay($0) } }
        return number(0...365).map { .withLeapDay($0) }
    }
}
