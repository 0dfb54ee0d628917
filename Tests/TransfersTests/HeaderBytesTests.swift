// Bytes outside ASCII in an answer's head: followed, compared and sent back as they came.
import Base
import Downloads
import Support
import Testing

@testable import Transfers

@Suite struct HeaderBytesTests {
    private static let bytes = (UInt8(0x21)...0xff).filter { $0 != 0x7f }

    /// An answer with one field that has any bytes.
    private static func answer(_ start: String, _ value: [UInt8]) -> [OriginStep] {
        let lines = "HTTP/1.1 \(start)"
        return [.sendBytes(Array(lines.utf8) + value + Array("\r\nContent-Length: 0\r\n\r\n".utf8))]
    }

    /// The byte that a path names.
    private static func byte(_ request: OriginRequest) -> UInt8? {
        request.target.hasPrefix("/byte/") ? UInt8(request.target.dropFirst(6)) : nil
    }

    @Test func everyByteOfALocationIsAskedFor() async throws {
        try await withLab { request in
            guard let byte = Self.byte(request) else { return OriginStep.answer(body: "there") }
            return Self.answer("302 Found\r\nLocation: ", Array("/caf".utf8) + [byte])
        } _: { engine, origin in
            for byte in Self.bytes {
                let result = try await engine.fetch(origin.url("/byte/\(byte)"))
                let asked = origin.requests.last?.target
                switch byte {
                case UInt8(ascii: "\\"):
                    #expect(result.failure?.code == .redirectToNonExistentLocation)
                case UInt8(ascii: "#"): #expect(asked == "/caf")
                case 0x80...:
                    #expect(asked == "/caf%" + String(byte, radix: 16, uppercase: true))
                default: #expect(asked == "/caf" + String(Unicode.Scalar(byte)))
                }
            }
        }
    }

    @Test func anETagOfAnyBytesComesBackInIfRange() async throws {
        try await withLab { request in
            Self.answer("200 OK\r\nETag: ", [0x22, Self.byte(request) ?? 0, 0x22])
        } _: { engine, origin in
            for byte in Self.bytes {
                let first = try await engine.fetch(origin.url("/byte/\(byte)"))
                let tag = try #require(first.head?.etag)
                #expect(tag.bytes == [0x22, byte, 0x22])
                _ = try await engine.fetch(origin.url("/byte/\(byte)")) {
                    $0.rangeStart = 5
                    $0.ifRange = tag
                }
                #expect(origin.requests.last?.bytes("if-range") == [0x22, byte, 0x22])
            }
        }
    }

    @Test func everyByteOfANameIsShown() async throws {
        try await withLab { request in
            let start = Array("attachment; filename=\"caf".utf8)
            return Self.answer(
                "200 OK\r\nContent-Disposition: ", start + [Self.byte(request) ?? 0, 0x22])
        } _: { engine, origin in
            for byte in Self.bytes {
                let head = try await engine.fetch(origin.url("/byte/\(byte)")).head
                let field = try #require(head?.contentDisposition)
                #expect(field.hasPrefix("attachment; filename=\"caf\(Unicode.Scalar(byte))"))
                let name = SuggestedFilename.choose(contentDisposition: field, path: "/p")
                switch byte {
                // These bytes end a name, end a folder, or stand for no character.
                case UInt8(ascii: "\""), UInt8(ascii: "/"), 0x81, 0x8d, 0x8f, 0x90, 0x9d: continue
                case 0x80: #expect(name == "caf€")
                case 0x81...0x9f: #expect(name.unicodeScalars.count == 4)
                case UInt8(ascii: "\\"): #expect(name == "caf\"")
                default: #expect(name == "caf\(Unicode.Scalar(byte))")
                }
            }
        }
    }

    @Test func locationsThatDifferInAByteLeadNowhere() async throws {
        try await withLab { _ in
            Self.answer("302 Found\r\nLocation: /\u{e9}\r\nLocation: /", [0xe9])
        } _: { engine, origin in
            let result = try await engine.fetch(origin.url())
            #expect(result.failure?.code == .redirectToNonExistentLocation)
        }
    }
}
