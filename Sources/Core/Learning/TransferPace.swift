// How fast transfers are at present, beside what is usual at their origins.

/// The part of their origins' usual rates that transfers have at present.
///
/// On a day on which the link is slow all of them have less, and so will what begins. It is the
/// median of what runs, smoothed over about an hour, and never more than 1.
package struct TransferPace: Equatable, Sendable {
    /// The time over which measures are smoothed, in seconds.
    private static let memory = 3600.0
    /// The time over which it is forgotten while too little runs, in seconds.
    private static let calm = 10_800.0
    /// Fewer runs say more about themselves.
    private static let fewest = 3
    /// Less than this part counts as slow; more is the luck of attempts.
    private static let slow = 0.7
    /// The factor is rounded to such parts of 1: with each change of it all lanes are judged again.
    private static let steps = 20.0

    private var part = 1.0
    private var measuredAt: Timestamp?

    /// Nothing is measured yet.
    package init() {}

    /// Takes a measure.
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

    /// By what usual rates are to be multiplied; 1 unless transfers are slow.
    package var factor: Double {
        guard part < TransferPace.slow else { return 1 }
        return max(1, (part * TransferPace.steps).rounded()) / TransferPace.steps
    }
}
