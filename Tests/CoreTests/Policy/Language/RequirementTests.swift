// The grammar of requirements: each production with its neighbours, and texts that resemble it.
import Base
import Testing

@testable import Scheduling

@Suite struct RequirementTests {
    private static let names = Requirement.Names(
        windows: ["night", "office"],
        conditions: Dictionary(
            uniqueKeysWithValues: (BuiltInCondition.allCases.map(\.declaration) + [
                ConditionDeclaration(name: "price", type: .number),
                ConditionDeclaration(name: "hold", type: .boolean),
                ConditionDeclaration(name: "mode", type: .word(["eco", "full"])),
            ]).map { ($0.name, $0) }))

    @Test(arguments: [
        ("window night", "window night"), ("  window   night ", "window night"),
        ("not window office", "not window office"),
        ("load_per_core < 0.7", "load_per_core < 0.7"),
        ("load_per_core<0.7", "load_per_core < 0.7"),
        ("load_per_core <= 1", "load_per_core <= 1"), ("price > -0.5", "price > -0.5"),
        ("price >= 1e-1", "price >= 0.1"), ("price = 0", "price = 0"),
        ("price != 3", "price != 3"), ("price in {1, 2,3}", "price in {1, 2, 3}"),
        ("price in{1}", "price in {1}"),
        ("disk_free_bytes > 50GB", "disk_free_bytes > 50000000000"),
        ("hold = false", "hold = false"), ("mode in {eco, full}", "mode in {eco, full}"),
        ("power != battery", "power != battery"),
        ("price < 1 for 60s", "price < 1 for 1m"), ("price < 1 for 0s", "price < 1"),
        ("price < 1 until > 2", "price < 1 until > 2"),
        ("price < 1 until >= 1", "price < 1 until >= 1"),
        ("price <= 1 until > 1", "price <= 1 until > 1"),
        ("price > 2 for 1h30m until < 1", "price > 2 for 1h30m until < 1"),
    ])
    func readsAndWritesOneSpelling(_ text: String, _ spelling: String) throws {
        let requirement = try Requirement(parsing: text, Self.names)
        #expect(requirement.description == spelling)
        #expect(try Requirement(parsing: spelling, Self.names) == requirement)
    }

    @Test(arguments: [
        ("window", nil as String?), ("window night office", nil), ("window nigth", "night"),
        ("windw night", "window"), ("not", nil), ("not price < 1", nil),
        ("not not window night", nil),
        ("", nil), ("price", nil), ("price <", nil), ("price << 1", nil), ("price == 1", nil),
        ("price =< 1", nil), ("price < cheap", nil), ("price < nan", nil), ("price < inf", nil),
        ("price < 0x10", nil), ("price < 1,5", nil), ("pric < 1", "price"), ("xyzzy < 1", nil),
        ("lod_per_core < 1", "load_per_core"), ("hold < 1", nil), ("hold = 1", nil),
        ("hold = flase", "false"), ("mode = ecco", "eco"), ("mode > eco", nil),
        ("price in 1", nil), ("price in {}", nil), ("price in {1", nil), ("price in {1,}", nil),
        ("price < 1 for", nil), ("price < 1 for 60", nil), ("price < 1 for 2d", nil),
        ("price < 1 fro 60s", "for"), ("price < 1 untill > 2", "until"), ("price < 1 until", nil),
        ("price < 1 until 2", nil), ("price < 1 until > 0.5", nil), ("price < 1 until < 2", nil),
        ("price <= 1 until >= 1", nil), ("price = 1 until > 2", nil), ("price < 1 until != 2", nil),
        ("price < 1 until > 2 for 60s", nil), ("window night for 60s", nil), ("price < 1 2", nil),
    ])
    func refusesWithTheNearestWord(_ text: String, _ suggestion: String?) {
        do throws(Requirement.Fault) {
            let requirement = try Requirement(parsing: text, Self.names)
            Issue.record("\(text) was read as \(requirement)")
        } catch {
            #expect(!error.detail.isEmpty)
            #expect(error.suggestion == suggestion, "\(text): \(error.detail)")
        }
    }

    @Test(arguments: [
        ("<", 1.0, [0.9], [1.0, 1.1]), ("<=", 1, [0.9, 1], [1.1]), (">", 1, [1.1], [1, 0.9]),
        (">=", 1, [1, 1.1], [0.9]), ("=", 1, [1], [0.9, 1.1]), ("!=", 1, [0.9, 1.1], [1]),
    ])
    func comparesNumbers(_ sign: String, _ value: Double, _ met: [Double], _ unmet: [Double]) throws
    {
        let comparison = Comparison(
            comparator: try #require(Comparison.Operator(rawValue: sign)), values: [.number(value)])
        #expect(met.allSatisfy { comparison.holds(.number($0)) })
        #expect(unmet.allSatisfy { !comparison.holds(.number($0)) })
        #expect(!comparison.holds(.flag(true)) || sign == "!=")
    }

    @Test func kleenesLogicKeepsTheUnknown() {
        let all: [Truth] = [.met, .unmet, .unknown]
        for left in all {
            #expect(left.negated.negated == left)
            for right in all {
                #expect(left.and(right) == right.and(left))
                let isUnmet = left == .unmet || right == .unmet
                let isMet = left == .met && right == .met
                #expect(left.and(right) == (isUnmet ? .unmet : isMet ? .met : .unknown))
            }
        }
    }

    @Test(arguments: [
        ("window", ["windows", "rules"], "windows"), ("ruels", ["windows", "rules"], "rules"),
        ("xyz", ["windows", "rules"], nil as String?), ("", ["a"], nil), ("ab", ["cd"], nil),
        ("limit", ["limits", "limes"], "limits"), (String(repeating: "a", count: 65), ["a"], nil),
        ("per_orgin", ["per_origin", "per_session"], "per_origin"),
    ])
    func nearestWordForgivesTwoSlips(_ word: String, _ known: [String], _ nearest: String?) {
        #expect(NearestWord.of(word, among: known) == nearest)
    }

    @Test(arguments: [
        ("a*c", ["ac", "abc", "a*c"], ["ab", "xac", "acx"]), ("*", ["", "x"], []),
        ("a", ["a"], ["", "aa"]), ("*b*", ["b", "abc"], ["", "ac"]), ("", [""], ["a"]),
        ("a*a", ["aa", "aba"], ["a"]), ("*ab*ab", ["abab", "xabyab"], ["ab", "aab"]),
    ])
    func globsMatchWholeTexts(_ pattern: String, _ yes: [String], _ no: [String]) {
        #expect(yes.allSatisfy { Glob(pattern).matches($0) })
        #expect(no.allSatisfy { !Glob(pattern).matches($0) })
    }
}
