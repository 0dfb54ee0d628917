// Statuses that a client knows to pass by themselves.

/// A client's rule for repeating statuses that would be final, or would need the client.
package struct RetryRule: Equatable, Sendable {
    /// The statuses, rising; 400 to 499 without 401 and 407.
    package var statuses: [Int]
    /// The most answers with one of them since the last new byte.
    package var attempts: Int64
    /// The most seconds since the first of those.
    package var seconds: Int64

    /// Names all of it.
    package init(statuses: [Int], attempts: Int64, seconds: Int64) {
        self.statuses = statuses
        self.attempts = attempts
        self.seconds = seconds
    }

    /// The longest wait between two of the attempts.
    var longestWait: Duration { .seconds(seconds) / Int(max(1, attempts)) }
}

extension Patience {
    /// Counts an answer with a status of the rule.
    ///
    /// - Returns: false where the rule is exhausted, so that the status counts without it.
    mutating func takesRefusal(by rule: RetryRule, now: Timestamp) -> Bool {
        let since = refusedSince ?? now
        guard refusals < rule.attempts, now < since + .seconds(rule.seconds) else { return false }
        refusals += 1
        refusedSince = since
        return true
    }
}
