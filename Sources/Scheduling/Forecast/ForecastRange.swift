/// The expected time of an event: quantiles over possible futures, in seconds from the forecast's
/// now.
package struct ForecastRange: Equatable, Sendable {
    /// The 10 % quantile: one time in ten it is earlier.
    package var p10: Double
    /// The median.
    package var p50: Double
    /// The 90 % quantile: one time in ten it is later.
    package var p90: Double

    /// Creates a value with all its members.
    package init(p10: Double, p50: Double, p90: Double) {
        self.p10 = p10
        self.p50 = p50
        self.p90 = p90
    }

    /// Computes the quantiles of values, at least one.
    package init(_ values: [Double]) {
        let sorted = values.sorted()
        p10 = ForecastRange.quantile(0.1, of: sorted)
        p50 = ForecastRange.quantile(0.5, of: sorted)
        p90 = ForecastRange.quantile(0.9, of: sorted)
    }

    private static func quantile(_ part: Double, of sorted: [Double]) -> Double {
        let place = part * Double(sorted.count - 1)
        let low = Int(place)
        let high = min(low + 1, sorted.count - 1)
        return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
    }
}
