// The wait that a server asks for.
package import Base

/// `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// Reads seconds or a date.
    ///
    /// Seconds may have a fraction, and the zone of a date may be `UTC` or `+0000`, as servers
    /// write them.
    ///
    /// - Parameters:
    ///   - text: the field's value.
    ///   - now: what a date is compared with.
    /// - Returns: the wait, not negative and not bounded; nil if the value is neither.
    package static func parse(_ text: String, now: Timestamp) -> Duration? {
        // A number beyond this one is longer than any wait that is obeyed.
        if let wait = seconds(text) { return min(wait, .seconds(1 << 40)) }
        guard let instant = Timestamp(httpDate: withGMT(text), now: now) else { return nil }
        return max(.zero, instant - now)
    }

    /// A number of seconds such as `120` or `2.5`; nil for anything else.
    static func seconds(_ text: String) -> Duration? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ part in !part.isEmpty && part.allSatisfy(isDigit) })
        else { return nil }
        let whole = Duration.seconds(Int64(String(Substring(parts[0]))) ?? .max)
        guard parts.count == 2 else { return whole }
        let digits = parts[1].prefix(6)
        let micros = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
        let scale = (digits.count..<6).reduce(Int64(1)) { scale, _ in scale * 10 }
        return whole + .microseconds(micros * scale)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    /// The date with `GMT` in place of another name of the zone.
    private static func withGMT(_ text: String) -> String {
        for zone in [" UTC", " +0000", " -0000"] where text.hasSuffix(zone) {
            return text.dropLast(zone.utf8.count) + " GMT"
        }
        return text
    }
}
