// Counts the waits that cost no attempt, so that they are bounded.
package import Base

/// Waits since the last new byte that were not counted as attempts.
package struct UncountedWaits: Equatable, Sendable {
    /// The number of times that the download waited for a time that an origin told.
    package var toldWaits: Int64 = 0
    /// The sum of these waits in whole seconds.
    package var toldSeconds: Int64 = 0
    /// Answers in a row that said that the content is not there yet, without a time.
    package var notYet: Int64 = 0
    /// Answers with a status of the client's retry rule.
    package var refusals: Int64 = 0
    /// The time at which the first refused answer came.
    package var refusedSince: Timestamp?

    /// The most told waits without a new byte.
    package static let toldWaitsAtMost: Int64 = 1000
    /// The most seconds that told waits may last together without a new byte.
    package static let toldSecondsAtMost: Int64 = 86_400
    /// The longest wait after an answer that the content is not there yet.
    package static let longestNotYet = Duration.seconds(300)

    /// Creates a count of no waits.
    package init() {}

    /// Whether no wait is counted.
    package var isEmpty: Bool { self == UncountedWaits() }

    /// Counts a told wait.
    ///
    /// - Returns: false where the bounds are reached, so that the wait costs an attempt.
    mutating func takes(_ told: ToldWait) -> Bool {
        guard toldWaits < UncountedWaits.toldWaitsAtMost,
            toldSeconds < UncountedWaits.toldSecondsAtMost
        else {
            return false
        }
        toldWaits += 1
        toldSeconds += max(1, told.bounded.wholeMicroseconds / 1_000_000)
        return true
    }

    /// Counts an answer without content and without a time; the wait grows from one to the next.
    ///
    /// - Parameter base: the first wait, at most 5 s.
    /// - Returns: the wait, at most ``longestNotYet``.
    mutating func notYet(from base: Duration) -> Duration {
        var wait = min(base, .seconds(5))
        for _ in 0..<min(notYet, 16) { wait = min(wait * 2, UncountedWaits.longestNotYet) }
        notYet += 1
        return wait
    }
}

extension UncountedWaits {
    /// Reads the stored form.
    package init(stored value: JSON?) {
        toldWaits = value?["told"]?.integerValue ?? 0
        toldSeconds = value?["told_seconds"]?.integerValue ?? 0
        notYet = value?["not_yet"]?.integerValue ?? 0
        refusals = value?["refusals"]?.integerValue ?? 0
        refusedSince = value?["refused_since"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
    }

    /// The stored form; nil if no wait is counted.
    package var json: JSON? {
        guard !isEmpty else { return nil }
        var object = JSONObject()
        if toldWaits > 0 { object["told"] = .integer(toldWaits) }
        if toldSeconds > 0 { object["told_seconds"] = .integer(toldSeconds) }
        if notYet > 0 { object["not_yet"] = .integer(notYet) }
        if refusals > 0 { object["refusals"] = .integer(refusals) }
        object["refused_since"] = refusedSince.map { .string($0.rfc3339) }
        return .object(object)
    }
}
