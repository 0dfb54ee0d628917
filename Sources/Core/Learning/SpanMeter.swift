// How fast the other side sends while nothing on this side holds it back.

/// Bytes and time of the spans of a transfer in which it was never paused here.
///
/// A transfer that waits for a limit, for its share of one or for the disk says nothing about its
/// origin (BBR calls such samples application-limited); a span with such a wait does not count.
package struct SpanMeter: Equatable, Sendable {
    /// How long a span is, in nanoseconds.
    package static let span: Int64 = 1_000_000_000
    /// Shorter times and fewer bytes say more about the first round trips than about the rate.
    package static let leastTime: Int64 = 100_000_000
    /// See `leastTime`.
    package static let leastBytes: Int64 = 65_536

    /// Bytes of the spans that count.
    private var bytes: Int64 = 0
    /// Nanoseconds of the spans that count.
    private var time: Int64 = 0
    /// Where the span that is under way began; nil before the first byte and after a pause.
    private var began: Int64?
    private var lastAt: Int64 = 0
    private var spanBytes: Int64 = 0

    /// Nothing has come.
    package init() {}

    /// Counts bytes that came.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - now: nanoseconds of any clock that does not go back.
    package mutating func count(_ count: Int, at now: Int64) {
        // What comes first was sent before; it only begins a span.
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

    /// The transfer was paused on this side: the span that is under way does not count.
    package mutating func pause() { began = nil }

    /// Bytes a second over all that counts; nil for too little.
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
