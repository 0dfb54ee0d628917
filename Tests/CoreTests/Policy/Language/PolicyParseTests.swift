// The operator's document: good ones read, bad ones refused member by member.
import Base
import Scheduling
import Testing

@Suite struct PolicyParseTests {
    private static let good = """
        {"time_zone": "Europe/Berlin",
         "windows": {"night": ["Mon-Fri 22:00-06:00", "Sat-Sun 00:00-24:00"],
                     "noon": ["12:00-13:00"]},
         "rules": [
            {"name": "discretionary-at-night", "match": {"is_discretionary": true},
             "require": ["window night"], "soft": false},
            {"name": "backups", "match": {"session": "backup"},
             "require": ["window night", "window noon"]},
            {"name": "all", "require": ["window night"]}],
         "limits": {"running": 32, "per_origin": 4, "per_session": 8}}
        """

    @Test func readsAGoodDocument() throws {
        let policy = try Policies.read(Self.good)
        #expect(policy.timeZone == "Europe/Berlin")
        #expect(policy.windows.map(\.name) == ["night", "noon"])
        #expect(policy.window("night")?.windows.count == 2)
        #expect(policy.window("day") == nil)
        #expect(
            policy.rules.map(\.name) == ["discretionary-at-night", "backups", "all"])
        #expect(
            policy.rules.map { $0.requirements.map(\.description) } == [
                ["window night"], ["window night", "window noon"], ["window night"],
            ])
        #expect(policy.limits == PolicyLimits(running: 32, perOrigin: 4, perSession: 8))
        #expect(policy.document == (try JSON.parse(Self.good)).objectValue)
    }

    @Test func anEmptyDocumentTakesTheDefaults() throws {
        let policy = try Policies.read("{}")
        #expect(policy == Policy(limits: Policies.limits))
        #expect(policy.timeZone == "UTC")
        let partly = try Policies.read(
            #"{"limits": {"per_origin": 1}, "windows": {}, "rules": []}"#)
        #expect(partly.limits == PolicyLimits(running: 64, perOrigin: 1, perSession: 16))
        #expect(partly != policy)
    }

    @Test(arguments: [
        (0, true, "x", true), (0, false, "x", false), (1, true, "backup", true),
        (1, false, "backup", true), (1, true, "x", false), (2, false, "x", true),
    ])
    func rulesMatch(
        _ rule: Int, _ isDiscretionary: Bool, _ session: String, _ matches: Bool
    ) throws {
        let rule = try Policies.read(Self.good).rules[rule]
        var candidate = Policies.candidate()
        candidate.isDiscretionary = isDiscretionary
        candidate.session = session
        #expect(rule.match.judge(candidate).truth == (matches ? .met : .unmet))
    }

    private static let bad: [(String, [String])] = [
        ("[]", ["#"]), ("null", ["#"]),
        (#"{"time_zone": "Mars/Olympus"}"#, ["#/time_zone"]),
        (#"{"time_zone": 1}"#, ["#/time_zone"]),
        (#"{"windows": []}"#, ["#/windows"]),
        (#"{"windows": {"n": "22:00-06:00"}}"#, ["#/windows/n"]),
        (#"{"windows": {"n": []}}"#, ["#/windows/n"]),
        (#"{"windows": {"n": null}}"#, ["#/windows/n"]),
        (#"{"windows": {"n": ["noon"]}}"#, ["#/windows/n/0"]),
        (#"{"windows": {"n": ["10:00-11:00", 1]}}"#, ["#/windows/n/1"]),
        (
            #"{"windows": {"a": 1, "b": null, "c d": []}}"#,
            ["#/windows/a", "#/windows/b", "#/windows/c%20d"]
        ),
        (#"{"rules": {}}"#, ["#/rules"]), (#"{"rules": [1]}"#, ["#/rules/0"]),
        (#"{"rules": [{}]}"#, ["#/rules/0/name"]),
        (#"{"rules": [{"name": "a"}]}"#, ["#/rules/0/require"]),
        (#"{"rules": [{"name": "", "require": []}]}"#, ["#/rules/0/name", "#/rules/0/require"]),
        (#"{"rules": [{"name": "a", "require": "window n"}]}"#, ["#/rules/0/require"]),
        (#"{"rules": [{"name": "a", "require": ["window n"]}]}"#, ["#/rules/0/require/0"]),
        (#"{"rules": [{"name": "a", "require": ["price < 0.7"]}]}"#, ["#/rules/0/require/0"]),
        (#"{"rules": [{"name": "a", "require": ["window"]}]}"#, ["#/rules/0/require/0"]),
        (
            #"{"rules": [{"name": "a", "at_close": "halt", "prefer": 1}]}"#,
            ["#/rules/0/prefer", "#/rules/0/at_close"]
        ),
        (#"{"rules": [{"name": "a", "prefer": "cheap"}]}"#, ["#/rules/0/prefer"]),
        (#"{"rules": [{"name": "a", "prefer": "least price"}]}"#, ["#/rules/0/prefer"]),
        (#"{"rules": [{"name": "a", "prefer": "least power"}]}"#, ["#/rules/0/prefer"]),
        (#"{"limits": []}"#, ["#/limits"]),
        (
            #"{"limits": {"running": 0, "per_origin": 10001, "per_session": "2", "each": 1}}"#,
            [
                "#/limits/running", "#/limits/per_session", "#/limits/per_origin", "#/limits/each",
            ]
        ),
        (
            #"{"limits": {"per_origin": {"a/b": 1, "*": 0}, "per_session": {"a b": 1}}}"#,
            ["#/limits/per_session/a%20b", "#/limits/per_origin/a~1b", "#/limits/per_origin/*"]
        ),
        (
            #"{"conditions": [], "budgets": {}, "bandwidth": "0:00,off", "price": 1}"#,
            ["#/conditions", "#/budgets", "#/bandwidth", "#/price"]
        ),
        (
            #"{"conditions": {"power": {"type": "boolean"}, "a": {"type": "integer"}}}"#,
            ["#/conditions/a/type"]
        ),
        (
            #"{"conditions": {"power": {"type": "boolean"}, "w": {"type": "word"},"#
                + #""n": {"type": "number", "default": true, "words": ["a"]},"#
                + #""b": {"type": "boolean", "ttl": "0s"}}}"#,
            [
                "#/conditions/power", "#/conditions/w/words", "#/conditions/n/words",
                "#/conditions/n/default", "#/conditions/b/ttl",
            ]
        ),
        (
            #"{"budgets": [{"name": "a", "bytes": "0", "per": "day", "scope": "app"},"#
                + #"{"name": "a", "bytes": 1, "per": "day", "scope": "app"}]}"#,
            ["#/budgets/0/bytes", "#/budgets/1/name"]
        ),
        (
            #"{"budgets": [{"name": "a", "bytes": -1, "per": "year"}]}"#,
            ["#/budgets/0/bytes", "#/budgets/0/per", "#/budgets/0/scope"]
        ),
        (
            #"{"shares": {"app": {"a": 0}}, "guard": {"quantile": 1, "margin": "soon"}}"#,
            ["#/shares/app/a", "#/guard/quantile", "#/guard/margin"]
        ),
    ]

    private func findings(_ text: String) throws -> [FieldError] {
        let result = Policy.parse(try JSON.parse(text), defaults: Policies.limits) {
            $0 == "Europe/Berlin"
        }
        guard case .failure(let errors) = result else { return [] }
        return errors.list
    }

    @Test(arguments: bad)
    func refusesWithPointers(_ text: String, _ pointers: [String]) throws {
        let findings = try findings(text)
        #expect(findings.map(\.pointer) == pointers)
        #expect(findings.allSatisfy { !$0.detail.isEmpty })
    }

    private static let windows = #""windows": {"n": ["22:00-06:00"]}"#

    @Test(arguments: [
        (#""match": [], "require": ["window n"]"#, ["#/rules/0/match"]),
        (
            #""match": {"is_discretionary": 1}, "require": ["window n"]"#,
            ["#/rules/0/match/is_discretionary"]
        ),
        (
            #""match": {"session": 1, "origin": "x/y"}, "require": ["window n"]"#,
            ["#/rules/0/match/session", "#/rules/0/match/origin"]
        ),
        (
            #""match": {"expected_bytes": {"min": "2GB", "max": "1GB"}}, "require": ["window n"]"#,
            ["#/rules/0/match"]
        ),
        (#""soft": 1, "require": ["window n"]"#, ["#/rules/0/soft"]),
        (#""require": ["window n", 2]"#, ["#/rules/0/require/1"]),
        (#""require": ["window n"], "when": 1"#, ["#/rules/0/when"]),
    ])
    func refusesRules(_ members: String, _ pointers: [String]) throws {
        let text = "{\(Self.windows), \"rules\": [{\"name\": \"a\", \(members)}]}"
        #expect(try findings(text).map(\.pointer) == pointers)
    }

    @Test func ruleNamesAreUnique() throws {
        let rule = #"{"name": "a", "require": ["window n"]}"#
        let text = "{\(Self.windows), \"rules\": [\(rule), \(rule)]}"
        #expect(try findings(text).map(\.pointer) == ["#/rules/1/name"])
    }

    @Test func invalidWindowIsNotReportedAsMissing() throws {
        let text = #"{"windows": {"n": ["x"]}, "rules": [{"name": "a", "require": ["window n"]}]}"#
        #expect(try findings(text).map(\.pointer) == ["#/windows/n/0"])
    }

    @Test func listsAreBounded() throws {
        let windows = (0..<65).map { "\"w\($0)\": [\"10:00-11:00\"]" }.joined(separator: ",")
        #expect(try findings("{\"windows\": {\(windows)}}").map(\.pointer) == ["#/windows"])
        let rules = (0..<1001).map { "{\"name\": \"r\($0)\", \"require\": [\"window n\"]}" }
        let text = "{\(Self.windows), \"rules\": [\(rules.joined(separator: ","))]}"
        #expect(try findings(text).map(\.pointer) == ["#/rules"])
    }
}
