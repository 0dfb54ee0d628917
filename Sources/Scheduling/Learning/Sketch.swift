// Measured values as counts in logarithmic buckets.

/// A distribution of positive values, with a relative error of at most 5 % (DDSketch: Masson, Rim
/// and Lee, PVLDB 12(12), 2019, with a fixed range).
///
/// It has one count for each bucket from the first to the last with values; two sketches are merged
/// by addition, and old values are weakened by halving.
package struct Sketch: Equatable, Sendable {
    /// The range of the values; a value outside counts as the nearest one.
    package enum Scale: Int16, Equatable, Sendable {
        /// Bytes a second, from 1 KB/s to 10 GB/s.
        case rate
        /// Bytes, from 1 byte to 1 PB.
        case size
        /// A share from 0.001 to 1.
        case share
        /// Seconds, from a millisecond to a day.
        case time
        /// A ratio of a real to an expected value, from a thousandth to a thousand.
        case factor

        /// The least value with a bucket of its own; smaller ones count as it.
        package var least: Double {
            switch self {
            case .rate: 1e3
            case .size: 1
            case .share, .time, .factor: 1e-3
            }
        }

        /// The number of buckets.
        package var count: Int {
            switch self {
            case .rate: 162
            case .size: 347
            case .share: 71
            case .time: 184
            case .factor: 139
            }
        }
    }

    /// A bucket's upper end divided by its lower one: (1 + 0.05) / (1 - 0.05).
    static let growth = 1.05 / 0.95
    /// The least weight that says something.
    package static let fewest = 5.0

    /// The range of the values.
    package let scale: Scale
    /// The index of the bucket of the first of `counts`.
    package private(set) var first = 0
    /// The weight of the values in each bucket from `first` on; all other buckets are empty.
    package private(set) var counts: [Float] = []

    /// Creates an empty sketch.
    package init(_ scale: Scale) { self.scale = scale }

    /// Reads stored counts.
    ///
    /// - Returns: nil where they are beyond the scale, or one is no count.
    package init?(_ scale: Scale, first: Int, counts: [Float]) {
        guard first >= 0, counts.count <= scale.count, first <= scale.count - counts.count,
            counts.allSatisfy({ $0 >= 0 && $0.isFinite })
        else { return nil }
        self.scale = scale
        self.first = first
        self.counts = counts
    }

    /// The weight of all values.
    package var weight: Double { counts.reduce(0) { $0 + Double($1) } }

    /// Whether there are enough values.
    package var isKnown: Bool { weight >= Sketch.fewest }

    /// Adds a value; one that is not positive and finite counts as the least.
    package mutating func add(_ value: Double, weight: Float = 1) {
        let place = bucket(of: value)
        cover(place..<place + 1)
        counts[place - first] += weight
    }

    /// Adds the values of another sketch.
    package mutating func merge(_ other: Sketch) {
        precondition(scale == other.scale, "only sketches of one scale are merged")
        guard !other.counts.isEmpty else { return }
        cover(other.first..<other.first + other.counts.count)
        for (place, count) in other.counts.enumerated() {
            counts[place + other.first - first] += count
        }
    }

    /// Subtracts the values of another sketch, as far as this one has them.
    package mutating func subtract(_ other: Sketch) {
        precondition(scale == other.scale, "only sketches of one scale are subtracted")
        for (place, count) in other.counts.enumerated() {
            let own = place + other.first - first
            guard counts.indices.contains(own) else { continue }
            counts[own] = max(0, counts[own] - count)
        }
    }

    /// Multiplies all weights by a factor from 0 to 1.
    package mutating func decay(to part: Float) {
        for place in counts.indices { counts[place] *= part }
    }

    /// The value below which a part of the values lies; `part` from 0 to 1.
    ///
    /// - Returns: nil for an empty sketch.
    package func quantile(_ part: Double) -> Double? {
        let total = weight
        guard total > 0 else { return nil }
        let rank = min(max(part, 0), 1) * total
        var sum = 0.0
        var last = 0
        for (place, count) in counts.enumerated() where count > 0 {
            sum += Double(count)
            last = place
            if sum >= rank { break }
        }
        return middle(of: first + last)
    }

    /// The mean, with the precision of the buckets.
    package var mean: Double? {
        let total = weight
        guard total > 0 else { return nil }
        let sum = counts.enumerated().reduce(0) {
            $0 + Double($1.element) * middle(of: first + $1.offset)
        }
        return sum / total
    }

    /// The buckets' edges by repeated multiplication: this target has no logarithm.
    private static let edges: [Double] = {
        var edges = [1.0]
        for _ in 0..<400 { edges.append(edges[edges.count - 1] * growth) }
        return edges
    }()

    /// Extends `counts` to cover buckets.
    private mutating func cover(_ buckets: Range<Int>) {
        guard !counts.isEmpty else {
            first = buckets.lowerBound
            counts = Array(repeating: 0, count: buckets.count)
            return
        }
        if buckets.lowerBound < first {
            counts.insert(
                contentsOf: repeatElement(0, count: first - buckets.lowerBound), at: 0)
            first = buckets.lowerBound
        }
        let missing = buckets.upperBound - first - counts.count
        if missing > 0 { counts.append(contentsOf: repeatElement(0, count: missing)) }
    }

    private func bucket(of value: Double) -> Int {
        let scaled = value / scale.least
        guard scaled >= 1 else { return 0 }
        var low = 0
        var high = scale.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if Sketch.edges[middle] <= scaled { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The value with an equal relative distance to both ends of a bucket.
    private func middle(of bucket: Int) -> Double {
        scale.least * Sketch.edges[bucket] * 1.05
    }
}
