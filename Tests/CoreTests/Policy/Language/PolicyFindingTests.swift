// Findings about documents that are not refused, and the cost of reading a document.
import Base
import Synchronization
import Testing

@testable import Downloads
@testable import Scheduling

@Suite struct PolicyFindingTests {
    private func remarks(_ text: String) throws -> [String] {
        let reading = try Policies.reading(text)
        #expect(reading.policy != nil, "\(reading.findings)")
        return reading.remarks.map { "\($0.level.rawValue) \($0.pointer)" }
    }

    private static let windows =
        #""windows": {"day": ["08:00-18:00"], "night": ["22:00-06:00"], "all": ["00:00-24:00"]}"#

    private static func rules(_ rules: String...) -> String {
        let list = rules.enumerated().map { #"{"name": "r\#($0)", \#($1)}"# }
        return "{\(windows), \"rules\": [\(list.joined(separator: ", "))]}"
    }

    @Test(
        arguments: [
            (
                rules(#""require": ["window day", "window night", "window all"]"#),
                ["warning #/rules/0"]
            ),
            (
                rules(#""require": ["window day", "window all"]"#, #""require": ["window night"]"#),
                ["warning #/rules/1"]
            ),
            (
                rules(
                    #""require": ["window day", "window all"]"#,
                    #""require": ["window night"], "soft": true"#), []
            ),
            (
                rules(
                    #""match": {"session": "a"}, "require": ["window day", "window all"]"#,
                    #""match": {"session": ["b", "c"]}, "require": ["window night"]"#), []
            ),
            (
                rules(
                    #""match": {"session": "a*"}, "require": ["window day", "window all"]"#,
                    #""match": {"session": "b"}, "require": ["window night"]"#),
                ["warning #/rules/1"]
            ),
            (
                rules(
                    #""match": {"is_discretionary": true}, "#
                        + #""require": ["window day", "window all"]"#,
                    #""match": {"is_discretionary": false}, "require": ["window night"]"#), []
            ),
            (
                rules(#""require": ["not window all", "window day", "window night"]"#),
                ["warning #/rules/0"]
            ),
            (
                rules(#""require": ["not window day", "window night", "window all"]"#), []
            ),
            ("{\(windows)}", ["day", "night", "all"].map { "no_effect #/windows/\($0)" }),
            (#"{"conditions": {"p": {"type": "number"}}}"#, ["no_effect #/conditions/p"]),
        ] as [(String, [String])])
    func saysWhatADocumentDoesNotDo(_ text: String, _ expected: [String]) throws {
        #expect(try remarks(text) == expected)
    }

    @Test(arguments: [
        (#"{"ruels": []}"#, "#/ruels", "rules"), (#"{"window": {}}"#, "#/window", "windows"),
        (#"{"limits": {"per_orgin": 1}}"#, "#/limits/per_orgin", "per_origin"),
        (#"{"rules": [{"name": "a", "requires": []}]}"#, "#/rules/0/requires", "require"),
        (
            #"{"budgets": [{"name": "a", "bytes": 1, "per": "moth", "scope": "app"}]}"#,
            "#/budgets/0/per", "month"
        ),
        (
            #"{"windows": {"night": ["22:00-06:00"]}, "rules": [{"name": "a", "#
                + #""require": ["window nihgt"]}]}"#, "#/rules/0/require/0", "night"
        ),
        (
            #"{"bandwidth": {"per_class": {"discretionery": "1M"}}}"#,
            "#/bandwidth/per_class/discretionery", "discretionary"
        ),
    ])
    func namesTheNearestWord(_ text: String, _ pointer: String, _ word: String) throws {
        let reading = try Policies.reading(text)
        #expect(reading.policy == nil)
        let finding = try #require(reading.findings.first { $0.pointer == pointer })
        #expect(finding.suggestion == word && finding.level == .error)
        #expect(reading.errors.first { $0.pointer == pointer }?.suggestion == word)
    }

    /// The schema is made from the table that judges, so every name of the one is in the other.
    @Test func schemaHasEveryMemberOfTheTable() throws {
        let schema = PolicyShape.deployment.schema()
        let rule = schema["properties"]?["rules"]?["items"]
        #expect(rule?["required"] == ["name"])
        #expect(rule?["additionalProperties"] == false)
        let members = rule?["properties"]?.objectValue?.members.map(\.key)
        #expect(members == ["name", "match", "require", "prefer", "soft", "at_close"])
        let periods = schema["properties"]?["budgets"]?["items"]?["properties"]?["per"]?["enum"]
        #expect(periods == ["hour", "day", "week", "month"])
        let app = PolicyShape.app.schema()["properties"]?.objectValue?.members.map(\.key)
        #expect(app == ["windows", "rules", "limits", "budgets", "bandwidth"])
        // The schema's rule about absent members holds: null counts as absent.
        let type = schema["properties"]?["time_zone"]?["type"]
        #expect(type == ["string", "null"])
        #expect(try Policies.read(#"{"time_zone": null, "rules": null}"#).rules.isEmpty)
    }

    private static let rich = """
        {"time_zone": "Europe/Berlin",
         "windows": {"night": ["22:00-06:00", "Sat,Sun 00:00-24:00"],
                     "office": ["Mon-Fri 08:00-18:00"]},
         "conditions": {"power_price": {"type": "number", "unit": "EUR/kWh", "default": 0.30,
                                        "ttl": "2h"},
                        "maintenance": {"type": "boolean", "default": false, "ttl": "4h"}},
         "rules": [{"name": "maintenance", "require": ["maintenance = false"], "at_close": "stop"},
           {"name": "nights", "match": {"is_discretionary": true},
            "require": ["window night"], "soft": true},
           {"name": "quiet", "match": {"is_discretionary": true},
            "require": ["load_per_core < 0.7 for 60s until > 0.9", "io_pressure < 0.2"],
            "soft": true},
           {"name": "cheap", "match": {"is_discretionary": true}, "prefer": "least power_price"},
           {"name": "big-files",
            "match": {"expected_bytes": {"min": "10GB"}, "session": "mirror-*"},
            "require": ["not window office"]}],
         "limits": {"running": 128, "per_replica": 64, "per_app": {"*": 64, "crawler": 8},
                    "per_session": 16, "per_origin": {"*": 6, "*.mirror.example": 2}},
         "budgets": [{"name": "transit", "bytes": "20TB", "per": "month", "scope": "deployment",
                      "hard": true, "pace": "even"},
                     {"name": "fair-day", "bytes": "500GB", "per": "day", "scope": "app"}],
         "bandwidth": {"deployment": "08:00,20M 22:00,off",
                       "per_class": {"discretionary": "08:00,5M 20:00,off"},
                       "per_origin": {"*.mirror.example": "2M"}},
         "shares": {"app": {"*": 1, "media": 3}, "discretionary_floor": 0.1},
         "guard": {"quantile": 0.2, "margin": "15m"}}
        """

    @Test func readsEveryMember() throws {
        let policy = try Policies.read(Self.rich)
        #expect(policy.rules.map(\.atClose) == [.stop, .stop, .stop, .stop, .finish])
        #expect(policy.rules[3].preference?.condition == "power_price")
        #expect(policy.limits.running == 128 && policy.limits.perReplica == 64)
        #expect(policy.limits.app("crawler") == 8 && policy.limits.app("other") == 64)
        #expect(policy.limits.origin("https://a.mirror.example:443") == 2)
        #expect(policy.limits.origin("https://mirror.example:443") == 6)
        #expect(policy.limits.perSession == 16 && policy.limits.session("x") == 16)
        #expect(policy.budgets.map(\.bytes) == [20_000_000_000_000, 500_000_000_000])
        #expect(policy.budgets[0].isHard && policy.budgets[0].isPaced && !policy.budgets[1].isHard)
        #expect(policy.bandwidth.timetable(of: .discretionary) != nil)
        #expect(policy.bandwidth.timetable(of: .normal) == nil)
        #expect(policy.condition("power_price")?.ttl == .seconds(7200))
        #expect(policy.deadlines.quantile == 0.2 && policy.deadlines.margin == .seconds(900))
        #expect(policy.shares.discretionaryFloor == 0.1)
    }

    /// Documents with one thing changed are read or refused, each in time linear in its length.
    @Test func anyDocumentIsJudgedAtLinearCost() throws {
        var random = SeededRandom(seed: 1207)
        let good = try JSON.parse(Self.rich)
        var refused = 0
        for _ in 0..<3000 {
            let document = good.mutated(using: &random)
            let work = Mutex(0)
            let reading = WorkMeter.$current.withValue({ steps in work.withLock { $0 += steps } }) {
                Policy.read(document, defaults: Policies.limits) { $0 == "Europe/Berlin" }
            }
            let length = document.text.utf8.count
            #expect(work.withLock { $0 } < 200 * (length + 100))
            #expect((reading.policy == nil) == reading.findings.contains { $0.level == .error })
            if reading.policy == nil { refused += 1 }
            #expect(reading.findings.allSatisfy { $0.pointer.hasPrefix("#") && !$0.detail.isEmpty })
        }
        #expect((300...2900).contains(refused))
    }

    @Test func manyFindingsAreCountedAndNotMade() throws {
        let rules = (0..<1000).map { _ in #"{"nmae": 1}"# }.joined(separator: ",")
        let reading = try Policies.reading("{\"rules\": [\(rules)]}")
        #expect(reading.errors.count == FieldErrors.listedAtMost)
        #expect(reading.errors.total == 2000)
    }
}

extension JSON {
    /// A copy with one value removed, replaced or misspelt somewhere.
    fileprivate func mutated(using random: inout SeededRandom) -> JSON {
        let goesDeeper = !random.isOne(in: 4)
        switch self {
        case .object(let object) where goesDeeper && !object.isEmpty:
            let place = Int.random(in: 0..<object.count, using: &random)
            var members = object.members.map { ($0.key, $0.value) }
            switch Int.random(in: 0..<8, using: &random) {
            case 0: members.remove(at: place)
            case 1: members[place].0 = members[place].0.mutated(using: &random)
            default: members[place].1 = members[place].1.mutated(using: &random)
            }
            var seen: Set<String> = []
            return .object(JSONObject(members: members.filter { seen.insert($0.0).inserted }))
        case .array(var items) where goesDeeper && !items.isEmpty:
            let place = Int.random(in: 0..<items.count, using: &random)
            items[place] = items[place].mutated(using: &random)
            return .array(items)
        case .string(let text) where goesDeeper: return .string(text.mutated(using: &random))
        default:
            let values: [JSON] = [
                nil, true, -1, 0, 1.5, 1e300, "", "window night", "*", [], [:], ["a": nil],
                .string(String(repeating: "a", count: 5000)),
            ]
            return values[Int.random(in: 0..<values.count, using: &random)]
        }
    }
}

extension String {
    fileprivate func mutated(using random: inout SeededRandom) -> String {
        var characters = Array(self)
        let place = Int.random(in: 0...characters.count, using: &random)
        let pool = Array("a0 .<>=!{},:-*_é\u{1}")
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where place < characters.count: characters.remove(at: place)
        case 1 where place < characters.count:
            characters[place] = pool[Int.random(in: 0..<pool.count, using: &random)]
        default:
            characters.insert(pool[Int.random(in: 0..<pool.count, using: &random)], at: place)
        }
        return String(characters)
    }
}
