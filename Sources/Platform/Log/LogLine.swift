// The format of a log line.

/// Writes the parts of a message as one line, straight into bytes.
struct LogLine {
    /// The bytes of the line so far.
    private(set) var bytes: [UInt8] = []

    /// Writes one JSON object with `time`, `level`, `msg` and the fields, ended by a newline.
    static func json(
        at microseconds: Int64, level: LogLevel, message: String, fields: [(String, LogValue)]
    ) -> [UInt8] {
        var line = LogLine()
        line.bytes.reserveCapacity(512)
        line.add("{\"time\":\"")
        line.add(instant: microseconds)
        line.add("\",\"level\":\"")
        line.add(level.name)
        line.add("\",\"msg\":")
        line.add(quoted: message)
        for (key, value) in fields {
            line.add(",")
            line.add(quoted: key)
            line.add(":")
            switch value {
            case .string(let text): line.add(quoted: text)
            case .integer(let number): line.add(number)
            case .decimal(let number): line.add(thousandths: number)
            }
        }
        line.add("}\n")
        return line.bytes
    }

    /// Writes text for people: time, level, message, then `key=value`.
    static func text(
        at microseconds: Int64, level: LogLevel, message: String, fields: [(String, LogValue)]
    ) -> [UInt8] {
        var line = LogLine()
        line.bytes.reserveCapacity(512)
        line.add(instant: microseconds)
        line.add(" ")
        line.add(level.name)
        line.add(" ")
        line.add(escaped: message)
        for (key, value) in fields {
            line.add(" ")
            line.add(key)
            line.add("=")
            switch value {
            case .string(let text):
                text.utf8.contains(0x20) ? line.add(quoted: text) : line.add(escaped: text)
            case .integer(let number): line.add(number)
            case .decimal(let number): line.add(thousandths: number)
            }
        }
        line.add("\n")
        return line.bytes
    }

    private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func add(_ number: Int64) {
        if number < 0 { add("-") }
        add(number.magnitude, digits: 1)
    }

    /// Appends a number in decimal digits, with leading zeros up to a width.
    private mutating func add(_ number: UInt64, digits: Int) {
        var (divisor, width) = (UInt64(1), 1)
        while width < digits || number / divisor >= 10 {
            divisor *= 10
            width += 1
        }
        while divisor > 0 {
            bytes.append(0x30 + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }

    /// Appends an instant in RFC 3339, UTC, with milliseconds.
    private mutating func add(instant microseconds: Int64) {
        let days = microseconds / 86_400_000_000, rest = microseconds % 86_400_000_000
        // Converts days to a civil date by H. Hinnant's "chrono-compatible low-level date
        // algorithms".
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let milliseconds = rest / 1000
        add(UInt64(year), digits: 4)
        add("-")
        add(UInt64(month), digits: 2)
        add("-")
        add(UInt64(day), digits: 2)
        add("T")
        add(UInt64(milliseconds / 3_600_000), digits: 2)
        add(":")
        add(UInt64(milliseconds / 60_000 % 60), digits: 2)
        add(":")
        add(UInt64(milliseconds / 1000 % 60), digits: 2)
        add(".")
        add(UInt64(milliseconds % 1000), digits: 3)
        add("Z")
    }

    private mutating func add(thousandths number: Double) {
        guard number.isFinite, number.magnitude < 1e15 else { return add("0") }
        let scaled = Int64((number * 1000).rounded())
        if scaled < 0 { add("-") }
        add(scaled.magnitude / 1000, digits: 1)
        add(".")
        add(scaled.magnitude % 1000, digits: 3)
    }

    private mutating func add(quoted text: String) {
        add("\"")
        add(escaped: text)
        add("\"")
    }

    /// Appends a text in quotation marks; a text without characters to escape is copied in one
    /// piece.
    private mutating func add(escaped text: String) {
        let span = text.utf8.span
        for place in span.indices where LogLine.needsEscape(span[place]) {
            return text.utf8.forEach { add(escaped: $0) }
        }
        bytes.append(contentsOf: text.utf8)
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func add(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): add("\\\"")
        case UInt8(ascii: "\\"): add("\\\\")
        case UInt8(ascii: "\n"): add("\\n")
        case 0..<0x20, 0x7f:
            add("\\u00")
            for digit in [byte >> 4, byte & 15] {
                bytes.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
            }
        default: bytes.append(byte)
        }
    }
}
