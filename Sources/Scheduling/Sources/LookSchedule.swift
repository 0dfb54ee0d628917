// When a source is looked at: at an interval, by a cron expression, or as often as it changes.
package import Base

/// The schedule of a source.
///
/// Its looks lie on one grid: for an interval, the whole multiples of the interval behind an
/// anchor; for a cron expression, its occurrences. Jitter moves the whole grid of a source by one
/// offset that follows from the source's name, so that a thousand sources with one schedule do not
/// look in one second.
package struct LookSchedule: Hashable, Sendable {
    /// The grid of looks.
    package enum Rule: Hashable, Sendable {
        /// One look in each interval of so many seconds.
        case every(Int64)
        /// The occurrences on the clock of a time zone.
        case cron(CronExpression, TimeZoneRules)
        /// One look in each interval that was learned from the changes of the source.
        case auto
    }

    /// One instant of the grid.
    package struct Instant: Hashable, Sendable {
        /// The instant at which the look is due.
        package let at: Timestamp
        /// The effect of a change of the clock; nil for none.
        package let change: CronExpression.Occurrence.Change?
    }

    /// The interval of `auto` before anything was learned, in seconds.
    package static let unlearned: Int64 = 3600
    /// The intervals that `auto` may learn, in seconds.
    package static let learnable: ClosedRange<Int64> = 900...86_400

    /// The grid of looks.
    package var rule: Rule
    /// The name of the time zone of a cron expression, as it was given; nil for UTC.
    package var timeZone: String?
    /// The greatest offset of a source, in seconds; 0 for none.
    package var jitter: Int64 = 0
    /// The first instant at which a look may be due; nil for no limit.
    package var from: Timestamp?
    /// The last instant at which a look may be due; nil for no limit.
    package var until: Timestamp?

    /// The offset of a source, in seconds from 0 to `jitter`: always the same one for a name.
    package func offset(of name: String) -> Int64 {
        jitter == 0 ? 0 : Int64(UInt64(bitPattern: StableHash.of(name)) % UInt64(jitter + 1))
    }

    /// The interval in force, in seconds; nil for a cron expression.
    ///
    /// - Parameter learned: the interval that was learned for `auto`, in seconds.
    /// - Returns: the interval.
    package func interval(learned: Int64?) -> Int64? {
        switch rule {
        case .every(let seconds): seconds
        case .cron: nil
        case .auto: learned ?? LookSchedule.unlearned
        }
    }

    /// The next look of the grid.
    ///
    /// - Parameters:
    ///   - instant: the look is later.
    ///   - anchor: the beginning of the grid of an interval: the instant at which the source or
    ///     its schedule was set, or from which a learned interval counts. It is no look itself.
    ///   - learned: the interval that was learned for `auto`, in seconds.
    ///   - name: the source, for its offset.
    /// - Returns: the instant at which the look is due; nil if there is none.
    package func next(
        after instant: Timestamp, anchor: Timestamp, learned: Int64? = nil, name: String
    ) -> Instant? {
        let offset = offset(of: name)
        let start = max(instant, from.map { $0 - .milliseconds(1) } ?? instant)
        let found: Instant
        if case .cron(let expression, let zone) = rule {
            guard let next = expression.next(after: start - .seconds(offset), in: zone) else {
                return nil
            }
            found = Instant(at: next.at + .seconds(offset), change: next.change)
        } else {
            let interval = interval(learned: learned) ?? LookSchedule.unlearned
            let origin = anchor + .seconds(offset)
            let passed = max(0, (start - origin).wholeMilliseconds / (interval * 1000))
            let candidate = origin + .seconds(passed * interval)
            let isLater = candidate > start && passed > 0
            found = Instant(at: isLater ? candidate : candidate + .seconds(interval), change: nil)
        }
        if let until, found.at > until { return nil }
        return found
    }
}
