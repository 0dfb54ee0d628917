/// When soft requirements cease to hold: one after the other over the life of a download.
package struct SoftCurve: Equatable, Sendable {
    /// Where the life begins.
    package let begin: Timestamp
    /// Where it ends: nothing soft holds from here on.
    package let end: Timestamp
    /// How many requirements are on the curve.
    package let count: Int

    /// Names all of it; an end before the begin counts as the begin.
    package init(begin: Timestamp, end: Timestamp, count: Int) {
        self.begin = begin
        self.end = max(begin, end)
        self.count = count
    }

    /// The instant from which on so many requirements may be unmet; from 1 on.
    ///
    /// The last lies at 80 % of the life and each other one 10 % earlier; more than four are spread
    /// evenly from 50 % to 80 % (Android's FlexibilityController drops at 50, 60, 70, 80 %).
    package func point(_ index: Int) -> Timestamp {
        guard index <= count else { return end }
        let part =
            count <= 4
            ? 0.8 - 0.1 * Double(count - index)
            : 0.5 + 0.3 * Double(index - 1) / Double(count - 1)
        return begin + .microseconds(Int64(Double((end - begin).wholeMicroseconds) * part))
    }

    /// How many may be unmet at an instant.
    package func allowed(at now: Timestamp) -> Int {
        guard now < end else { return Int.max }
        return (0..<count).last { point($0 + 1) <= now }.map { $0 + 1 } ?? 0
    }

    /// The life of a class of priority without a deadline.
    package static func life(rank: Int) -> Duration {
        let hours = [6, 12, 24, 48]
        return .seconds(3600 * hours[min(max(rank, 0), 3)])
    }
}
