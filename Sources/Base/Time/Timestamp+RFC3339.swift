// Instants in the form of the API.

extension Timestamp {
    /// Reads a date-time of RFC 3339, section 5.6.
    ///
    /// Any offset is read, `t` and `z` may be in lower case, the fraction may have 1 to 9 digits of
    /// which six count. Second 60 is read where UTC may have one, at the end of a month, as the
    /// microsecond before the next month.
    ///
    /// - Parameter rfc3339: such as `2026-03-01T02:00:00.250+01:00`.
    package init?(rfc3339: String) {
        var scanner = DigitScanner(rfc3339)
        guard let year = scanner.digits(4), scanner.take("-"),
            let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2), scanner.take("T") || scanner.take("t"),
            let hour = scanner.digits(2), hour <= 23, scanner.take(":"),
            let minute = scanner.digits(2), minute <= 59, scanner.take(":"),
            let second = scanner.digits(2), second <= 60,
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        var fraction = 0
        if scanner.take(".") {
            guard let value = scanner.fraction(places: 6, atMost: 9) else { return nil }
            fraction = value
        }
        guard let offset = scanner.offset(), scanner.isAtEnd else { return nil }
        let civil = CivilTime(
            date: date, secondOfDay: hour * 3600 + minute * 60 + min(second, 59))
        let whole = Timestamp(civil, offset: offset)
        if second == 60 {
            let next = (whole + .seconds(1)).civil()
            guard next.secondOfDay == 0, next.date.day == 1 else { return nil }
            fraction = 999_999
        }
        self.init(microseconds: whole.microseconds + Int64(fraction))
    }

    /// The instant in UTC with three digits of the second's fraction, rounded down.
    ///
    /// Instants outside of the years 0 to 9999, which RFC 3339 cannot express, are shown as the
    /// first or last one inside.
    package var rfc3339: String { text(fractionDigits: 3) }

    /// The second of the instant on a clock with an offset, such as `2026-03-29T03:00:00+02:00`.
    ///
    /// - Parameter offset: seconds east of Greenwich, less than a day either way. RFC 3339 has no
    ///   seconds in offsets: an offset with seconds is shown as UTC.
    /// - Returns: the text.
    package func rfc3339(offset: Int) -> String {
        let shown = offset % 60 == 0 ? offset : 0
        let minutes = Int(shown.magnitude) / 60
        let digits = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        return (self + .seconds(shown)).rfc3339.prefix(19) + (shown < 0 ? "-" : "+")
            + digits.joined(separator: ":")
    }

    /// The instant in UTC with all six digits of the second's fraction.
    package var rfc3339Microseconds: String { text(fractionDigits: 6) }

    private func text(fractionDigits: Int) -> String {
        unsafe String(unsafeUninitializedCapacity: 21 + fractionDigits) { buffer in
            var room = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            spell(fractionDigits: fractionDigits, to: &room)
            return unsafe room.finalize(for: buffer)
        }
    }

    /// The number of bytes of the text of `rfc3339`.
    static let textLength = 24

    /// Appends the text of `rfc3339`.
    func append(to room: inout OutputSpan<UInt8>) { spell(fractionDigits: 3, to: &room) }

    /// Appends `YYYY-MM-DDThh:mm:ss.`, the digits and `Z`.
    private func spell(fractionDigits: Int, to room: inout OutputSpan<UInt8>) {
        let shown = min(max(self, Timestamp.earliestInText), Timestamp.latestInText)
        let civil = shown.civil()
        Timestamp.spell(civil.date.year / 100, to: &room)
        Timestamp.spell(civil.date.year % 100, to: &room)
        room.append(UInt8(ascii: "-"))
        Timestamp.spell(civil.date.month, to: &room)
        room.append(UInt8(ascii: "-"))
        Timestamp.spell(civil.date.day, to: &room)
        room.append(UInt8(ascii: "T"))
        Timestamp.spell(civil.hour, to: &room)
        room.append(UInt8(ascii: ":"))
        Timestamp.spell(civil.minute, to: &room)
        room.append(UInt8(ascii: ":"))
        Timestamp.spell(civil.second, to: &room)
        room.append(UInt8(ascii: "."))
        let fraction = Int(shown.microseconds - shown.seconds * 1_000_000)
        room.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 100_000))
        Timestamp.spell(fraction / 1000 % 100, to: &room)
        if fractionDigits > 3 {
            room.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / 100 % 10))
            Timestamp.spell(fraction % 100, to: &room)
        }
        room.append(UInt8(ascii: "Z"))
    }

    /// Appends a number below 100 in two digits.
    @inline(__always)
    private static func spell(_ number: Int, to room: inout OutputSpan<UInt8>) {
        let number = UInt32(truncatingIfNeeded: number)
        room.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
        room.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }

    /// 0000-01-01T00:00:00Z.
    private static let earliestInText = Timestamp(seconds: -62_167_219_200)
    /// 9999-12-31T23:59:59.999999Z.
    private static let latestInText = Timestamp(microseconds: 253_402_300_799_999_999)
}

extension Timestamp: CustomStringConvertible {
    /// The instant as RFC 3339 with milliseconds.
    package var description: String { rfc3339 }
}

/// A position in a short ASCII text of digits and separators.
struct DigitScanner {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { place == bytes.count }

    /// Reads exactly that many digits.
    mutating func digits(_ count: Int) -> Int? {
        guard bytes.count - place >= count else { return nil }
        var value = 0
        for byte in bytes[place..<place + count] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        place += count
        return value
    }

    /// Reads one character if it stands here.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    /// Reads a text if it stands here.
    mutating func take(text: String) -> Bool {
        let text = text.utf8.span
        guard bytes.count - place >= text.count else { return false }
        for offset in text.indices where bytes[place + offset] != text[offset] { return false }
        place += text.count
        return true
    }

    /// Reads all digits here as a fraction in units of 10^-places, rounded down.
    mutating func fraction(places: Int, atMost limit: Int) -> Int? {
        var value = 0
        var count = 0
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) {
            if count < places { value = value * 10 + Int(bytes[place] - 0x30) }
            count += 1
            place += 1
        }
        guard (1...limit).contains(count) else { return nil }
        for _ in min(count, places)..<places { value *= 10 }
        return value
    }

    /// Reads `Z` or `+hh:mm` as seconds east of Greenwich.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isWest = take("-")
        guard isWest || take("+"), let hours = digits(2), hours <= 23, take(":"),
            let minutes = digits(2), minutes <= 59
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return isWest ? -seconds : seconds
    }
}
