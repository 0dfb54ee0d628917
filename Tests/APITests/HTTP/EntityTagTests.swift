// Tags, and the conditions that name them.
import Testing

@testable import API

@Suite struct EntityTagTests {
    @Test(
        arguments: [
            ("\"a\"", [EntityTag.strong("a")]),
            ("W/\"a\"", [.weak("a")]),
            ("\"a\", W/\"b\" ,\"\"", [.strong("a"), .weak("b"), .strong("")]),
            (",\"a\",,", [.strong("a")]),
            ("\"a,b\"", [.strong("a,b")]),
            ("a", []), ("\"a", []), ("w/\"a\"", []), ("\"a\"b", []), ("", []), ("*, \"a\"", []),
        ])
    func lists(_ text: String, _ tags: [EntityTag]) {
        #expect(EntityTagCondition.read([text]) == .tags(tags))
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

    @Test func tooManyTagsMatchNothing() {
        let text = Array(repeating: "\"a\"", count: 65).joined(separator: ",")
        #expect(EntityTagCondition.read([text]) == .tags([]))
    }
}
