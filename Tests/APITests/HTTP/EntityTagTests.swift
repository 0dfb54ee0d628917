// Tags, and the conditions that name them.
import Testing

@testable import API

@Suite struct EntityTagTests {
    @Test(
        arguments: [
            ("\"a\"", [EntityTag.strong("a")]),
            ("W/\"a\"", [.weak("a")]),
            ("\"a\", W/\"b\" ,\"\"", [.strong("a"), .weak("b"), .strong("")]),
            (",\"a\",,", [.strong("a")]), (" ,\t, \"a\"\t,", [.strong("a")]),
            ("\"a,b\"", [.strong("a,b")]), ("\"a\\\"", [.strong("a\\")]),
            ("\"W/\"", [.strong("W/")]), ("", []), (",", []), (" \t", []),
        ])
    func lists(_ text: String, _ tags: [EntityTag]) {
        #expect(EntityTagCondition.read([text]) == .tags(tags))
    }

    @Test(
        arguments: [
            "a", "\"a", "w/\"a\"", "W /\"a\"", "\"a\"b", "\"a\" \"b\"", "\"a\"\"b\"", "*, \"a\"",
            "**", "*,*", "\"a b\"", "\"a\"; q=1", "W/", "W/a", "\"a\",b", "\"\u{7f}\"", "\"a\tb\"",
        ])
    func refusesInvalidTagLists(_ text: String) {
        #expect(EntityTagCondition.read([text]) == .unreadable)
        #expect(EntityTagCondition.read(["\"x\"", text]) == .unreadable)
        #expect(EntityTagCondition.read([text])?.matchesWeakly(.strong("a")) == false)
    }

    @Test func absenceAndAny() {
        #expect(EntityTagCondition.read([]) == nil)
        #expect(EntityTagCondition.read([" * "]) == .any)
        #expect(
            EntityTagCondition.read(["\"a\"", "\"b\""]) == .tags([.strong("a"), .strong("b")]))
    }

    @Test func comparison() {
        let weak = EntityTagCondition.tags([.weak("1")])
        let strong = EntityTagCondition.tags([.strong("1")])
        #expect(weak.matchesWeakly(.strong("1")) && strong.matchesWeakly(.weak("1")))
        #expect(!weak.matchesStrongly(.strong("1")) && !strong.matchesStrongly(.weak("1")))
        #expect(strong.matchesStrongly(.strong("1")) && !strong.matchesStrongly(.strong("2")))
        #expect(EntityTagCondition.any.matchesStrongly(.weak("1")))
    }

    @Test func moreThan64TagsMatchNothing() {
        let text = Array(repeating: "\"a\"", count: 65).joined(separator: ",")
        #expect(EntityTagCondition.read([text]) == .unreadable)
        let fewer = Array(repeating: "\"a\"", count: 64).joined(separator: ",")
        #expect(EntityTagCondition.read([fewer])?.matchesStrongly(.strong("a")) == true)
    }
}
