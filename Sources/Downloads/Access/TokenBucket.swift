// The request rate of an app: a number of requests a second, with a burst of one second's worth.
package import Base

/// A bucket that fills at a steady rate; each request takes a token.
package struct TokenBucket: Sendable, Equatable {
    private var tokens: Double
    private var filledAt: Timestamp

    /// A full bucket.
    ///
    /// - Parameters:
    ///   - rate: tokens a second, above 0; it holds a second's worth, at least one.
    ///   - now: the instant.
    package init(rate: Double, now: Timestamp) {
        tokens = max(1, rate)
        filledAt = now
    }

    /// Takes a token.
    ///
    /// - Parameters:
    ///   - rate: tokens a second at the moment.
    ///   - now: the instant; one before the last counts as the last.
    /// - Returns: nil if there was one, else the whole seconds until there is.
    package mutating func take(rate: Double, now: Timestamp) -> Int? {
        let passed = max(0, Double(now.microseconds - filledAt.microseconds) / 1_000_000)
        tokens = min(max(1, rate), tokens + passed * rate)
        filledAt = max(now, filledAt)
        if tokens >= 1 {
            tokens -= 1
            return nil
        }
        return max(1, Int(min(((1 - tokens) / rate).rounded(.up), 86_400)))
    }
}
