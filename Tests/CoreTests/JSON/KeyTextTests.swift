// Keys are compared by their bytes wherever text is a key.
import Base
import Downloads
import Testing

@testable import Scheduling

/// Two texts that `String` calls equal and the database calls different.
struct AlikePair: Sendable, CustomTestStringConvertible {
    let one: String
    let other: String

    var testDescription: String { "\(Array(one.utf8)) \(Array(other.utf8))" }

    /// Composed and decomposed letters, signs that are another letter's twin, marks in another
    /// order, syllables, and each of these within a longer text.
    static let all: [AlikePair] = {
        let pairs = [
            ("zo\u{e9}", "zoe\u{301}"), ("\u{212a}", "K"), ("\u{212b}", "\u{c5}"),
            ("\u{2126}", "\u{3a9}"), ("\u{1fef}", "`"), ("\u{ac00}", "\u{1100}\u{1161}"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{1e9b}\u{323}", "\u{17f}\u{323}\u{307}"),
        ]
        return pairs.flatMap { one, other in
            ["", "a-"].flatMap { front in
                ["", ".b"].map { AlikePair(one: front + one + $0, other: front + other + $0) }
            }
        }
    }()
}

@Suite struct KeyTextTests {
    @Test(arguments: AlikePair.all)
    func textsWithOtherBytesAreOtherKeys(_ pair: AlikePair) {
        #expect(pair.one == pair.other, "String calls them equal")
        let (one, other) = (KeyText(pair.one), KeyText(pair.other))
        #expect(one != other && one == KeyText(pair.one))
        #expect((one < other) != (other < one) && !(one < one))
        #expect(Set([one, other, one]).count == 2)
        var places = [one: 1]
        places[other] = 2
        #expect(places[one] == 1 && places[other] == 2)
        #expect([other, one].sorted() == [one, other].sorted())
    }

    /// Members whose names differ in bytes are different members of requests and of the objects
    /// they merge.
    @Test(arguments: AlikePair.all)
    func membersOfObjectsAreOtherMembers(_ pair: AlikePair) throws {
        let text = "{\"\(pair.one)\":1,\"\(pair.other)\":2}"
        let object = try #require(try JSON.parse(Array(text.utf8)).objectValue)
        #expect(object.count == 2 && object[pair.one] == 1 && object[pair.other] == 2)
        let removed = JSON.object(object).merging(.object(JSONObject(members: [(pair.one, .null)])))
        #expect(removed.objectValue?.count == 1 && removed[pair.other] == 2)
    }

    private static func document(_ pair: AlikePair) -> JSON {
        func rule(_ name: String) -> JSON {
            [
                "name": .string(name), "require": ["window night"],
                "match": ["metadata": .object(JSONObject(members: [(name, "x")]))],
            ]
        }
        func budget(_ name: String) -> JSON {
            ["name": .string(name), "bytes": "1GB", "per": "day", "scope": "deployment"]
        }
        return [
            "windows": ["night": ["22:00-06:00"]],
            "rules": [rule(pair.one), rule(pair.other)],
            "budgets": [budget(pair.one), budget(pair.other)],
            "limits": [
                "per_app": .object(JSONObject(members: [(pair.one, 2), (pair.other, 3)]))
            ],
        ]
    }

    @Test(arguments: AlikePair.all)
    func rulesBudgetsAndMetadataOfAPolicyAreToldApart(_ pair: AlikePair) throws {
        let policy = try Policy.parse(Self.document(pair), defaults: Policies.limits) { _ in true }
            .get()
        #expect(policy.limits.app(pair.one) == 2 && policy.limits.app(pair.other) == 3)
        let first = try #require(policy.budget(pair.one))
        let second = try #require(policy.budget(pair.other))
        #expect(Array(first.name.utf8) == Array(pair.one.utf8))
        #expect(Array(second.name.utf8) == Array(pair.other.utf8))
        // Downloads with the one facet or the other are in different lanes.
        let facets = [pair.one, pair.other].map {
            policy.facets.facet(
                expectedBytes: nil, metadata: JSONObject(members: [($0, .string("x"))]))
        }
        #expect(facets[0] != facets[1] && Set(facets).count == 2)
        #expect(facets.allSatisfy { policy.facets.makes($0) && Facet(text: $0.text) == $0 })
        for (facet, holds) in zip(facets, [pair.one, pair.other]) {
            let known = facet.predicates.filter(\.holds).map(\.key)
            #expect(known == [KeyText(holds)])
        }
    }

    @Test(arguments: AlikePair.all)
    func appsHaveTheirOwnPolicies(_ pair: AlikePair) throws {
        let base = try Policies.read("{}")
        func own(_ limit: Int) throws -> Policy {
            let document: JSON = [
                "windows": ["lunch": ["12:00-13:00"]],
                "rules": [["name": "r\(limit)", "require": ["window lunch"]]],
                "limits": ["per_app": .integer(Int64(limit))], "bandwidth": "\(limit)M",
            ]
            let app = limit == 2 ? pair.one : pair.other
            return try #require(
                Policy.read(document, of: app, over: base) { _ in true }.policy)
        }
        let policy = base.adding([KeyText(pair.one): try own(2), KeyText(pair.other): try own(3)])
        #expect(policy.apps.count == 2 && policy.appWindows.count == 2)
        for (app, limit) in [(pair.one, 2), (pair.other, 3)] {
            #expect(policy.rules(of: app).map(\.name) == ["r\(limit)"])
            #expect(policy.limits.app(app) == limit)
            #expect(policy.window(KeyText("\(app)/lunch")) != nil)
        }
        let windows = policy.allRules.flatMap(\.requirements)
        #expect(Set(windows).count == 2)
    }

    @Test(arguments: AlikePair.all)
    func countersOfBudgetsAreOtherCounters(_ pair: AlikePair) {
        let keys = [
            BudgetKey(owner: pair.one, budget: "b"), BudgetKey(owner: pair.other, budget: "b"),
            BudgetKey(budget: pair.one), BudgetKey(budget: pair.other),
            BudgetKey(budget: "b", value: pair.one), BudgetKey(budget: "b", value: pair.other),
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: AlikePair.all)
    func foldersBelongToOneApp(_ pair: AlikePair) throws {
        let folders = try AllowedPlaces.parse("m@\(pair.one)=/a,m@\(pair.other)=/b")
        #expect(folders.find("m", app: pair.one)?.folder?.path == "/a")
        #expect(folders.find("m", app: pair.other)?.folder?.path == "/b")
        let alone = try AllowedPlaces.parse("m@\(pair.one)=/a")
        #expect(alone.find("m", app: pair.other) == nil)
        #expect(try AllowedPlaces.parse("K=/a").find("\u{212a}", app: "a") == nil)
    }
}
