// The cost of each hour of the next three days, from the values of a condition.
package import Base

/// The cost of each hour under one preference; less is better.
///
/// An hour without a scheduled value is taken to cost as much as 24 hours earlier.
package struct PriceCurve: Equatable, Sendable {
    /// The number of planned hours.
    package static let hours = 72
    static let hour = Duration.seconds(3600)
    private static let day = Duration.seconds(86_400)
    /// The number of values of an hour that are averaged.
    private static let samples = 4
    /// Costs that differ by less than this part of their range count as equal.
    private static let grain = 0.05

    /// The begin of the hour in which it was made.
    package let start: Timestamp
    /// The cost of each hour.
    package let costs: [Double]
    /// The hours in the order in which they are booked: by cost in steps of 5 % of the range, then
    /// by time.
    let order: [Int]
    /// The size of a step.
    let step: Double

    /// Computes the costs of the hours from now on.
    ///
    /// - Returns: nil where the condition has no number now.
    package init?(_ preference: Preference, _ track: ConditionTrack?, at now: Timestamp) {
        guard let track, case .number = track.value(at: now) else { return nil }
        let sign = preference.prefersMost ? -1.0 : 1.0
        let start = PriceCurve.hour(of: now)
        let span = PriceCurve.known(by: track)
        var costs: [Double] = []
        costs.reserveCapacity(PriceCurve.hours)
        var last = 0.0
        for hour in 0..<PriceCurve.hours {
            let first =
                PriceCurve.number(of: track, at: start + PriceCurve.hour * hour, in: span) ?? last
            // Differences to the first value are summed, so that equal values have exactly that
            // mean.
            var more = 0.0
            for quarter in 0..<PriceCurve.samples {
                let at = start + PriceCurve.hour * hour + .seconds(900 * quarter)
                last = PriceCurve.number(of: track, at: at, in: span) ?? last
                more += last - first
            }
            costs.append(sign * (first + more / Double(PriceCurve.samples)))
        }
        self.init(start: start, costs: costs)
    }

    /// Creates a curve from costs.
    package init(start: Timestamp, costs: [Double]) {
        self.start = start
        self.costs = costs
        let least = costs.min() ?? 0
        let step = ((costs.max() ?? 0) - least) * PriceCurve.grain
        self.step = step
        let steps = costs.map { step > 0 ? Int(($0 - least) / step) : 0 }
        order = costs.indices.sorted { (steps[$0], $0) < (steps[$1], $1) }
    }

    /// The begin of the hour in which an instant lies.
    package static func hour(of instant: Timestamp) -> Timestamp {
        let length = hour.wholeMicroseconds
        let rest = instant.microseconds % length
        return Timestamp(microseconds: instant.microseconds - (rest < 0 ? rest + length : rest))
    }

    /// The cost at an instant; nil outside the hours.
    func cost(at instant: Timestamp) -> Double? { place(of: instant).map { costs[$0] } }

    /// The index of the hour in which an instant lies; nil outside the planned hours.
    func place(of instant: Timestamp) -> Int? {
        guard instant >= start else { return nil }
        let place = (instant - start).wholeMicroseconds / PriceCurve.hour.wholeMicroseconds
        return place < costs.count ? Int(place) : nil
    }

    /// The begin of the hour at an index.
    func instant(_ place: Int) -> Timestamp { start + PriceCurve.hour * place }

    /// The first instant from a given one on in an hour that costs at most `cap`.
    ///
    /// - Returns: nil if none of the hours does.
    func opening(from instant: Timestamp, atMost cap: Double) -> Timestamp? {
        guard let first = place(of: max(instant, start)) else { return nil }
        let found = costs[first...].firstIndex { $0 <= cap }
        return found.map { max(instant, self.instant($0)) }
    }

    /// The range of time in which a track has values.
    private static func known(by track: ConditionTrack) -> Range<Timestamp>? {
        guard let push = track.push else { return nil }
        let steps = push.schedule
        var end = track.expiresAt ?? Timestamp(microseconds: .max)
        if let last = steps.last?.from {
            let before = steps.dropLast().last?.from ?? last - hour
            end = min(end, last + (last - before))
        }
        let begin = min(push.pushedAt, steps.first?.from ?? push.pushedAt)
        return begin < end ? begin..<end : nil
    }

    private static func number(
        of track: ConditionTrack, at instant: Timestamp, in span: Range<Timestamp>?
    ) -> Double? {
        var place = instant
        if let span, instant >= span.lowerBound {
            while place >= span.upperBound { place = place - day }
            if place < span.lowerBound { place = span.upperBound - .microseconds(1) }
        }
        guard case .number(let number) = track.value(at: place) else { return nil }
        return number
    }
}
