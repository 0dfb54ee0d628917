package import Base
internal import Downloads

/// The demand of a download on one budget.
package struct BudgetDemand: Equatable, Sendable {
    /// The least number of bytes that a running download reserves beyond its expected ones; also
    /// the reservation of a download of unknown size.
    package static let leastChunk: Int64 = 64 << 20

    /// The budget.
    package var budget: Budget
    /// The counter.
    package var key: BudgetKey
    /// The period that is current at the question.
    package var period: Range<Timestamp>
    /// The number of the period's bytes that may be used up to that instant.
    package var allowance: Int64
    /// The bytes that the download reserves when it begins; for a lane, a lower bound.
    package var needs: Int64
    /// The counter's used bytes in this period.
    package var used: Int64

    /// The most that a download reserves at once; a larger one continues in chunks.
    package var most: Int64 { BudgetDemand.most(of: budget) }

    /// Bytes that can still be reserved.
    package var left: Int64 { max(0, allowance - used) }

    /// The share of the budget that can still be reserved, from 0 to 1, in whole hundredths.
    package var leftPart: Double {
        (Double(left) / Double(max(1, budget.bytes)) * 100).rounded(.down) / 100
    }

    /// Whether several apps use the budget together.
    package var isShared: Bool { budget.scope == .deployment || budget.scope == .origin }

    /// Whether the budget lets the download begin.
    package var isMet: Bool { needs <= left }

    /// The whole budget; half of a paced one, whose last part is never free for long.
    static func most(of budget: Budget) -> Int64 {
        budget.isPaced ? max(1, budget.bytes / 2) : budget.bytes
    }

    /// The bytes that a candidate reserves.
    static func needs(_ candidate: AdmissionCandidate, of budget: Budget) -> Int64 {
        // For a lane they are unknown; the claim asks for each download.
        guard candidate.priority != nil else { return 1 }
        let isSending = candidate.laneFlags.contains(.sends)
        let received = isSending ? 0 : candidate.need > 0 ? candidate.need : leastChunk
        var needs: Int64
        switch budget.counts {
        case .received: needs = received
        case .sent: needs = candidate.sends
        case .both:
            let (sum, overflowed) = received.addingReportingOverflow(candidate.sends)
            needs = overflowed ? .max : sum
        }
        needs = max(0, needs)
        return min(needs, most(of: budget))
    }
}
