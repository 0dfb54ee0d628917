// The facts that a lane tells of its downloads are true of each of them, under any policy.
import Base
import Testing

@testable import Scheduling

@Suite struct FacetTests {
    private static func policy(_ random: inout SeededRandom) throws -> Policy {
        let rules = (0..<Int.random(in: 0...4, using: &random)).map { place -> JSON in
            var match = JSONObject()
            if random.isOne(in: 2) {
                var span = JSONObject()
                let ends = [0, 1, 10, 1000, 4096].shuffled(using: &random).prefix(2).sorted()
                if random.isOne(in: 2) { span["min"] = .integer(Int64(ends[0])) }
                if random.isOne(in: 2) { span["max"] = .integer(Int64(ends[1])) }
                match["expected_bytes"] = .object(span)
            }
            if random.isOne(in: 2) {
                let key = ["kind", "team"][Int.random(in: 0..<2, using: &random)]
                let value = ["a*", "*b", "ab", "*"][Int.random(in: 0..<4, using: &random)]
                match["metadata"] = .object(JSONObject(members: [(key, .string(value))]))
            }
            return [
                "name": .string("r\(place)"), "match": .object(match), "require": ["window w"],
            ]
        }
        let document: JSON = ["windows": ["w": ["Mon 00:00-00:01"]], "rules": .array(rules)]
        return try Policy.parse(document, defaults: Policies.limits) { _ in true }.get()
    }

    private static func members(_ random: inout SeededRandom) -> CandidateMembers {
        var metadata = JSONObject()
        for key in ["kind", "team"] where random.isOne(in: 2) {
            let value = ["", "a", "ab", "cb", "x"][Int.random(in: 0..<5, using: &random)]
            metadata[key] = .string(value)
        }
        let sizes: [Int64?] = [nil, 0, 1, 9, 10, 11, 999, 1000, 4095, 4096, 1 << 40]
        return CandidateMembers(
            expectedBytes: sizes[Int.random(in: 0..<sizes.count, using: &random)],
            metadata: metadata)
    }

    @Test func aLaneMatchesAsItsDownloadsDo() throws {
        var random = SeededRandom(seed: 71)
        var known = 0
        for _ in 0..<3000 {
            let own = try Self.policy(&random)
            let other = try Self.policy(&random)
            let members = Self.members(&random)
            let facet = own.facets.facet(
                expectedBytes: members.expectedBytes, metadata: members.metadata)
            #expect(own.facets.makes(facet))
            #expect(Facet(text: facet.text) == facet)
            let download = Policies.candidate { $0.members = members }
            let lane = Policies.candidate { $0.facet = facet }
            for rule in own.rules {
                // Under the policy that made it a facet tells every fact that the rules ask for.
                let truth = rule.match.judge(lane).truth
                #expect(truth == rule.match.judge(download).truth)
                known += rule.match.needsFacet ? 1 : 0
            }
            for rule in other.rules {
                let truth = rule.match.judge(lane).truth
                #expect(truth == .unknown || truth == rule.match.judge(download).truth)
            }
        }
        #expect(known > 1000)
    }

    @Test func aFacetOfAnotherPolicyIsSettled() throws {
        var random = SeededRandom(seed: 72)
        for _ in 0..<1000 {
            let own = try Self.policy(&random).facets
            let other = try Self.policy(&random).facets
            let members = Self.members(&random)
            let facet = other.facet(
                expectedBytes: members.expectedBytes, metadata: members.metadata)
            let wanted = own.facet(
                expectedBytes: members.expectedBytes, metadata: members.metadata)
            // A facet may stay only if this policy would give it as well.
            #expect(own.makes(facet) == (facet == wanted))
        }
    }

    @Test func policiesWithoutSuchRulesTellNothingApart() throws {
        let scheme = try Policies.nightly().facets
        #expect(scheme.isEmpty && scheme == .none)
        #expect(scheme.facet(expectedBytes: 5, metadata: ["a": "b"]) == .none)
        #expect(Facet.none.text == "" && Facet(text: "{").text == "")
    }

    @Test func veryManyEdgesAndPredicatesAreBounded() throws {
        let rules = (1...100).map { place -> JSON in
            [
                "name": .string("r\(place)"), "require": ["window w"],
                "match": [
                    "expected_bytes": ["min": .integer(Int64(place) * 1000)],
                    "metadata": .object(JSONObject(members: [("k\(place)", "v*")])),
                ],
            ]
        }
        let policy = try Policy.parse(
            ["windows": ["w": ["Mon 00:00-00:01"]], "rules": .array(rules)],
            defaults: Policies.limits
        ) { _ in true }.get()
        let facet = policy.facets.facet(expectedBytes: 99_500, metadata: ["k1": "v"])
        #expect(facet.predicates.count == FacetScheme.predicatesAtMost)
        #expect(facet.bytes == .band(32_000, nil))
        // A fact that the facet does not tell apart may match.
        let lane = Policies.candidate { $0.facet = facet }
        let download = Policies.candidate {
            $0.members = CandidateMembers(expectedBytes: 99_500, metadata: ["k1": "v"])
        }
        for rule in policy.rules {
            let truth = rule.match.judge(lane).truth
            #expect(truth == .unknown || truth == rule.match.judge(download).truth)
        }
        #expect(policy.rules[98].match.judge(lane).truth == .unknown)
    }
}
