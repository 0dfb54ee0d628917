// The policies of the worlds, and the documents, conditions and lanes as a faulty engine sees them.
import Base
import Downloads
import Scheduling
import Simulation

extension EngineWorld {
    private static let matches: [JSON] = [
        [:], ["is_discretionary": true], ["session": "s1"], ["session": ["s2", "s3"]],
        ["origin": "*.a.example"], ["priority": ["min": 0.5]], ["app": "a2"],
    ]
    private static let texts = [
        "window a", "window b", "not window a", "p < 5", "p >= 5 for 10m", "p < 4 until > 7",
        "q = true", "q = false", "u = 1",
    ]

    /// Makes a random policy document.
    static func document(
        _ random: inout SeededRandom, _ variant: EngineVariant
    ) -> JSONObject {
        var rules = (0..<Int.random(in: 1...5, using: &random)).map { place -> JSON in
            let require = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                JSON.string(texts[Int.random(in: 0..<texts.count, using: &random)])
            }
            var rule: JSONObject = [
                "name": .string(variant.prefix + "r\(place)"), "require": .array(require),
                "match": match(&random, variant),
            ]
            if random.isOne(in: 2) { rule["soft"] = true }
            return .object(rule)
        }
        if variant.isReversed { rules.reverse() }
        var document: JSONObject = [
            "time_zone": "Europe/Berlin",
            "windows": ["a": ["22:00-06:00"], "b": ["Mon-Fri 08:00-18:00", "Sat 00:00-24:00"]],
            "rules": .array(rules),
            "conditions": [
                "p": ["type": "number", "ttl": "2h", "default": 4],
                "q": ["type": "boolean", "default": false],
                "u": ["type": "number", "default": 1],
            ],
        ]
        if random.isOne(in: 2) { document["budgets"] = .array(budgets(&random, variant)) }
        if random.isOne(in: 3) { document["bandwidth"] = "08:00,0 12:00,off" }
        if variant.isOneFlow {
            // The slots are the limit, and no class leaves room for urgent work.
            let slots = JSON.integer(Int64(slots))
            document["limits"] = ["per_origin": slots, "per_session": slots]
            document["shares"] = ["discretionary_floor": 0]
            document["budgets"] = nil
        }
        return document
    }

    /// Makes the match of a rule or a budget.
    private static func match(_ random: inout SeededRandom, _ variant: EngineVariant) -> JSON {
        let match = matches[Int.random(in: 0..<matches.count, using: &random)]
        guard let app = match["app"]?.stringValue else { return match }
        return ["app": .string(variant.prefix + app)]
    }

    /// Makes budgets of a few downloads.
    private static func budgets(
        _ random: inout SeededRandom, _ variant: EngineVariant
    ) -> [JSON] {
        ["day", "hour"].prefix(Int.random(in: 1...2, using: &random)).map { period in
            let bytes = size * Int64.random(in: 1...5, using: &random)
            let scopes: [JSON] = ["deployment", "app", "session", "origin"]
            return [
                "name": .string(period), "bytes": .integer(bytes), "per": .string(period),
                "scope": scopes[Int.random(in: 0..<4, using: &random)], "hard": true,
                "match": match(&random, variant),
            ]
        }
    }

    /// The document as a faulty engine reads it.
    static func altered(_ document: JSONObject, _ mutant: EngineMutant?) -> JSONObject {
        var document = document
        var rules = document["rules"]?.arrayValue ?? []
        func change(_ body: (inout JSONObject) -> Void) {
            rules = rules.map { rule in
                var object = rule.objectValue ?? JSONObject()
                body(&object)
                return .object(object)
            }
        }
        func rewrite(_ body: (String) -> String) {
            change { rule in
                let texts = rule["require"]?.arrayValue?.compactMap(\.stringValue) ?? []
                rule["require"] = .array(texts.map { .string(body($0)) })
            }
        }
        switch mutant {
        case .ignoresTheFirstRule: rules.removeFirst()
        case .ignoresTheLastRule: rules.removeLast()
        case .ignoresMatches: change { $0["match"] = [:] }
        case .takesHardForSoft: change { $0["soft"] = true }
        case .takesSoftForHard: change { $0["soft"] = false }
        case .ignoresNegations: rewrite { $0.hasPrefix("not ") ? String($0.dropFirst(4)) : $0 }
        case .ignoresHolds: rewrite { $0 == "p >= 5 for 10m" ? "p >= 5" : $0 }
        case .ignoresReleases: rewrite { $0 == "p < 4 until > 7" ? "p < 4" : $0 }
        case .takesOneConditionForAnother: rewrite { $0 == "p < 5" ? "u = 1" : $0 }
        case .ignoresDefaults:
            document["conditions"] = [
                "p": ["type": "number", "ttl": "2h"], "q": ["type": "boolean"],
                "u": ["type": "number"],
            ]
        case .ignoresExpiry:
            document["conditions"] = [
                "p": ["type": "number", "default": 4], "q": ["type": "boolean", "default": false],
                "u": ["type": "number", "default": 1],
            ]
        case .ignoresTheEndsOfWindows:
            document["windows"] = [
                "a": ["22:00-10:00"], "b": ["Mon-Fri 08:00-22:00", "Sat 00:00-24:00"],
            ]
        case .ignoresBandwidthOfZero: document["bandwidth"] = nil
        case .countsOneMoreOfEachOrigin: document["limits"] = ["per_origin": 2]
        case .countsOneMoreOfEachSession: document["limits"] = ["per_session": 3]
        case .countsOneMoreOfAll: document["limits"] = ["running": 5]
        default: break
        }
        document["rules"] = .array(rules)
        return document
    }

    /// The conditions as a faulty engine knows them.
    var shownBook: ConditionBook {
        guard mutant == .ignoresSchedules || mutant == .ignoresExpiry else { return book }
        var shown = book
        for name in ["p", "q"] {
            guard var push = book.track(name)?.push else { continue }
            if mutant == .ignoresSchedules { push.schedule = [] }
            if mutant == .ignoresExpiry { push.ttl = .seconds(86_400 * 365) }
            shown.take(push, of: name, at: now)
        }
        return shown
    }

    /// A lane as a faulty engine reads it.
    func shown(_ head: LaneHead) -> LaneHead {
        var head = head
        switch mutant {
        case .ignoresClasses: head.schedulingClass = .normal
        case .ignoresRanks: head.rank = 0
        case .ignoresSessions: head.session = "s1"
        case .ignoresOrigins: head.originName = "https://o.b.example:443"
        case .ignoresDeadlines: head.dueBucket = nil
        case .ignoresAges: head.runAt = EngineWorld.start - .seconds(86_400)
        case .takesPushbackForLonger:
            head.origin.notBefore = head.origin.notBefore.map { $0 + .seconds(3600) }
        default: break
        }
        return head
    }
}
