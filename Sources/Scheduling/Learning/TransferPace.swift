// The present speed of transfers, compared with the usual rates of their origins.
package import Base

/// The share of their origins' usual rates that transfers have at present.
///
/// On a day with a slow link all running transfers are slower than usual, and so are those that
/// begin. The share is the median over the running transfers, smoothed over about an hour, and
/// never more than 1.
package struct TransferPace: Equatable, Sendable {
    /// The time over which measures are smoothed, in seconds.
    private static let memory = 3600.0
    /// The time over which it returns to 1 while too few transfers run, in seconds.
    private static let calm = 10_800.0
    /// The least number of running transfers: fewer tell about their own origins only.
    private static let fewest = 3
    /// A smaller share than this counts as slow; a larger one is chance.
    private static let slow = 0.7
    /// The factor is rounded to multiples of 1/20, because each change of it makes all lanes be
    /// judged again.
    private static let steps = 20.0

    private var part = 1.0
    private var measuredAt: Timestamp?

    /// Creates a pace without measurements.
    package init() {}

    /// Takes one measurement.
    ///
    /// - Parameters:
    ///   - parts: of each run, its speed as a part of the median rate of its origin.
    ///   - now: the instant.
    package mutating func measure(_ parts: [Double], at now: Timestamp) {
        let passed = measuredAt.map { Double((now - $0).wholeMicroseconds) / 1e6 } ?? 60
        measuredAt = now
        guard passed > 0 else { return }
        let isKnown = parts.count >= TransferPace.fewest
        let median = isKnown ? min(1, max(0, parts.sorted()[parts.count / 2])) : 1
        let memory = isKnown ? TransferPace.memory : TransferPace.calm
        part += (median - part) * passed / (memory + passed)
    }

    /// The factor by which usual rates are multiplied; 1 unless transfers are slow.
    package var factor: Double {
        guard part < TransferPace.slow else { return 1 }
        return max(1, (part * TransferPace.steps).rounded()) / TransferPace.steps
    }
}
