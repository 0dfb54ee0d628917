// Finds the rules that a lane matches, once for each kind of lanes and for each origin.
internal import Base

/// The rules of a policy, prepared for many lanes.
struct RuleMatcher: Sendable {
    /// The rules of one kind of lanes.
    private struct Found {
        /// The rules that match for every origin.
        var sure: [Int] = []
        /// The rules that match for some origins.
        var byOrigin: [Int] = []
    }

    /// The most kinds that are remembered.
    private static let kindsAtMost = 65_536

    /// Each rule's match without origins, and its origins alone; nil where it names none.
    private let parts: [(rest: Match, origin: Match?)]
    /// The app of each rule; nil for the deployment's.
    private let owners: [String?]
    private var kinds: [LaneKind: Found] = [:]

    init(_ policy: Policy) {
        owners = policy.ruleOwners + Policy.networkRules.map { _ in nil }
        parts = policy.judgedRules.map { rule in
            guard rule.match.needsOrigin else { return (rule.match, nil) }
            var rest = rule.match
            rest.origins = []
            var origin = Match()
            origin.origins = rule.match.origins
            return (rest, origin)
        }
    }

    /// The numbers of the rules that a lane matches or may match, in their order.
    mutating func rules(of candidate: AdmissionCandidate, _ kind: LaneKind) -> [Int] {
        let found = kinds[kind] ?? learn(kind, candidate)
        guard !found.byOrigin.isEmpty else { return found.sure }
        WorkMeter.add(found.byOrigin.count)
        let some = found.byOrigin.filter { number in
            parts[number].origin.map { $0.judge(candidate).truth != .unmet } ?? true
        }
        return some.isEmpty ? found.sure : (found.sure + some).sorted()
    }

    private mutating func learn(_ kind: LaneKind, _ candidate: AdmissionCandidate) -> Found {
        var found = Found()
        WorkMeter.add(parts.count)
        for (number, part) in parts.enumerated()
        where owners[number].map({ $0 == candidate.app }) ?? true
            && part.rest.judge(candidate).truth != .unmet
        {
            if part.origin == nil {
                found.sure.append(number)
            } else {
                found.byOrigin.append(number)
            }
        }
        if kinds.count >= RuleMatcher.kindsAtMost { kinds = [:] }
        kinds[kind] = found
        return found
    }
}
