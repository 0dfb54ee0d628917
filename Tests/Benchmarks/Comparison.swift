// A peer and Lull side by side.

/// The results of both sides, pair by pair.
struct Comparison: Codable {
    /// The name, such as `B7 16 connections`.
    let name: String
    /// The unit of the values.
    let unit: String
    /// The program that Lull is compared with.
    let peerName: String
    let peer: [Sample]
    let lull: [Sample]
    let goal: Goal
    /// A fact that a reader has to know, in one line.
    let note: String
    /// The counts of both sides for a unit of work; nil if they were not counted.
    var counts: Counts?

    /// The counts of both sides, or of Lull alone if it is compared with a bound.
    struct Counts: Codable {
        /// The unit, such as `file`.
        let unit: String
        let peer: Count?
        let lull: Count

        /// The counts of Lull alone.
        init(unit: String, lull: Count) {
            self.unit = unit
            peer = nil
            self.lull = lull
        }

        /// The counts of a peer and of `lull`; nil unless both were counted.
        init?(of peer: String, unit: String, in counts: [String: Count]) {
            guard let theirs = counts[peer], let ours = counts["lull"] else { return nil }
            self.unit = unit
            self.peer = theirs
            lull = ours
        }
    }

    /// The ratio of Lull to the peer that should be reached.
    enum Goal: Codable {
        case atLeast(Double)
        case atMost(Double)
        /// A bound for Lull's own value, whatever the peer's is.
        case below(Double)
        /// The largest distance from the peer's value, as a part of it.
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

    /// Lull's value divided by the peer's, for each pair.
    var ratios: [Double] { zip(lull, peer).map { $0.value / $1.value } }
}

/// Two or more sides that run in turn, as often as the plan says.
struct Rounds {
    private(set) var samples: [String: [Sample]] = [:]

    /// Runs the sides; each round begins with another side, so that none always comes first.
    init(
        _ plan: Plan, _ sides: [(name: String, run: (_ round: Int) throws -> Sample)]
    ) throws {
        for round in 0..<plan.pairs {
            for place in sides.indices {
                let side = sides[(place + round) % sides.count]
                // Data that the last side left to be written must not slow the next one.
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
