// The interval that a source with `every: auto` learns from the changes that it saw.
package import Base

/// Learns how often a source is worth a look.
package enum LearnedInterval {
    private static let bounds = LookSchedule.learnable
    /// The most changes that it is learned from, the latest ones.
    package static let changesAtMost = 20

    /// A quarter of the median time between two changes.
    ///
    /// The time since the last change counts as one of them if it is longer than their median, so
    /// that a source that has stopped changing is asked less and less.
    ///
    /// - Parameters:
    ///   - changes: the instants at which the last versions were seen, in their order.
    ///   - now: the instant.
    ///   - told: the least interval in seconds that the origin named, such as `max-age`; nil for
    ///     none.
    /// - Returns: the interval in seconds.
    package static func seconds(
        changes: [Timestamp], at now: Timestamp, told: Int64? = nil
    ) -> Int64 {
        let list = changes.suffix(changesAtMost + 1)
        var gaps = zip(list, list.dropFirst()).map { $1 - $0 }.sorted()
        if let last = list.last {
            let open = now - last
            if gaps.isEmpty || open > median(gaps) {
                gaps.append(open)
                gaps.sort()
            }
        }
        let quarter = gaps.isEmpty ? bounds.lowerBound : median(gaps).components.seconds / 4
        let learned = min(max(quarter, bounds.lowerBound), bounds.upperBound)
        return max(learned, min(told ?? 0, bounds.upperBound))
    }

    private static func median(_ sorted: [Duration]) -> Duration {
        let middle = sorted.count / 2
        return sorted.count % 2 == 1
            ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
