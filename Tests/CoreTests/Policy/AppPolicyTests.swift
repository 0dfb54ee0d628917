// The rules that an app adds to the policy: a download only waits longer, never less.
import Base
import Downloads
import Scheduling
import Testing

@Suite struct AppPolicyTests {
    private static let now = Policies.instant("2026-11-22T12:00:00Z")
    private static let base = """
        {"time_zone": "UTC", "windows": {"night": ["22:00-06:00"]},
         "conditions": {"hold": {"type": "boolean", "default": false}},
         "rules": [{"name": "nights", "match": {"is_discretionary": true},
                    "require": ["window night"]},
                   {"name": "hold", "require": ["hold = false"]}],
         "limits": {"per_app": {"media": 8, "*": 20}, "per_session": 16, "per_origin": 6},
         "budgets": [{"name": "day", "bytes": "50GB", "per": "day", "scope": "deployment"}]}
        """

    private static func read(_ text: String, app: String = "media") throws -> PolicyReading {
        Policy.read(try JSON.parse(text), of: app, over: try Policies.read(base)) { $0 == "UTC" }
    }

    @Test func anAppAddsRulesWindowsLimitsRatesAndBudgets() throws {
        let own = try #require(
            try Self.read(
                """
                {"windows": {"lunch": ["12:00-13:00"]},
                 "rules": [{"name": "meals", "match": {"session": "iso"},
                            "require": ["window lunch", "not window night"]}],
                 "limits": {"per_app": 3, "per_session": {"iso": 2},
                            "per_origin": {"*.a.example": 1}},
                 "bandwidth": "0",
                 "budgets": [{"name": "hour", "bytes": "1GB", "per": "hour", "scope": "app"}]}
                """
            ).policy)
        let policy = try Policies.read(Self.base).adding(["media": own])
        #expect(policy.rules(of: "media").map(\.name) == ["nights", "hold", "meals"])
        #expect(policy.rules(of: "other").count == 2 && policy.allRules.count == 3)
        #expect(policy.limits.app("media") == 3 && policy.limits.app("other") == 20)
        #expect(policy.limits.session("iso", app: "media") == 2)
        #expect(policy.limits.session("iso", app: "other") == 16)
        #expect(policy.limits.origin("https://x.a.example:443", app: "media") == 1)
        #expect(policy.limits.origin("https://x.a.example:443", app: "other") == 6)
        let situation = Situation(now: Self.now, policy: policy, zone: .utc)
        func codes(_ app: String, at hour: Int64 = 0) -> [BlockerCode] {
            let situation = Situation(
                now: Self.now + .seconds(3600 * hour), policy: policy, zone: .utc)
            let candidate = Policies.candidate(at: situation.now) {
                $0.isDiscretionary = false
                (($0.app, $0.session), $0.priority) = ((app, "iso"), 0.5)
            }
            return Admission.policyBlockers(candidate, in: situation).map(\.code)
        }
        #expect(codes("other") == [] && codes("media") == [.bandwidthZero])
        #expect(codes("media", at: 1) == [.window, .bandwidthZero])
        let demands = Admission.budgetDemands(
            Policies.candidate(at: Self.now) { $0.app = "media" }, in: situation)
        #expect(demands.map(\.key.owner) == ["", "media"])
        #expect(demands.map(\.key.value) == ["", "media"])
    }

    /// Two apps may have windows of one name.
    @Test func windowsOfAppsAreTheirOwn() throws {
        func own(_ app: String, _ hours: String) throws -> Policy {
            try #require(
                try Self.read(
                    """
                    {"windows": {"w": ["\(hours)"]},
                     "rules": [{"name": "r", "require": ["window w"]}]}
                    """, app: app
                ).policy)
        }
        let policy = try Policies.read(Self.base).adding([
            "a": try own("a", "11:00-13:00"), "b": try own("b", "14:00-15:00"),
        ])
        let situation = Situation(now: Self.now, policy: policy, zone: .utc)
        func isOpen(_ app: String) -> Bool {
            let candidate = Policies.candidate(at: Self.now) {
                ($0.isDiscretionary, $0.app) = (false, app)
            }
            return Admission.policyBlockers(candidate, in: situation).isEmpty
        }
        #expect(isOpen("a") && !isOpen("b") && isOpen("c"))
    }

    @Test(arguments: [
        (#"{"limits": {"per_app": 8}}"#, ["#/limits/per_app"]),
        (#"{"limits": {"per_app": 7}}"#, []),
        (#"{"limits": {"per_session": 16, "per_origin": 5}}"#, ["#/limits/per_session"]),
        (#"{"limits": {"per_session": {"iso": 20}}}"#, ["#/limits/per_session/iso"]),
        (
            #"{"rules": [{"name": "x", "match": {"app": "other"}, "require": ["hold = false"]}]}"#,
            ["#/rules/0/match/app"]
        ),
        (
            #"{"budgets": [{"name": "x", "bytes": "50GB", "per": "day", "scope": "app"}]}"#,
            ["#/budgets/0/bytes"]
        ),
        (#"{"budgets": [{"name": "x", "bytes": "49GB", "per": "day", "scope": "app"}]}"#, []),
        (
            #"{"budgets":[{"name":"x","bytes":"90GB","per":"day","scope":"app","hard":true}]}"#,
            []
        ),
    ])
    func aLooserNumberHasNoEffect(_ document: String, _ pointers: [String]) throws {
        let reading = try Self.read(document)
        #expect(reading.policy != nil)
        #expect(reading.remarks.map(\.pointer) == pointers)
        #expect(reading.remarks.allSatisfy { $0.level == .noEffect })
    }

    @Test(arguments: [
        #"{"time_zone": "UTC"}"#, #"{"shares": {"app": {"media": 9}}}"#, #"{"guard": {}}"#,
        #"{"conditions": {"hold": {"type": "boolean"}}}"#, #"{"limits": {"running": 3}}"#,
        #"{"windows": {"night": ["01:00-02:00"]}}"#, #"{"bandwidth": {"per_app": "1M"}}"#,
        #"{"rules": [{"name": "x", "require": ["window noon"]}]}"#,
    ])
    func whatIsTheDeploymentsIsRefused(_ document: String) throws {
        #expect(try Self.read(document).policy == nil)
    }

    /// An app's document is refused if it needs a name that the deployment's document has no more.
    @Test func theDeploymentsDocumentHasToGoWithThoseOfItsApps() throws {
        let app = Policy.AppDocument(
            app: "media",
            document: try #require(
                JSON.parse(#"{"rules": [{"name": "x", "require": ["window night"]}]}"#)
                    .objectValue))
        func reading(_ text: String) throws -> PolicyReading {
            Policy.inForce(
                try JSON.parse(text), apps: [app], defaults: Policies.limits
            ) { $0 == "UTC" }
        }
        #expect(try reading(Self.base).policy?.rules(of: "media").count == 3)
        let refused = try reading("{}")
        #expect(refused.policy == nil && refused.errors.list.count == 1)
        #expect(refused.errors.list[0].detail.contains("\"media\""))
    }

    /// Random documents and downloads: a download that is open under both is open under the
    /// deployment's.
    @Test(arguments: 0..<200)
    func whatIsOpenWithAnAppsPolicyIsOpenWithout(_ seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
        let window = pick([#""window night""#, #""not window night""#, #""hold = false""#])
        let own = try #require(
            try Self.read(
                """
                {"rules": [{"name": "x", "match": {\(pick(["", #""session": "iso""#]))},
                            "require": [\(window)], "soft": \(random.isOne(in: 2))}],
                 "limits": {"per_app": \(Int.random(in: 1...30, using: &random)),
                            "per_origin": \(Int.random(in: 1...9, using: &random)),
                            "per_session": \(Int.random(in: 1...20, using: &random))},
                 "bandwidth": "\(pick(["0", "1M", "08:00,0 20:00,off"]))",
                 "budgets": [{"name": "x", "bytes": \(Int.random(in: 1...9_000, using: &random)),
                              "per": "\(pick(["hour", "day"]))",
                              "scope": "\(pick(["app", "session"]))"}]}
                """
            ).policy)
        let base = try Policies.read(Self.base)
        let both = base.adding(["media": own])
        for _ in 0..<20 {
            let now = Self.now + .seconds(Int64.random(in: 0..<200_000, using: &random))
            let candidate = Policies.candidate(at: now) {
                $0.isDiscretionary = random.isOne(in: 2)
                $0.app = pick(["media", "other"])
                $0.session = pick(["iso", "default"])
                $0.priority = 0.5
                $0.need = Int64.random(in: 0...9_000, using: &random)
                $0.originName = "https://a.example:443"
                $0.origin.running = Int.random(in: 0...8, using: &random)
                $0.sessionGate.running = Int.random(in: 0...18, using: &random)
                $0.appGate.running = Int.random(in: 0...22, using: &random)
            }
            func codes(_ policy: Policy) -> Set<BlockerCode> {
                Set(
                    Admission.blockers(
                        candidate, in: Situation(now: now, policy: policy, zone: .utc)
                    ).map(\.code))
            }
            let (less, more) = (codes(base), codes(both))
            #expect(less.subtracting([.slots]).isSubset(of: more), "seed \(seed)")
            if candidate.app == "other" { #expect(less == more) }
        }
    }
}
