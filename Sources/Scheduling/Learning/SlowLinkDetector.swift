// Detects a link that carries much less than usual, from the transfers on it.
package import Base

/// Detects whether a replica's link is slow, from a sample each minute in which no limit of its own
/// holds transfers back.
///
/// The link counts as slow if all transfers together have less than half of its usual rate, and
/// even the fastest of them has less than half of the usual rate of two origins: an origin in
/// trouble slows its own transfers only, and a full link still carries its usual rate.
package struct SlowLinkDetector: Equatable, Sendable {
    /// One running transfer.
    package struct Run: Equatable, Sendable {
        /// Its origin, by its number.
        package let origin: Int64
        /// Bytes a second.
        package let rate: Double

        /// Creates a value with both members.
        package init(origin: Int64, rate: Double) {
            self.origin = origin
            self.rate = rate
        }
    }

    /// The number of slow samples that make the link slow, and of usual samples in a row after
    /// which it is not.
    private static let samplesToChange = 5
    /// A smaller part of the usual rate than this is slow.
    private static let slow = 0.5
    /// A larger part of the usual rate than this is not slow.
    private static let usual = 0.6
    /// The link is no longer slow after this time without a slow sample.
    private static let silence = Duration.seconds(12 * 3600)
    /// After this time of slowness the low rate counts as usual.
    private static let longest = Duration.seconds(3 * 86_400)

    private var slowSamples = 0
    private var usualSamples = 0
    private var began: Timestamp?
    private var lastAt: Timestamp?

    /// Creates a detector without samples.
    package init() {}

    /// Whether the link is slow at an instant.
    package func isSlow(at now: Timestamp) -> Bool {
        guard slowSamples >= SlowLinkDetector.samplesToChange, let began, let lastAt else {
            return false
        }
        return now - lastAt < SlowLinkDetector.silence && now - began < SlowLinkDetector.longest
    }

    /// Takes a sample of the running transfers.
    ///
    /// - Parameters:
    ///   - runs: what has run for long enough to have its speed.
    ///   - facts: what is usual.
    ///   - now: once a minute.
    package mutating func observe(_ runs: [Run], _ facts: LearnedFacts, at now: Timestamp) {
        guard !runs.isEmpty, let link = facts.usualLink(of: [.all], at: now)?.quantile(0.5) else {
            return
        }
        let total = runs.reduce(0) { $0 + $1.rate }
        let fastest = runs.reduce(0) { max($0, $1.rate) }
        var origins: [Int64: Double] = [:]
        for origin in Set(runs.map(\.origin)) {
            guard let known = facts.usualRate(origin: origin, at: now), known.key != .all else {
                continue
            }
            origins[origin] = known.quantile(0.5)
        }
        let slowed = origins.values.count { $0 * SlowLinkDetector.slow > fastest }
        if total < SlowLinkDetector.slow * link, slowed >= 2 {
            // Slow samples before a long silence do not count.
            if let lastAt, now - lastAt >= SlowLinkDetector.silence { slowSamples = 0 }
            if slowSamples == 0 { began = now }
            slowSamples += 1
            usualSamples = 0
            lastAt = now
        } else if total > SlowLinkDetector.usual * link || !origins.isEmpty && slowed == 0 {
            usualSamples += 1
            if usualSamples >= SlowLinkDetector.samplesToChange { slowSamples = 0 }
        }
    }
}
