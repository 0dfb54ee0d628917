// Reading stored JSON without a tree finds the values that a tree has, and survives text that is
// not JSON.
import Base
import Testing

@testable import Downloads

@Suite struct StoredJSONTests {
    private static let texts = [
        #"{"a": 1, "b": [1, 2, {"a": "]}"}], "c\"": null, "d": "x\\\"}", "e": {}, "f": []}"#,
        #"{ }"#, #"[]"#, #" [ "a" , "b,]" , [ ] , { } , -5 ] "#, #"{"a":{"a":{"a":[[[1]]]}}}"#,
        #"{"n": -9223372036854775808, "m": 9223372036854775807, "o": 9223372036854775808}"#,
        #"{"x": 3.0, "y": 3e2, "z": 1.5, "t": true, "f": false, "u": "\u00e9\ud83d\ude00é"}"#,
        #"{"a":"","b":"\\","c":"\\\\","d":"\"","e":"\u0000"}"#, #""text""#, "true", "null", "7",
    ]

    @Test(arguments: texts)
    func findsWhatTheTreeHas(text: String) throws {
        try compare(StoredJSON(text), try JSON.parse(text))
    }

    /// Members are looked for in every place, members of long objects too.
    @Test(arguments: 0..<40)
    func findsTheMembersOfLongObjects(count: Int) throws {
        let others = (0..<count).map { "\"member_\($0)\":\($0)" }
        for place in 0...count {
            var members = others
            members.insert("\"a\":[\(place)]", at: place)
            let text = "{" + members.joined(separator: ",") + "}"
            try compare(StoredJSON(text), try JSON.parse(text))
        }
    }

    private func compare(_ stored: StoredJSON, _ tree: JSON) throws {
        #expect(stored.tree == tree)
        #expect(stored.boolValue == tree.boolValue)
        #expect(stored.integerValue == tree.integerValue)
        #expect(stored.stringValue == tree.stringValue)
        #expect(stored.isNull == tree.isNull)
        #expect((stored.members == nil) == (tree.objectValue == nil))
        #expect(stored.elements?.count == tree.arrayValue?.count)
        for (one, other) in zip(stored.elements ?? [], tree.arrayValue ?? []) {
            try compare(one, other)
        }
        for name in ["a", "b", "d", "e", "f", "m", "n", "o", "t", "u", "x", "y", "z"] {
            let member = stored.members?[StaticString.named(name)]
            #expect((member == nil) == (tree[name] == nil), "\(name)")
            if let member, let other = tree[name] { try compare(member, other) }
        }
    }

    @Test(arguments: texts)
    func brokenTextsGiveNothingAndNeverTrap(text: String) {
        let bytes = Array(text.utf8)
        for place in bytes.indices {
            for byte in Array("{}[]\",:\\0-t ".utf8) + [0, 0xff] {
                var broken = bytes
                broken[place] = byte
                walk(StoredJSON(broken[...]), 0)
                walk(StoredJSON(broken[...place]), 0)
            }
        }
    }

    private func walk(_ stored: StoredJSON, _ depth: Int) {
        guard depth < 8 else { return }
        _ = (stored.boolValue, stored.integerValue, stored.stringValue, stored.isNull)
        for element in stored.elements ?? [] { walk(element, depth + 1) }
        if let members = stored.members {
            for name in ["a", "b", "d"] {
                if let member = members[StaticString.named(name)] { walk(member, depth + 1) }
            }
        }
        _ = DownloadSpec(stored: stored)
        _ = DownloadResult(stored: stored)
    }
}

extension StaticString {
    fileprivate static func named(_ name: String) -> StaticString {
        switch name {
        case "a": "a"
        case "b": "b"
        case "d": "d"
        case "e": "e"
        case "f": "f"
        case "m": "m"
        case "n": "n"
        case "o": "o"
        case "t": "t"
        case "u": "u"
        case "x": "x"
        case "y": "y"
        default: "z"
        }
    }
}
