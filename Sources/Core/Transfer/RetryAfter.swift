// How long a server asks us to wait.

/// `Retry-After` (RFC 9110 section 10.2.3).
package enum RetryAfter {
    /// Reads seconds or a date.
    ///
    /// - Parameters:
    ///   - text: the field's value.
    ///   - now: what a date is compared with.
    /// - Returns: the wait, not negative; nil if the value is neither.
    package static func parse(_ text: String, now: Timestamp) -> Duration? {
        if (1...10).contains(text.utf8.count), let seconds = Int64(text), seconds >= 0 {
            return .seconds(seconds)
        }
        guard let instant = Timestamp(httpDate: text, now: now) else { return nil }
        return max(.zero, instant - now)
    }
}
