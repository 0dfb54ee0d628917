// The spelling of a log line.

/// Writes the parts of a message as one line.
package enum LogLine {
    /// One JSON object with `time`, `level`, `msg` and the fields, ended by a newline.
    package static func json(
        time: String, level: LogLevel, message: String, fields: [(String, LogValue)]
    ) -> String {
        var line = "{\"time\":\"\(time)\",\"level\":\"\(level)\",\"msg\":"
        line += quoted(message)
        for (key, value) in fields {
            line += "," + quoted(key) + ":"
            switch value {
            case .string(let text): line += quoted(text)
            case .integer(let number): line += String(number)
            case .decimal(let number): line += thousandths(number)
            }
        }
        return line + "}\n"
    }

    /// Words for a person: time, level, message, then `key=value`.
    package static func text(
        time: String, level: LogLevel, message: String, fields: [(String, LogValue)]
    ) -> String {
        var line = "\(time) \(level) \(escaped(message))"
        for (key, value) in fields {
            switch value {
            case .string(let text):
                let spelled = text.utf8.contains(0x20) ? quoted(text) : escaped(text)
                line += " \(key)=\(spelled)"
            case .integer(let number): line += " \(key)=\(number)"
            case .decimal(let number): line += " \(key)=\(thousandths(number))"
            }
        }
        return line + "\n"
    }

    /// The instant in RFC 3339, UTC, with milliseconds.
    package static func rfc3339(microseconds: Int64) -> String {
        let days = (microseconds / 86_400_000_000), rest = microseconds % 86_400_000_000
        // Days to a civil date, as H. Hinnant's "chrono-compatible low-level date algorithms".
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
        return "\(year)-\(padded(month))-\(padded(day))T\(padded(milliseconds / 3_600_000)):"
            + "\(padded(milliseconds / 60_000 % 60)):\(padded(milliseconds / 1000 % 60))"
            + ".\(padded(milliseconds % 1000, to: 3))Z"
    }

    private static func padded(_ number: Int64, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func thousandths(_ number: Double) -> String {
        guard number.isFinite, number.magnitude < 1e15 else { return "0" }
        let scaled = Int64((number * 1000).rounded())
        let sign = scaled < 0 ? "-" : ""
        return sign + String(scaled.magnitude / 1000) + "."
            + padded(Int64(scaled.magnitude % 1000), to: 3)
    }

    private static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                result += scalar.value < 0x10 ? "\\u000" : "\\u00"
                result += String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
