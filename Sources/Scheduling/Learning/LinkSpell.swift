// Detects a link that carries much less than usual, from the transfers on it.
package import Base

/// Detects whether a replica's link is slow, from a look each minute in which no limit of its own
/// holds transfers back.
///
/// The link counts as slow if all transfers together have less than half of its usual rate, and
/// even the fastest of them has less than half of the usual rate of two origins: an origin in
/// trouble slows its own transfers only, and a full link still carries its usual rate.
package struct LinkSpell: Equatable, Sendable {
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

    /// The number of slow looks that make the link slow, and of usual looks in a row that end the
    /// spell.
    private static let looks = 5
    /// A smaller part of the usual rate than this is slow.
    private static let slow = 0.5
    /// A larger part of the usual rate than this is not slow.
    private static let usual = 0.6
    /// A spell ends after this time without a slow look.
    private static let silence = Duration.seconds(12 * 3600)
    /// After this time of slowness the low rate counts as usual.
    private static let longest = Duration.seconds(3 * 86_400)

    private var slowLooks = 0
    private var usualLooks = 0
    private var began: Timestamp?
    private var lastAt: Timestamp?

    /// Creates a detector without looks.
    package init() {}

    /// Whether the link is slow at an instant.
    package func isSlow(at now: Timestamp) -> Bool {
        guard slowLooks >= LinkSpell.looks, let began, let lastAt else { return false }
        return now - lastAt < LinkSpell.silence && now - began < LinkSpell.longest
    }

    /// Takes one look at the running transfers.
    ///
    /// - Parameters:
    ///   - runs: what has run for long enough to have its speed.
    ///   - facts: what is usual.
    ///   - now: once a minute.
    package mutating func look(_ runs: [Run], _ facts: LearnedFacts, at now: Timestamp) {
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
        let slowed = origins.values.count { $0 * LinkSpell.slow > fastest }
        if total < LinkSpell.slow * link, slowed >= 2 {
            // Slow looks before a long silence belong to an earlier spell.
            if let lastAt, now - lastAt >= LinkSpell.silence { slowLooks = 0 }
            if slowLooks == 0 { began = now }
            slowLooks += 1
            usualLooks = 0
            lastAt = now
        } else if total > LinkSpell.usual * link || !origins.isEmpty && slowed == 0 {
            usualLooks += 1
            if usualLooks >= LinkSpell.looks { slowLooks = 0 }
        }
    }
}
