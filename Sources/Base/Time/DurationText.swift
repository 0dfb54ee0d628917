// Durations as people write them in settings: `250ms`, `30s`, `1h30m`.

/// Reads and writes durations such as `250ms`, `30s`, `5m`, `2h`, `7d`.
package enum DurationText {
    /// The milliseconds of each unit, the longest first.
    private static let units: [(name: String, milliseconds: Int64)] = [
        ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
    ]

    private static let allowed =
        "write a whole number and one of ms, s, m, h, d, such as 250ms, 30s, 5m, 2h, 7d or 1h30m"

    /// Reads a duration.
    ///
    /// - Parameter text: one or more whole numbers, each with its unit, the longest unit first;
    ///   no sign, no space. `0s` is allowed, the caller checks its own range.
    /// - Returns: the sum.
    /// - Throws: `QuantityError`, whose text states what is allowed.
    package static func parse(_ text: String) throws(QuantityError) -> Duration {
        var total: Int64 = 0
        var rest = text[...]
        var remaining = units[...]
        repeat {
            guard let quantity = Quantity(rest), quantity.fraction.isEmpty else {
                throw QuantityError("\"\(text)\" is not a duration: \(allowed)")
            }
            guard let place = remaining.firstIndex(where: { $0.name == quantity.unit }) else {
                throw unknownUnit(quantity.unit, in: text)
            }
            guard let value = quantity.times(units[place].milliseconds) else {
                throw QuantityError("\"\(text)\" is longer than a duration can be")
            }
            let (sum, overflowed) = total.addingReportingOverflow(value)
            guard !overflowed, sum <= maximumMilliseconds else {
                throw QuantityError("\"\(text)\" is longer than a duration can be")
            }
            total = sum
            rest = quantity.rest
            remaining = remaining[(place + 1)...]
        } while !rest.isEmpty
        return .milliseconds(total)
    }

    /// Writes a duration with as few units as it takes, such as `1h30m`; `parse` reads it back.
    ///
    /// - Parameter duration: rounded toward zero to milliseconds; a negative one counts as 0.
    /// - Returns: the text.
    package static func print(_ duration: Duration) -> String {
        var rest = max(0, duration.wholeMilliseconds)
        guard rest > 0 else { return "0s" }
        var text = ""
        for unit in units where rest >= unit.milliseconds {
            text += String(rest / unit.milliseconds) + unit.name
            rest %= unit.milliseconds
        }
        return text
    }

    /// A duration as sentences have it: whole minutes from one minute on, such as `1 h 30 min`.
    package static func rounded(_ duration: Duration) -> String {
        let seconds = duration.wholeMicroseconds / 1_000_000
        if seconds < 60 { return "\(seconds) s" }
        let minutes = seconds / 60
        if minutes < 60 { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// A hundred years: a longer duration is a mistake, and sums with instants must not overflow.
    private static let maximumMilliseconds: Int64 = 36_525 * 86_400_000

    private static func unknownUnit(_ unit: Substring, in text: String) -> QuantityError {
        if unit.isEmpty { return QuantityError("\"\(text)\" lacks a unit: \(allowed)") }
        if units.contains(where: { $0.name == unit }) {
            return QuantityError("\"\(text)\" has its units in the wrong order: \(allowed)")
        }
        return QuantityError("\"\(text)\" has the unknown unit \"\(unit)\": \(allowed)")
    }
}
