internal import Base

/// The plan for downloads of one origin whose ends are due at about the same time.
///
/// A booking is a price: it allows the hours whose cost is at most that of the dearest hour that
/// the plan needs.
package struct Booking: Equatable, Sendable {
    /// The cost of the dearest hour that the plan needs; infinite where every hour is needed.
    package let cap: Double

    /// A booking of any hour.
    static let now = Booking(cap: .infinity)

    /// The booking of the hours that one transfer needs by itself.
    ///
    /// - Parameters:
    ///   - curve: what the hours cost.
    ///   - need: how long the transfer takes.
    ///   - begin: not before this instant.
    ///   - end: complete by this instant.
    ///   - isResumable: whether it may stop between two hours; if not it gets hours in one run.
    /// - Returns: the booking; `now` where it does not fit.
    static func alone(
        _ curve: PriceCurve, need: Duration, from begin: Timestamp, to end: Timestamp,
        isResumable: Bool = true
    ) -> Booking {
        let wanted = Double(need.wholeMicroseconds) / 3.6e9
        if !isResumable { return inOneRun(curve, hours: wanted, from: begin, to: end) }
        var left = wanted
        var cap = -Double.infinity
        for place in curve.order {
            let share = curve.share(of: place, from: begin, to: end)
            guard share > 0 else { continue }
            cap = max(cap, curve.costs[place])
            left -= share
            if left <= 0 { return Booking(cap: cap) }
        }
        return .now
    }

    /// The cheapest uninterrupted run of hours: the transfer may begin in an hour that costs at
    /// most as much as the run's first hour.
    private static func inOneRun(
        _ curve: PriceCurve, hours: Double, from begin: Timestamp, to end: Timestamp
    ) -> Booking {
        var best: (mean: Double, first: Int)?
        for first in curve.costs.indices where curve.share(of: first, from: begin, to: end) > 0 {
            var left = hours
            var sum = 0.0
            var place = first
            while left > 0, place < curve.costs.count {
                let share = min(left, curve.share(of: place, from: begin, to: end))
                guard share > 0 else { break }
                sum += share * curve.costs[place]
                left -= share
                place += 1
            }
            guard left <= 1e-9 else { continue }
            let mean = sum / max(hours, 1e-9)
            if let best, best.mean <= mean + curve.step / 2 { continue }
            best = (mean, first)
        }
        guard let best else { return .now }
        // The run begins now.
        if curve.share(of: best.first, from: begin, to: end) > 0,
            curve.instant(best.first) <= begin
        {
            return .now
        }
        return Booking(cap: curve.costs[best.first])
    }
}

extension PriceCurve {
    /// The share of an hour that lies between two instants, from 0 to 1.
    func share(of place: Int, from begin: Timestamp, to end: Timestamp) -> Double {
        let first = max(begin, instant(place))
        let last = min(end, instant(place + 1))
        guard last > first else { return 0 }
        return Double((last - first).wholeMicroseconds) / 3.6e9
    }
}
