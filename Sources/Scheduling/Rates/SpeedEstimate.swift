// The smoothed speed of a download: a short pause changes it little.
package import Base

/// A running estimate of bytes a second.
///
/// For the first ten seconds it is the mean since the first bytes; after that each measurement is
/// weighted by its duration against ten seconds, so that those older than 30 s have little weight.
package struct SpeedEstimate: Sendable, Equatable {
    /// The time over which measurements are smoothed, in seconds.
    package static let memory = 10.0

    private var bytes: Int64?
    private var at = Timestamp.epoch
    private var began = Timestamp.epoch
    private var estimate: Double?

    /// Creates an estimate without measurements.
    package init() {}

    /// Bytes a second, rounded down; nil before two measurements, 0 if bytes no longer arrive.
    package var bytesPerSecond: Int64? {
        estimate.map { $0 < Double(Int64.max / 2) ? Int64($0) : Int64.max / 2 }
    }

    /// Takes a measurement: the number of received bytes at an instant.
    ///
    /// A smaller count means that the download restarted, and so does the estimate. The first bytes
    /// may be those of an earlier attempt: they only set the beginning.
    package mutating func measure(_ count: Int64, at instant: Timestamp) {
        guard let bytes, count >= bytes else {
            guard count > 0 else { return self = SpeedEstimate() }
            self = SpeedEstimate()
            (self.bytes, at, began) = (count, instant, instant)
            return
        }
        let duration = Double((instant - at).wholeMicroseconds) / 1_000_000
        guard duration > 0 else { return }
        let age = Double((instant - began).wholeMicroseconds) / 1_000_000
        let speed = Double(count - bytes) / duration
        let weight = max(duration / age, duration / (SpeedEstimate.memory + duration))
        let before = estimate ?? 0
        estimate = before + min(1, weight) * (speed - before)
        if let now = estimate, now < 1 { estimate = 0 }
        self.bytes = count
        at = instant
    }
}
