// Widens the ranges of forecasts so that they hold as often as they promise.

/// Ranges corrected by past misses (adaptive conformal inference: Gibbs and Candès, NeurIPS 2021).
///
/// Simulated futures differ less than real ones, and may all be early or late. Forecasts of minutes
/// and of days are corrected apart, and so are both ends of a range: each end is moved, in
/// proportion to the lead, to the quantile of past misses beyond which one in ten lay of late.
package struct ForecastCalibration: Equatable, Sendable {
    /// The share of real begins that should lie between p10 and p90.
    package static let asked = 0.8
    /// The lower bounds of the groups of leads, in seconds.
    package static let bounds = [0.0, 3600, 21_600, 57_600]
    /// The share of real begins that may lie beyond one end.
    static let beyond = (1 - asked) / 2
    /// The first quantile of both ends: misses come in spells, so that calm days say too little
    /// about other days.
    static let start = 0.8 * beyond
    /// The step by which a quantile is moved after each forecast.
    private static let gain = 0.001
    /// Seconds added to leads before they are divided, so that short ones do not weigh too much.
    private static let slack = 300.0
    /// The factor that widens a range while too few forecasts were scored.
    private static let standard = 1.5

    /// The scores of the forecasts of one group.
    package struct Group: Equatable, Sendable {
        /// Real leads divided by expected ones.
        package internal(set) var misses = Sketch(.factor)
        /// The quantile of `misses` to which the early end of a range is moved.
        package internal(set) var low = ForecastCalibration.start
        /// The quantile of `misses` to which the late end of a range is moved.
        package internal(set) var high = 1 - ForecastCalibration.start
        /// The number of scored forecasts; old ones count for less.
        package internal(set) var scored = 0.0
        /// The number of scored forecasts whose range held.
        package internal(set) var covered = 0.0
        /// The pinball loss in seconds, summed up over p10, p50 and p90.
        package internal(set) var loss = 0.0
        /// The pinball loss in seconds if the next known opening is taken as the forecast.
        package internal(set) var naiveLoss = 0.0

        /// The share of forecasts whose range held; nil where too few were scored.
        package var coverage: Double? { scored >= Sketch.fewest ? covered / scored : nil }
    }

    /// The groups by lead, as in `bounds`.
    package private(set) var groups = ForecastCalibration.bounds.map { _ in Group() }

    /// Creates a calibration without scores.
    package init() {}

    /// The group of a lead in seconds.
    package static func group(of lead: Double) -> Int {
        (bounds.lastIndex { $0 <= lead }) ?? 0
    }

    /// The confidence in a range, in a word, from the scores of its group.
    package func confidence(of range: ForecastRange) -> String {
        guard let coverage = groups[ForecastCalibration.group(of: range.p50)].coverage else {
            return "unknown"
        }
        return coverage >= 0.75 ? "high" : coverage >= 0.6 ? "medium" : "low"
    }

    /// The share of all forecasts whose range held; nil where too few were scored.
    package var coverage: Double? {
        let scored = groups.reduce(0) { $0 + $1.scored }
        return scored >= Sketch.fewest ? groups.reduce(0) { $0 + $1.covered } / scored : nil
    }

    /// Widens a range so that it holds as often as it should.
    ///
    /// - Parameters:
    ///   - range: as it was simulated, in seconds.
    ///   - earliest: nothing of it lies before this instant.
    /// - Returns: its quantiles in order.
    package func widened(_ range: ForecastRange, from earliest: Double = 0) -> ForecastRange {
        let group = groups[ForecastCalibration.group(of: range.p50)]
        let slack = ForecastCalibration.slack
        let lead = max(0, range.p50) + slack
        let factors =
            group.misses.isKnown
            ? (group.misses.quantile(group.low) ?? 1, group.misses.quantile(group.high) ?? 1)
            : (1 / ForecastCalibration.standard, ForecastCalibration.standard)
        let first = max(0, earliest)
        let p50 = max(first, range.p50)
        return ForecastRange(
            p10: max(first, min(p50, min(range.p10, lead * factors.0 - slack))),
            p50: p50,
            p90: max(p50, max(range.p90, lead * factors.1 - slack)))
    }

    /// Scores a forecast against the real begin.
    ///
    /// - Parameters:
    ///   - range: as it was simulated, not widened, in seconds from its forecast.
    ///   - came: when it came.
    ///   - naive: the next opening that was known; nil for none.
    package mutating func score(_ range: ForecastRange, came: Double, naive: Double? = nil) {
        let place = ForecastCalibration.group(of: range.p50)
        let shown = widened(range)
        let holds = shown.p10 <= came && came <= shown.p90
        let slack = ForecastCalibration.slack
        var group = groups[place]
        group.misses.add((max(0, came) + slack) / (max(0, range.p50) + slack))
        let beyond = ForecastCalibration.beyond
        let gain = ForecastCalibration.gain
        group.low += gain * (beyond - (came < shown.p10 ? 1 : 0))
        group.low = min(max(group.low, 0.005), 0.45)
        group.high -= gain * (beyond - (came > shown.p90 ? 1 : 0))
        group.high = min(max(group.high, 0.55), 0.995)
        group.scored += 1
        if holds { group.covered += 1 }
        group.loss += ForecastCalibration.pinball(shown, came)
        if let naive {
            group.naiveLoss += ForecastCalibration.pinball(
                ForecastRange(p10: naive, p50: naive, p90: naive), came)
        }
        groups[place] = group
    }

    /// Halves the weight of all scores; called once a week.
    package mutating func decay() {
        for place in groups.indices {
            groups[place].misses.decay(to: 0.5)
            groups[place].scored *= 0.5
            groups[place].covered *= 0.5
            groups[place].loss *= 0.5
            groups[place].naiveLoss *= 0.5
        }
    }

    /// The loss of three quantiles: a begin beyond the 10 % or 90 % quantile costs most.
    package static func pinball(_ range: ForecastRange, _ came: Double) -> Double {
        [(0.1, range.p10), (0.5, range.p50), (0.9, range.p90)].reduce(0) { sum, quantile in
            let miss = came - quantile.1
            return sum + (miss >= 0 ? quantile.0 * miss : (quantile.0 - 1) * miss)
        }
    }
}
