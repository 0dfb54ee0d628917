// How long a server asks us to wait.

/// `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// Reads seconds or a date.
    ///
    /// - Parameters:
    ///   - text: the field's value.
    ///   - now: what a date is compared with.
    /// - Returns: the wait, not negative and not bounded; nil if the value is neither.
    package static func parse(_ text: String, now: Timestamp) -> Duration? {
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // More than fits is longer than anything that is obeyed.
            return .seconds(min(Int64(text) ?? .max, 1 << 40))
        }
        guard let instant = Timestamp(httpDate: text, now: now) else { return nil }
        return max(.zero, instant - now)
    }
}
