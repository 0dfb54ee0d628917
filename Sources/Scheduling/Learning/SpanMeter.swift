// Measures how fast the other side sends while this side does not hold it back.

/// Bytes and time of the spans of a transfer in which this side did not pause it.
///
/// A transfer that waits for a limit, for its share of one or for the disk tells nothing about its
/// origin (BBR calls such samples application-limited); a span with such a wait does not count.
package struct SpanMeter: Equatable, Sendable {
    /// The length of a span, in nanoseconds.
    package static let span: Int64 = 1_000_000_000
    /// The least time of a measurement, in nanoseconds: a shorter one measures the first round
    /// trips and not the rate.
    package static let leastTime: Int64 = 100_000_000
    /// The least number of bytes of a measurement, for the same reason as `leastTime`.
    package static let leastBytes: Int64 = 65_536

    /// Bytes of the counted spans.
    private var bytes: Int64 = 0
    /// Nanoseconds of the counted spans.
    private var time: Int64 = 0
    /// The time at which the current span began; nil before the first byte and after a pause.
    private var began: Int64?
    private var lastAt: Int64 = 0
    private var spanBytes: Int64 = 0

    /// Creates a meter without bytes.
    package init() {}

    /// Counts received bytes.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - now: nanoseconds of any clock that does not go back.
    package mutating func count(_ count: Int, at now: Int64) {
        // The first bytes were sent before the span: they only begin it.
        guard let began else {
            began = now
            lastAt = now
            spanBytes = 0
            return
        }
        spanBytes += Int64(count)
        lastAt = now
        guard now - began >= SpanMeter.span else { return }
        close(began)
    }

    /// The transfer was paused on this side: the current span does not count.
    package mutating func pause() { began = nil }

    /// Bytes a second over the counted spans; nil for too few.
    package var rate: Double? {
        var meter = self
        if let began { meter.close(began) }
        guard meter.time >= SpanMeter.leastTime, meter.bytes >= SpanMeter.leastBytes else {
            return nil
        }
        return Double(meter.bytes) / (Double(meter.time) / 1e9)
    }

    private mutating func close(_ start: Int64) {
        bytes += spanBytes
        time += lastAt - start
        began = lastAt
        spanBytes = 0
    }
}
