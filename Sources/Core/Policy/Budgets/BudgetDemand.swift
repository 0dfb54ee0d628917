/// What a download needs of one budget.
package struct BudgetDemand: Equatable, Sendable {
    /// What a running download asks for beyond what it was expected to bring, at least; also what
    /// one of unknown size reserves.
    package static let leastChunk: Int64 = 64 << 20

    /// The budget.
    package var budget: Budget
    /// The counter.
    package var key: BudgetKey
    /// The period at the instant of the question.
    package var period: Range<Timestamp>
    /// How many of the period's bytes may be used at that instant.
    package var allowance: Int64
    /// What it reserves when it begins, in bytes; of a lane at least so much.
    package var needs: Int64
    /// What the counter showed in this period.
    package var used: Int64

    /// The most that a download reserves at once: one that is larger than that goes on by chunks.
    package var most: Int64 { BudgetDemand.most(of: budget) }

    /// Bytes that it may still reserve.
    package var left: Int64 { max(0, allowance - used) }

    /// The part of the budget that it may still reserve, from 0 to 1, in whole hundredths.
    package var leftPart: Double {
        (Double(left) / Double(max(1, budget.bytes)) * 100).rounded(.down) / 100
    }

    /// Whether apps use it together.
    package var isShared: Bool { budget.scope == .deployment || budget.scope == .origin }

    /// Whether it may begin.
    package var isMet: Bool { needs <= left }

    /// All of a budget; half of one that is paced, whose last part is never free for long.
    static func most(of budget: Budget) -> Int64 {
        budget.isPaced ? max(1, budget.bytes / 2) : budget.bytes
    }

    /// What a candidate reserves.
    static func needs(_ candidate: AdmissionCandidate, of budget: Budget) -> Int64 {
        // Of a lane it is not known; the claim looks at each download.
        guard candidate.priority != nil else { return 1 }
        let received = candidate.need > 0 ? candidate.need : leastChunk
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
