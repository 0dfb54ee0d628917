// A client decides which networks its download may use, under every policy and without one.
import Base
import Downloads
import Testing

@testable import Scheduling

@Suite struct NetworkRuleTests {
    private static let now = Policies.instant("2026-11-23T09:00:00Z")

    private static func situation(
        _ policy: Policy, cost: String? = nil, isConstrained: Bool? = nil
    ) -> Situation {
        var book = ConditionBook(policy, at: now)
        if let cost {
            book.take(
                ConditionPush(value: .word(cost), pushedAt: now), of: "network_cost", at: now)
        }
        if let isConstrained {
            book.take(
                ConditionPush(value: .flag(isConstrained), pushedAt: now),
                of: "network_constrained", at: now)
        }
        return Situation(now: now, policy: policy, zone: .utc, conditions: book)
    }

    private static let networks = (Int16(0)...3).map { LaneFlags(rawValue: $0) }

    private static func candidate(_ flags: LaneFlags) -> AdmissionCandidate {
        Policies.candidate(at: now) {
            $0.laneFlags = flags
            $0.isDiscretionary = false
        }
    }

    /// Every network that a download may not use, with every state of the conditions.
    @Test func aDownloadWaitsForANetworkThatItMayUse() throws {
        let (expensive, constrained) = (
            "allows_expensive_network_access", "allows_constrained_network_access"
        )
        let none = Policy(limits: Policies.limits)
        let other = try Policies.read(
            """
            {"rules": [{"name": "x", "match": {"session": "t"},
                        "require": ["io_pressure < 0"]}]}
            """
        )
        for policy in [none, other] {
            for flags in Self.networks {
                for cost in [nil, "unmetered", "metered", "expensive"] {
                    for isConstrained in [nil, false, true] {
                        var rules: [String?] = []
                        if !flags.contains(.expensive), cost == "expensive" {
                            rules.append(expensive)
                        }
                        if !flags.contains(.constrained), isConstrained == true {
                            rules.append(constrained)
                        }
                        let situation = Self.situation(
                            policy, cost: cost, isConstrained: isConstrained)
                        let blockers = Admission.policyBlockers(
                            Self.candidate(flags), in: situation)
                        #expect(blockers.map(\.rule) == rules)
                        #expect(blockers.allSatisfy { $0.code == .condition && !$0.isSoft })
                        let verdict = PolicyVerdict(Self.candidate(flags), in: situation)
                        #expect(verdict.stoppingRule == rules.first ?? nil)
                    }
                }
            }
        }
    }

    @Test func whatMayUseEveryNetworkHasNoFurtherRules() {
        let policy = Policy(limits: Policies.limits)
        #expect(policy.rules(for: Self.candidate(.anyNetwork)).isEmpty)
        #expect(policy.rules(for: Self.candidate(.expensive)).count == 2)
        let verdict = PolicyVerdict(Self.candidate(.constrained), in: Self.situation(policy))
        #expect(verdict.rules.map(\.outcome) == [.open, .notMatched])
        #expect(verdict.rules[1].because == "it may use a constrained network")
    }

    @Test func rulesMayBeAboutTheNetworksThatADownloadMayUse() throws {
        let policy = try Policies.read(
            """
            {"conditions": {"go": {"type": "boolean", "default": false}},
             "rules": [{"name": "a", "match": {"allows_expensive_network_access": true},
                        "require": ["go = true"]},
                       {"name": "b", "match": {"allows_constrained_network_access": false},
                        "require": ["go = true"]}]}
            """)
        let found = Self.networks.map { flags in
            PolicyVerdict(Self.candidate(flags), in: Self.situation(policy)).blockers
                .compactMap(\.rule)
        }
        // One requirement has one entry, under the first rule that has it.
        #expect(found == [["b"], ["a"], [], ["a"]])
    }

    /// Lanes differ by their networks, which follow from the download before its session.
    @Test func theLaneFollowsFromTheDownloadAndItsSession() throws {
        for (own, ofSession, expected) in [
            (nil, nil, true), (nil, false, false), (true, false, true), (false, nil, false),
            (false, true, false), (nil, true, true),
        ] as [(Bool?, Bool?, Bool)] {
            var object: JSONObject = ["url": "https://a.example/f"]
            object["allows_expensive_network_access"] = own.map { .bool($0) }
            let request = try DownloadRequest.parse(.object(object)).get()
            var document = JSONObject()
            document["allows_expensive_network_access"] = ofSession.map { .bool($0) }
            let session = try SessionConfiguration.parse(.object(document)).get()
            #expect(session.json == document)
            let spec = DownloadSpec(
                request, session: session, sessionVersion: 1, defaults: .standard)
            #expect(spec.allowsExpensive == expected && spec.allowsConstrained)
            #expect(spec.laneFlags == (expected ? .anyNetwork : .constrained))
        }
    }
}
