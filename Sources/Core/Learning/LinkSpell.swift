// A link that carries much less than usual, told by what runs on it.

/// Whether a replica's link is slow: looked at once a minute, while no limit of its own holds
/// transfers back.
///
/// It is where all transfers together have less than half of what the link usually carries, and
/// even the fastest of them has less than half of what two origins usually give: an origin in
/// trouble alone slows its own transfers only, and a full link carries what it usually does.
package struct LinkSpell: Equatable, Sendable {
    /// One transfer that runs.
    package struct Run: Equatable, Sendable {
        /// Its origin, by its number.
        package let origin: Int64
        /// Bytes a second.
        package let rate: Double

        /// Names both.
        package init(origin: Int64, rate: Double) {
            self.origin = origin
            self.rate = rate
        }
    }

    /// So many looks in a row say that it is over, so many in all that it is slow.
    private static let looks = 5
    /// Less of the usual than that is slow.
    private static let slow = 0.5
    /// More of it than that is not.
    private static let usual = 0.6
    /// Without a sign of it for so long it is over.
    private static let silence = Duration.seconds(12 * 3600)
    /// What lasts for longer is what is usual from now on.
    private static let longest = Duration.seconds(3 * 86_400)

    private var slowLooks = 0
    private var usualLooks = 0
    private var began: Timestamp?
    private var lastAt: Timestamp?

    /// Nothing was looked at.
    package init() {}

    /// Whether it is slow at an instant.
    package func isSlow(at now: Timestamp) -> Bool {
        guard slowLooks >= LinkSpell.looks, let began, let lastAt else { return false }
        return now - lastAt < LinkSpell.silence && now - began < LinkSpell.longest
    }

    /// Takes a look at what runs.
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
            // What was slow before a long silence was another spell.
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
