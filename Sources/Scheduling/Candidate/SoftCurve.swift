package import Base

/// The times at which soft requirements are waived: one after the other over the waiting time of a
/// download.
package struct SoftCurve: Equatable, Sendable {
    /// The begin of the waiting time.
    package let begin: Timestamp
    /// Its end, from which on no soft requirement holds.
    package let end: Timestamp
    /// The number of requirements on the curve.
    package let count: Int

    /// Creates a curve; an end before the begin counts as the begin.
    package init(begin: Timestamp, end: Timestamp, count: Int) {
        self.begin = begin
        self.end = max(begin, end)
        self.count = count
    }

    /// The instant from which on this number of requirements may be unmet; from 1 on.
    ///
    /// The last one is at 80 % of the waiting time and each earlier one 10 % before the next; more
    /// than four are spread evenly from 50 % to 80 % (Android's FlexibilityController drops at 50,
    /// 60, 70, 80 %).
    package func point(_ index: Int) -> Timestamp {
        guard index <= count else { return end }
        let part =
            count <= 4
            ? 0.8 - 0.1 * Double(count - index)
            : 0.5 + 0.3 * Double(index - 1) / Double(count - 1)
        return begin + .microseconds(Int64(Double((end - begin).wholeMicroseconds) * part))
    }

    /// The number of requirements that may be unmet at an instant.
    package func allowed(at now: Timestamp) -> Int {
        guard now < end else { return Int.max }
        return (0..<count).last { point($0 + 1) <= now }.map { $0 + 1 } ?? 0
    }

    /// The waiting time of a rank without a deadline.
    package static func life(rank: Int) -> Duration {
        let hours = [6, 12, 24, 48]
        return .seconds(3600 * hours[min(max(rank, 0), 3)])
    }
}
