// Ends streams that are too slow, so that they do not hold a place for ever.

/// Counts a stream's bytes in windows, one after the other; times are nanoseconds since boot.
///
/// A window in which Lull itself held the stream up, or in which the answer only began, tells
/// nothing about the other side and is not judged.
package struct LowSpeedDetector: Sendable {
    private let least: Int64
    private let window: Int64
    private var bytes: Int64 = 0
    private var hasAnswer = false
    private var isWindowExcluded = false

    /// The time at which ``isBroken(now:isHeld:)`` may change; `Int64.max` without a request.
    package private(set) var until = Int64.max

    /// Creates a detector that is not in force yet.
    package init(_ rule: LowSpeed) {
        let (seconds, attoseconds) = rule.window.components
        let length = Double(seconds) + Double(attoseconds) / 1e18
        window = Int64(min(length * 1e9, 4e18))
        least = Int64(min(Double(rule.bytesPerSecond) * length, 4e18))
    }

    /// Notes that a request is sent.
    package mutating func begin(now: Int64) {
        hasAnswer = false
        renew(now)
    }

    /// Notes that the request is over; another one may follow.
    package mutating func end() { until = .max }

    /// Notes a line of the head; the window in which it came does not count.
    package mutating func countHead() {
        guard !hasAnswer else { return }
        hasAnswer = true
        isWindowExcluded = true
    }

    /// Counts received bytes.
    package mutating func count(_ bytes: Int) { self.bytes += Int64(bytes) }

    /// Notes that Lull pauses or unpauses the stream.
    package mutating func excludeWindow() { isWindowExcluded = true }

    /// Judges the window that has ended, and begins the next one.
    ///
    /// - Parameters:
    ///   - now: the instant.
    ///   - isHeld: whether Lull holds the stream up right now.
    /// - Returns: true if less than the least came, and only the other side is the reason.
    package mutating func isBroken(now: Int64, isHeld: Bool) -> Bool {
        guard now >= until else { return false }
        let isTooSlow = hasAnswer && !isWindowExcluded && !isHeld && bytes < least
        renew(now)
        return isTooSlow
    }

    private mutating func renew(_ now: Int64) {
        bytes = 0
        isWindowExcluded = false
        until = now + window
    }
}
