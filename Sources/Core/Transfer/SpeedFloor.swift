// A stream that drips for ever must not hold a place for ever.

/// Counts a stream's bytes in windows, one after the other; times are nanoseconds since boot.
///
/// A window in which Lull itself held the stream up, or in which the answer only began, says
/// nothing of the other side and is not judged.
package struct SpeedFloor: Sendable {
    private let least: Int64
    private let window: Int64
    private var bytes: Int64 = 0
    private var hasAnswer = false
    private var isExcused = false

    /// When ``isBroken(now:isHeld:)`` may change; `Int64.max` while nothing runs.
    package private(set) var until = Int64.max

    /// A floor that is not in force yet.
    package init(_ rule: LowSpeed) {
        let (seconds, attoseconds) = rule.window.components
        let length = Double(seconds) + Double(attoseconds) / 1e18
        window = Int64(min(length * 1e9, 4e18))
        least = Int64(min(Double(rule.bytesPerSecond) * length, 4e18))
    }

    /// A request is sent.
    package mutating func begin(now: Int64) {
        hasAnswer = false
        renew(now)
    }

    /// The request is over; another one may follow.
    package mutating func end() { until = .max }

    /// A line of the head came; the window that it came in does not count.
    package mutating func countHead() {
        guard !hasAnswer else { return }
        hasAnswer = true
        isExcused = true
    }

    /// Bytes came.
    package mutating func count(_ bytes: Int) { self.bytes += Int64(bytes) }

    /// Lull pauses or unpauses the stream.
    package mutating func excuse() { isExcused = true }

    /// Judges the window that is over, and begins the next one.
    ///
    /// - Parameters:
    ///   - now: the instant.
    ///   - isHeld: whether Lull holds the stream up right now.
    /// - Returns: true if less than the least came, and only the other side is the reason.
    package mutating func isBroken(now: Int64, isHeld: Bool) -> Bool {
        guard now >= until else { return false }
        let isTooSlow = hasAnswer && !isExcused && !isHeld && bytes < least
        renew(now)
        return isTooSlow
    }

    private mutating func renew(_ now: Int64) {
        bytes = 0
        isExcused = false
        until = now + window
    }
}
