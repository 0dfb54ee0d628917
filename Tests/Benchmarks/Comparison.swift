// Peer and Lull side by side.

/// What both sides did, pair by pair.
struct Comparison: Codable {
    /// Such as `B7 16 connections`.
    let name: String
    /// What the values are.
    let unit: String
    /// Who Lull is compared with.
    let peerName: String
    let peer: [Sample]
    let lull: [Sample]
    let goal: Goal
    /// What a reader has to know, one line.
    let note: String
    /// What both needed for a unit of work; nil where that was not counted.
    var counts: Counts?

    /// The counts of both sides, or of Lull where it is compared with a bound.
    struct Counts: Codable {
        /// The unit, such as `file`.
        let unit: String
        let peer: Count?
        let lull: Count

        /// Those of Lull alone.
        init(unit: String, lull: Count) {
            self.unit = unit
            peer = nil
            self.lull = lull
        }

        /// Those of a peer and of `lull`; nil unless both were counted.
        init?(of peer: String, unit: String, in counts: [String: Count]) {
            guard let theirs = counts[peer], let ours = counts["lull"] else { return nil }
            self.unit = unit
            self.peer = theirs
            lull = ours
        }
    }

    /// What the ratio of Lull to the peer should be.
    enum Goal: Codable {
        case atLeast(Double)
        case atMost(Double)
        /// Lull's own value, whatever the peer's is.
        case below(Double)
        /// Of the peer's value or so much of it away.
        case within(Double)
        case none

        var text: String {
            switch self {
            case .atLeast(let ratio): ">= \(ratio)"
            case .atMost(let ratio): "<= \(ratio)"
            case .below(let value): "Lull < \(value)"
            case .within(let part): "1 +- \(part)"
            case .none: "-"
            }
        }

        func isMet(by ratio: Double, _ value: Double) -> Bool? {
            switch self {
            case .atLeast(let least): ratio >= least
            case .atMost(let most): ratio <= most
            case .below(let most): value < most
            case .within(let part): abs(ratio - 1) <= part
            case .none: nil
            }
        }
    }

    /// Lull's value over the peer's, of each pair.
    var ratios: [Double] { zip(lull, peer).map { $0.value / $1.value } }
}

/// Two or more sides, each in turn, as often as the plan says.
struct Rounds {
    private(set) var samples: [String: [Sample]] = [:]

    /// Runs the sides; each round begins with another one, so that none always comes first.
    init(
        _ plan: Plan, _ sides: [(name: String, run: (_ round: Int) throws -> Sample)]
    ) throws {
        for round in 0..<plan.pairs {
            for place in sides.indices {
                let side = sides[(place + round) % sides.count]
                // What the last one left to be written must not slow the next.
                try Command.check("sync", [], plan: plan)
                let sample = try side.run(round)
                samples[side.name, default: []].append(sample)
                Report.say("  \(round + 1)/\(plan.pairs) \(side.name): \(Report.line(sample))")
            }
        }
    }

    /// The samples of a side.
    subscript(name: String) -> [Sample] { samples[name] ?? [] }
}
