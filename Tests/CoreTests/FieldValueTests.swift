// The values of header fields are bytes: compared, kept and shown.
import Base
import Downloads
import Testing

@Suite struct FieldValueTests {
    /// The bytes that a value may contain, except blanks (RFC 9110 section 5.5).
    private static let bytes = (UInt8(0x21)...0xff).filter { $0 != 0x7f }

    @Test func everyByteIsKeptAndShown() {
        for byte in Self.bytes {
            let value = FieldValue(bytes: [0x61, byte, 0x62])
            #expect(value.bytes == [0x61, byte, 0x62])
            #expect(value.text == "a\(Unicode.Scalar(byte))b")
            let sent = unsafe value.prefixed(by: "If-Range: ").withCString {
                unsafe Array($0.bytes(13))
            }
            #expect(sent == Array("If-Range: a".utf8) + [byte, 0x62])
        }
        #expect(FieldValue(bytes: Array("ä".utf8)).text == "ä")
    }

    @Test func valuesAreEqualWhereTheirBytesAre() {
        let values = Self.bytes.map { FieldValue(bytes: [$0]) }
        #expect(Set(values).count == values.count)
        // Spellings of one letter in two character sets, as one scalar and as two.
        let spellings: [[UInt8]] = [[0xe9], [0xc3, 0xa9], [0x65, 0xcc, 0x81]]
        #expect(Set(spellings.map { FieldValue(bytes: $0) }).count == 3)
        #expect(FieldValue(bytes: [0xc3, 0xa9]) == "\u{e9}")
    }

    @Test func everyByteOfAnETagIsStored() throws {
        for byte in Self.bytes where byte != UInt8(ascii: "\"") {
            var facts = ResponseFacts(status: 200, url: "https://example.com/")
            for tag in [[0x22, byte, 0x22], [0x57, 0x2f, 0x22, byte, 0x22]] {
                facts.etag = FieldValue(bytes: tag)
                let point = ResumePoint(
                    offset: 5, fence: 2, instance: "here", facts: facts, total: 9, restarts: 1,
                    now: Timestamp(seconds: 1_790_000_000))
                let stored = try JSON.parse(JSON.object(point.json).serialized())
                let object = try #require(stored.objectValue)
                let read = try #require(ResumePoint(stored: object))
                #expect(read == point)
                #expect(read.claims.validators.entityTag?.bytes == tag)
                #expect((object["etag"] != nil) == (tag.count == 3), "SQL asks for the member")
            }
        }
    }

    @Test func everyByteOfALocationIsAskedFor() throws {
        let base = try SourceURL(parsing: "http://a.test/b/c?d")
        for byte in Self.bytes {
            for (start, prefix) in [("/caf", "/caf"), ("caf", "/b/caf"), ("?caf", "/b/c?caf")] {
                let location = FieldValue(bytes: Array(start.utf8) + [byte])
                switch byte {
                case UInt8(ascii: "\\"):
                    #expect(throws: SourceURLError.self) { try base.resolving(location) }
                case UInt8(ascii: "#"):
                    #expect(try base.resolving(location).target == prefix)
                case UInt8(ascii: ":") where start == "caf":
                    // The location begins with a scheme.
                    #expect(throws: SourceURLError.self) { try base.resolving(location) }
                case 0x80...:
                    let escape = "%" + String(byte, radix: 16, uppercase: true)
                    #expect(try base.resolving(location).target == prefix + escape)
                default:
                    let target = prefix + String(Unicode.Scalar(byte))
                    #expect(try base.resolving(location).target == target)
                }
            }
        }
        #expect(throws: SourceURLError.self) {
            try base.resolving(FieldValue(bytes: Array("//h".utf8) + [0xe9] + Array(".test/".utf8)))
        }
    }
}

extension UnsafePointer<CChar> {
    /// The bytes up to a zero, of the expected number.
    fileprivate func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for place in 0..<count where unsafe self[place] != 0 {
            unsafe bytes.append(UInt8(bitPattern: self[place]))
        }
        return bytes
    }
}
