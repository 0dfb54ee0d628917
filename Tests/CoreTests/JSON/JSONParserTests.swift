// Strict reading: texts that are accepted, texts that are refused, and the place of the fault.
import Base
import Testing

@Suite struct JSONParserTests {
    @Test(
        arguments: [
            ("null", JSON.null), (" true ", true), ("false", false), ("0", 0), ("-0", 0),
            ("-1", -1), ("1.0", 1.0), ("1e2", 100.0), ("1E-2", 0.01), ("2.5e+3", 2500.0),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
            ("123456789012345678901234567890", .number(1.2345678901234568e29)),
            ("1e-400", 0.0), ("\"\"", ""), ("\"a/b\"", "a/b"), ("\"\u{7f}\"", "\u{7f}"),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83d\ude00""#, "😀"), ("\"é😀\"", "é😀"), (#""\u0000""#, "\u{0}"),
            ("[]", []), ("[1,[2,[]]]", [1, [2, []]]), ("{}", [:]), ("\t\r\n [ 1 , 2 ] ", [1, 2]),
            (#"{"a":1,"b":{"a":null}}"#, ["a": 1, "b": ["a": nil]]), (#"{"":0}"#, ["": 0]),
            // Canonically equal texts with different bytes are two keys.
            (#"{"\u00e9":1,"e\u0301":2}"#, ["\u{e9}": 1, "e\u{301}": 2]),
        ] as [(String, JSON)])
    func accepts(_ text: String, _ expected: JSON) throws {
        #expect(try JSON.parse(text) == expected)
    }

    @Test(arguments: [
        ("", 0), (" ", 1), ("nul", 0), ("nulL", 0), ("True", 0), ("NaN", 0), ("Infinity", 0),
        ("01", 0), ("-", 1), ("-a", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1.e1", 2), ("1e", 2),
        ("1e+", 3), ("-01", 0), ("0x10", 1), ("1e400", 0), ("1 2", 2), ("[1,]", 3), ("[,1]", 1),
        ("[1", 2), ("[1 2]", 3), ("]", 0), ("{", 1), (#"{"a"}"#, 4), (#"{"a":}"#, 5),
        (#"{"a":1,}"#, 7), (#"{a:1}"#, 1), (#"{"a":1 "b":2}"#, 7), (#"{'a':1}"#, 1),
        ("\"a", 2), ("\"a\nb\"", 2), ("\"\t\"", 1), (#""\x""#, 1), (#""\u12""#, 5),
        (#""\u12g4""#, 5), (#""\ud83d""#, 1), (#""\ud83dx""#, 1), (#""\ud83d\n""#, 1),
        (#""\ud83d\ud83d""#, 1), (#""\ude00""#, 1), (#""a\ud83d\u0041""#, 2),
        ("[1]//", 3), ("/**/1", 0), ("\"a\"\u{0}", 3), ("\u{0}", 0), ("[1}", 2), ("\u{a0}1", 0),
    ])
    func refuses(_ text: String, at offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
        #expect(error?.offset == offset, "\(error?.message ?? "")")
    }

    @Test(
        arguments: [
            ([0xff], 0), ([0x22, 0x61, 0xc3, 0x22], 2), ([0x22, 0xc0, 0xaf, 0x22], 1),
            ([0x22, 0xed, 0xa0, 0x80, 0x22], 1), ([0x22, 0xf5, 0x80, 0x80, 0x80, 0x22], 1),
            ([0x22, 0x5c, 0x6e, 0xe2, 0x82, 0x22], 3), ([0xef, 0xbb, 0xbf, 0x31], 0),
            ([0xfe, 0xff, 0x00, 0x31], 0),
        ] as [([UInt8], Int)])
    func refusesBytesThatAreNotUTF8(_ bytes: [UInt8], at offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSON.parse(bytes) }
        #expect(error?.offset == offset, "\(error?.message ?? "")")
    }

    @Test func refusesDuplicateKeys() {
        let error = #expect(throws: JSONError.self) { try JSON.parse(#"{"a":1,"\u0061":2}"#) }
        #expect(error?.offset == 7)
        #expect(error?.message == #"the key "a" is given twice"#)
        let many = (0..<500).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(throws: Never.self) { try JSON.parse("{\(many)}") }
        let late = #expect(throws: JSONError.self) { try JSON.parse("{\(many),\"k7\":1}") }
        #expect(late?.offset == many.utf8.count + 2)
    }

    @Test func boundsDepthAndSize() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try JSON.parse(deep) }
        let deeper = #expect(throws: JSONError.self) { try JSON.parse("[\(deep)]") }
        #expect(deeper?.offset == 64)
        let endless = String(repeating: "[{\"a\":", count: 100_000)
        #expect(throws: JSONError.self) { try JSON.parse(endless) }
        #expect(throws: JSONError.self) { try JSON.parse("[1,2]", limits: JSONLimits(bytes: 4)) }
        #expect(try JSON.parse("[[],[]]", limits: JSONLimits(depth: 2)) == [[], []])
        let digits = String(repeating: "1", count: 2000)
        #expect(throws: JSONError.self) { try JSON.parse(digits) }
    }

    @Test func errorNamesThePosition() {
        let error = #expect(throws: JSONError.self) {
            try JSON.parse("{\n  \"é😀\": 1,\n  \"é\": x\n}")
        }
        #expect(error?.line == 3)
        #expect(error?.column == 8)
        #expect(error?.description == "a value is expected (line 3, column 8)")
        let end = #expect(throws: JSONError.self) { try JSON.parse("[1,") }
        #expect(end?.message == "a value is expected, but the text ends")
    }

    /// Whatever the bytes are, reading ends with a value or an error, and values read back.
    @Test func survivesMutations() throws {
        let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\n😀"],"b":{"c":null,"d":true}}"#.utf8)
        var state: UInt64 = 0x1234_5678
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let place = Int(state >> 33) % bytes.count
                if state >> 20 & 3 == 0 {
                    bytes.remove(at: place)
                } else {
                    bytes[place] = UInt8(truncatingIfNeeded: state >> 24)
                }
            }
            let value: JSON
            do {
                value = try JSON.parse(bytes)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                continue
            }
            #expect(try JSON.parse(value.serialized()) == value)
        }
    }
}
