// Deadlines of lanes that share bottlenecks: when each lane has to be guarded, and which bytes do
// not fit.
package import Base

/// The judgement over the deadlines of all lanes together.
package struct DeadlineContention: Sendable {
    /// The result for one lane.
    package struct Ruling: Equatable, Sendable {
        /// The latest begin of guarding, so that all lanes fit one after the other.
        package var guardAt: Timestamp?
        /// The number of its bytes that fit before its deadline; nil for all.
        package var fits: Double?

        /// Creates a value with both members.
        package init(guardAt: Timestamp? = nil, fits: Double? = nil) {
            self.guardAt = guardAt
            self.fits = fits
        }
    }

    /// The rulings by lane; a lane without a finding has none.
    package private(set) var rulings: [Int64: Ruling] = [:]

    /// Judges all lanes with a deadline.
    ///
    /// Under overload, serving by the earliest deadline makes one lane after the other late, so
    /// some are left out: of those that are due up to a deadline always the one with the largest
    /// downloads, until the others fit (Moore and Hodgson; Lam, Ngan and To, J. Algorithms 52,
    /// 2004).
    ///
    /// - Complexity: O(n log n) for each bottleneck of a lane.
    /// - Parameters:
    ///   - loads: the lanes.
    ///   - margin: the time kept in hand before a deadline.
    ///   - now: the instant.
    ///   - capacity: what a bottleneck carries; nil for one that limits nothing.
    package init(
        _ loads: [DeadlineLoad], margin: Duration, at now: Timestamp,
        capacity: (Bottleneck) -> BottleneckCapacity?
    ) {
        var places: [Bottleneck: [Int]] = [:]
        for (place, load) in loads.enumerated() {
            for bottleneck in load.bottlenecks { places[bottleneck, default: []].append(place) }
        }
        for (bottleneck, members) in places {
            guard let capacity = capacity(bottleneck) else { continue }
            let own = members.map { loads[$0] }
            let kept = DeadlineContention.kept(of: own, at: now, capacity)
            for (load, bytes) in zip(own, kept) where bytes < load.bytes {
                let fits = rulings[load.lane]?.fits ?? load.bytes
                rulings[load.lane, default: Ruling()].fits = min(fits, bytes)
            }
            for (lane, start) in DeadlineContention.starts(own, kept, capacity) {
                let instant = start - margin
                let before = rulings[lane]?.guardAt ?? instant
                rulings[lane, default: Ruling()].guardAt = min(before, instant)
            }
        }
    }

    /// The bytes of each lane that fit before its deadline, together with the bytes that are due
    /// earlier.
    private static func kept(
        of loads: [DeadlineLoad], at now: Timestamp, _ capacity: BottleneckCapacity
    ) -> [Double] {
        var kept = loads.map(\.bytes)
        var largest = RateHeap<Largest>()
        var sum = 0.0
        let order = loads.indices.sorted {
            (loads[$0].lastDue, loads[$0].lane) < (loads[$1].lastDue, loads[$1].lane)
        }
        for place in order {
            sum += kept[place]
            largest.insert(Largest(load: loads[place], place: place))
            var excess = sum - capacity.bytes(from: now, to: loads[place].lastDue)
            // An excess of less than a byte comes from rounding.
            while excess >= 1, let first = largest.first {
                let out = min(kept[first.place], excess)
                kept[first.place] -= out
                excess -= out
                sum -= out
                if kept[first.place] <= 0 { _ = largest.popFirst() }
            }
        }
        return kept
    }

    /// The latest starts, backwards from the last deadline: each lane ends by its own deadline and
    /// before the next lane starts.
    private static func starts(
        _ loads: [DeadlineLoad], _ kept: [Double], _ capacity: BottleneckCapacity
    ) -> [(lane: Int64, start: Timestamp)] {
        let order = loads.indices.sorted {
            (loads[$0].bucket, loads[$0].lane) > (loads[$1].bucket, loads[$1].lane)
        }
        var next = Timestamp(microseconds: .max)
        return order.map { place in
            let end = min(loads[place].bucket, next)
            next = capacity.start(of: kept[place], endingAt: end)
            return (loads[place].lane, next)
        }
    }

    /// A lane in the order in which lanes are left out: the one with the largest downloads first.
    private struct Largest: Comparable {
        let mean: Double
        let lane: Int64
        let place: Int

        init(load: DeadlineLoad, place: Int) {
            (mean, lane, self.place) = (load.mean, load.lane, place)
        }

        static func < (left: Largest, right: Largest) -> Bool {
            (left.mean, left.lane) > (right.mean, right.lane)
        }
    }
}
