// JSON values: written, compared and searched.
import Base
import Testing

@Suite struct JSONTests {
    @Test(
        arguments: [
            (JSON.null, "null"), (true, "true"), (.integer(.min), "-9223372036854775808"),
            (.number(0.1), "0.1"), (.number(1), "1.0"), (.number(-0.0), "-0.0"),
            (.number(.leastNonzeroMagnitude), "5e-324"), (.number(1e300), "1e+300"),
            (.number(.infinity), "null"),
            (.number(.nan), "null"), ("a/b", #""a/b""#),
            ("\"\\\u{8}\u{c}\n\r\t", #""\"\\\b\f\n\r\t""#),
            ("\u{0}\u{1f}\u{7f}", "\"\\u0000\\u001f\u{7f}\""),
            ("aé€😀b", #""a\u00e9\u20ac\ud83d\ude00b""#),
            ("é", #""\u00e9""#), ([], "[]"), ([1, "a", nil], #"[1,"a",null]"#), ([:], "{}"),
            (["b": 1, "a": [:]], #"{"b":1,"a":{}}"#), (["é\"": 0], #"{"\u00e9\"":0}"#),
        ] as [(JSON, String)])
    func writes(_ value: JSON, _ expected: String) {
        #expect(value.text == expected)
    }

    @Test func writesEveryPlaneOfUnicode() throws {
        let text = String(
            String.UnicodeScalarView(
                stride(from: UInt32(0), through: 0x10_ffff, by: 97).compactMap(Unicode.Scalar.init))
        )
        let written = JSON.string(text).serialized()
        #expect(written.allSatisfy { $0 < 0x80 })
        #expect(try JSON.parse(written).stringValue?.utf8.elementsEqual(text.utf8) == true)
    }

    @Test func readsBackDoublesExactly() throws {
        var bits: UInt64 = 1
        for _ in 0..<5000 {
            bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let value = Double(bitPattern: bits)
            guard value.isFinite else { continue }
            #expect(try JSON.parse(JSON.number(value).text).doubleValue == value)
        }
    }

    @Test func comparesKindAndBytes() {
        #expect(JSON.integer(1) != .number(1))
        #expect(JSON.string("\u{e9}") != .string("e\u{301}"))
        #expect(["a": 1, "b": 2] as JSON == ["b": 2, "a": 1])
        #expect(["a": 1, "b": 2] as JSON != ["b": 1, "a": 2])
        #expect(["a": 1] as JSON != ["a": 1, "b": 2])
        #expect(JSON.array([]) != .object([:]))
    }

    @Test func readsNestedMembers() {
        let value: JSON = ["n": 3.0, "list": ["a", true], "o": ["x": nil]]
        #expect(value["n"]?.integerValue == 3)
        #expect(JSON.number(3.5).integerValue == nil)
        #expect(JSON.number(1e30).integerValue == nil)
        #expect(value["list"]?[0]?.stringValue == "a")
        #expect(value["list"]?[1]?.boolValue == true)
        #expect(value["list"]?[2] == nil)
        #expect(value["list"]?[-1] == nil)
        #expect(value["o"]?["x"]?.isNull == true)
        #expect(value["o"]?["y"] == nil)
        #expect(JSON.string("1").integerValue == nil)
        #expect(JSON.integer(2).doubleValue == 2)
    }

    @Test func keepsTheOrderOfMembers() {
        var object: JSONObject = ["a": 1, "b": 2]
        object["c"] = 3
        object["a"] = "new"
        object["b"] = nil
        object["none"] = nil
        object.append("d", true)
        object.append("e", ifPresent: nil)
        #expect(object.members.map(\.key) == ["a", "c", "d"])
        #expect(JSON.object(object).text == #"{"a":"new","c":3,"d":true}"#)
        #expect(object.serialized() == JSON.object(object).serialized())
        object["n"] = JSON.null
        #expect(object["n"] == .null)
    }
}
