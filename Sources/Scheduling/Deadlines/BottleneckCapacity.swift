// The capacity of a bottleneck over time, in bytes.
package import Base

/// An assumed rate, limited by a timetable.
package struct BottleneckCapacity: Sendable {
    /// Bytes a second, above 0.
    private let rate: Double
    private let timetable: Timetable?
    private let zone: TimeZoneRules
    /// The most changes of the timetable that are followed.
    private static let stepsAtMost = 256

    /// Creates a capacity.
    ///
    /// - Parameters:
    ///   - rate: bytes a second without the timetable; less than 1 counts as 1.
    ///   - timetable: limits it.
    ///   - zone: that of the timetable.
    package init(rate: Double, timetable: Timetable? = nil, zone: TimeZoneRules = .utc) {
        self.rate = max(1, rate)
        self.timetable = timetable
        self.zone = zone
    }

    /// The capacity of a number of concurrent transfers, each at the rate that deadlines assume.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - origin: the number of theirs; -1 for all.
    ///   - timetable: limits them together.
    ///   - situation: what was learned, and how fast transfers are at present.
    package init(
        of count: Int, origin: Int64, timetable: Timetable? = nil, in situation: Situation
    ) {
        let rate = situation.learned.rate(origin: origin, at: situation.now).map {
            situation.countedRate($0)
        }
        self.init(
            rate: Double(count) * (rate ?? Double(TransferNeed.assumedRate)),
            timetable: timetable, zone: situation.zone)
    }

    private func rate(_ state: RateState) -> Double {
        state.rate.bytesPerSecond.map { min(rate, Double($0)) } ?? rate
    }

    /// The latest start of a number of bytes that have to end at an instant.
    package func start(of bytes: Double, endingAt end: Timestamp) -> Timestamp {
        guard let timetable else { return end - BottleneckCapacity.time(bytes / rate) }
        var left = bytes
        var instant = end
        for _ in 0..<BottleneckCapacity.stepsAtMost where left > 0 {
            // The state before the instant.
            let state = timetable.state(at: instant - .microseconds(1), in: zone)
            let now = rate(state)
            guard let since = state.since else {
                return now > 0
                    ? instant - BottleneckCapacity.time(left / now) : Timestamp(microseconds: .min)
            }
            let carried = now * BottleneckCapacity.seconds(instant - since)
            guard carried < left else { return instant - BottleneckCapacity.time(left / now) }
            left -= carried
            instant = since
        }
        return instant
    }

    /// The bytes that it carries between two instants.
    package func bytes(from start: Timestamp, to end: Timestamp) -> Double {
        guard start < end else { return 0 }
        guard let timetable else { return rate * BottleneckCapacity.seconds(end - start) }
        var sum = 0.0
        var instant = start
        for _ in 0..<BottleneckCapacity.stepsAtMost where instant < end {
            let state = timetable.state(at: instant, in: zone)
            let next = min(end, state.until ?? end)
            sum += rate(state) * BottleneckCapacity.seconds(next - instant)
            instant = next
        }
        return sum
    }

    private static func time(_ seconds: Double) -> Duration {
        .microseconds(Int64(min(seconds, 4e7) * 1e6))
    }

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.wholeMicroseconds) / 1e6
    }
}
