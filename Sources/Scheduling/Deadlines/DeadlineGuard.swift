// The time at which a download ceases to wait for soft rules, so that it meets its deadline.
package import Base

/// The latest begin that a candidate's deadline allows.
package struct DeadlineGuard: Equatable, Sendable {
    /// The expected time of the transfer.
    package let need: Duration
    /// The latest begin that the deadline allows; nil without a deadline.
    package private(set) var latestBegin: Timestamp?

    /// Computes the latest begin without regard to the rules.
    ///
    /// In a lane the largest download decides for all of them.
    package init(_ candidate: AdmissionCandidate, in situation: Situation) {
        var largest = candidate
        largest.need = max(candidate.need, candidate.laneNeed)
        need = ExpectedTransfer(largest, in: situation).time
        let own = TransferNeed.latestBegin(
            candidate.deadline, need: need, margin: situation.policy.deadlines.margin)
        latestBegin = own.map { min($0, candidate.guardAt ?? $0) }
    }

    /// Whether soft rules and preferences no longer hold the candidate back.
    package func holds(at now: Timestamp) -> Bool { latestBegin.map { $0 <= now } ?? false }

    /// Moves the latest begin forward to where hard windows leave time for the transfer.
    ///
    /// - Parameters:
    ///   - windows: the requirements on windows of the hard rules that match.
    ///   - begin: before which it does not begin.
    ///   - situation: the facts.
    mutating func keep(
        within windows: [Requirement], from begin: Timestamp, in situation: Situation
    ) {
        guard let latest = latestBegin, !windows.isEmpty else { return }
        // Windows repeat every week, so only the last openings before the deadline matter.
        var instant = max(situation.now, begin, latest - .seconds(8 * 86_400))
        let openings = windows.map { window in { situation.opening(of: window, from: $0) } }
        var found: Timestamp?
        for _ in 0..<KnownOpening.roundsAtMost {
            guard let opening = KnownOpening.first(from: instant, of: openings), opening <= latest
            else { break }
            let closing = windows.compactMap { situation.closing(of: $0, after: opening) }.min()
            guard let closing, closing <= latest else {
                found = latest
                break
            }
            let margin = situation.policy.deadlines.margin
            found = max(opening, closing - need - max(margin, need / 10))
            instant = closing
        }
        latestBegin = found ?? min(latest, max(situation.now, begin))
    }
}
