// Which answers are compressed, for which clients, and what they say about it.
import Base
import Crypto
import Foundation
import HTTPServer
import HTTPWire
import Platform
import Store
import Support
import Testing

@testable import API

@Suite struct CompressorTests {
    private static let asks = [("Accept-Encoding", "gzip, deflate, br")]

    @Test(
        arguments: [
            (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true),
            ("*", true), ("deflate, br, zstd", false), ("identity", false), ("gzip;q=0", false),
            ("gzip;q=0.000", false), ("gzip;q=0.001", true), ("gzip; q=1.0", true),
            ("gzip;q=0, *", false), ("*;q=0", false), ("*;q=0, gzip", true),
            ("identity;q=0.5, gzip;q=0.4", false), ("identity;q=0.5, gzip;q=0.5", true),
            ("identity, gzip;q=0.9", false), ("identity;q=0", false), ("gzip;q=x", false),
            ("gzip;q=nan", false), ("gzipped", false), ("br, , gzip", true), ("deflate,gzip", true),
            ("br;q=1.0, gzip;q=0.8, *;q=0.1", true),
        ] as [(String?, Bool)])
    func gzipIsSentIfItIsAcceptedAndNotWorseThanPlainBytes(_ field: String?, _ isSent: Bool) {
        #expect(AcceptEncoding.prefersGzip(field.map { [$0] } ?? []) == isSent)
        if let field {
            let lines = field.split(separator: ",", omittingEmptySubsequences: false)
            #expect(AcceptEncoding.prefersGzip(lines.map(String.init)) == isSent)
        }
    }

    private static func answer(
        _ count: Int, _ headers: [(String, String)] = [], status: Int = 200
    ) -> Response {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
        return Response(status: status, headers: headers, body: .bytes(bytes))
    }

    @Test func onlyBytesOfMoreThanAKibibyteWithoutAStrongTagAreCompressed() {
        var fields = HeaderFields()
        fields.append("Accept-Encoding", "gzip")
        let request = Request(method: "GET", path: "/", headers: fields)
        let region = FileRegion(descriptor: 0, offset: 0, length: 5000, close: {})
        let rows: [(String, Response, isSent: Bool, varies: Bool)] = [
            ("1024 bytes", Self.answer(1024), false, true),
            ("1025 bytes", Self.answer(1025), true, true),
            ("16 MiB", Self.answer(16 << 20), true, true),
            ("more than 16 MiB", Self.answer((16 << 20) + 1), false, true),
            ("no bytes", Self.answer(0), false, false),
            ("a weak tag", Self.answer(2000, [("ETag", "W/\"a\"")]), true, true),
            ("a strong tag", Self.answer(2000, [("ETag", "\"a\"")]), false, false),
            ("a part", Self.answer(2000, [("Content-Range", "bytes 0-1/2")]), false, false),
            ("compressed", Self.answer(2000, [("Content-Encoding", "br")]), false, false),
            ("a refusal", Self.answer(2000, status: 422), true, true),
            ("a file", Response(status: 200, body: .file(region)), false, false),
            ("a stream", Response(status: 200, body: .stream(BodyStream { _ in })), false, false),
            ("304, weak", Response(status: 304, headers: [("ETag", "W/\"a\"")]), false, true),
            ("304, strong", Response(status: 304, headers: [("ETag", "\"a\"")]), false, false),
            ("204", Response(status: 204), false, false),
        ]
        for (name, response, isSent, varies) in rows {
            #expect(Compressor.compresses(response, for: request) == isSent, "\(name)")
            #expect(Compressor.mayCompress(response) == varies, "\(name)")
            #expect(
                !Compressor.compresses(response, for: Request(method: "GET", path: "/")),
                "\(name): nobody asked")
        }
    }

    /// The fields of `Vary` in lower case.
    private func varied(_ reply: Reply) -> [String] {
        (reply["Vary"] ?? "").split(separator: ",").map { String($0).trimmed.lowercased() }
    }

    /// A service whose lists, documents and refusals have more than a kibibyte.
    private func withLongAnswers(
        _ body: (APIWorld, _ paths: [String]) async throws -> Void
    ) async throws {
        try await APIWorld.with { world in
            let metadata = String(repeating: "x", count: 400)
            var id = ""
            for _ in 0..<8 {
                let made = await world.create(#""metadata":{"a":"\#(metadata)"}"#)
                id = try #require(made.json["id"]?.stringValue)
            }
            let files = PageFile.all.map { "/ui/" + $0.name }
            let paths = [
                "/v1/downloads", "/v1/downloads/\(id)", "/v1/events", "/openapi.yaml", "/metrics",
                "/problems/validation-failed", "/ui/", "/ui/queue", "/livez", "/version", "/",
                "/v1/policy", "/v1/" + String(repeating: "n", count: 3000),
            ]
            try await body(world, paths + files)
        }
    }

    @Test func compressedAnswersHaveThePlainBytesAndTheSameFields() async throws {
        try await withLongAnswers { world, paths in
            var compressed = 0
            for path in paths {
                let plain = await world.send("GET", path)
                for method in ["GET", "HEAD", "GET"] {
                    let reply = await world.send(method, path, headers: Self.asks)
                    #expect(reply.status == plain.status, "\(path)")
                    for field in ["ETag", "Content-Type", "Vary", "Cache-Control"] {
                        #expect(reply[field] == plain[field], "\(path) \(field)")
                    }
                    let mayDiffer = Compressor.mayCompress(plain.response)
                    #expect(varied(reply).contains("accept-encoding") == mayDiffer, "\(path)")
                    guard mayDiffer, plain.bytes.count > Compressor.plainBytesAtMost else {
                        #expect(reply["Content-Encoding"] == nil, "\(path)")
                        continue
                    }
                    compressed += 1
                    #expect(reply["Content-Encoding"] == "gzip", "\(path)")
                    let bytes = try #require(Gunzip.expand(reply.bytes), "\(path)")
                    #expect(reply.bytes.count < bytes.count, "\(path)")
                    // Figures and identifiers of requests differ from one answer to the next.
                    guard path != "/metrics", plain.status == 200 else { continue }
                    #expect(bytes == plain.bytes, "\(path)")
                }
                #expect(plain["Content-Encoding"] == nil, "\(path)")
            }
            #expect(compressed >= 3 * 9, "\(compressed)")
        }
    }

    /// The list of events depends on `Accept` as well, and a stream of them is never compressed.
    @Test func theFieldsOfVaryAreJoinedInOneLine() async throws {
        try await withLongAnswers { world, _ in
            let list = await world.send("GET", "/v1/events", headers: Self.asks)
            #expect(varied(list) == ["accept", "accept-encoding"])
            let names = list.response.headers.filter { $0.0.lowercased() == "vary" }
            #expect(names.count == 1)
            let stream = await world.send(
                "GET", "/v1/events", headers: Self.asks + [("Accept", "text/event-stream")])
            #expect(stream["Content-Encoding"] == nil)
            #expect(varied(stream) == ["accept"])
        }
    }

    @Test func a304OfACompressedFileVariesToo() async throws {
        let world = try APIWorld.alone()
        for file in PageFile.all {
            let reply = await world.send(
                "GET", "/ui/" + file.name,
                headers: Self.asks + [("If-None-Match", file.tag.text)])
            #expect(reply.status == 304 && reply.response.body.length == 0, "\(file.name)")
            #expect(varied(reply) == ["accept-encoding"], "\(file.name)")
            #expect(reply["Content-Encoding"] == nil, "\(file.name)")
        }
    }

    /// A kept file is neither that of another name nor that of a refusal.
    @Test func fixedAnswersAreKeptByTheirNames() async throws {
        let world = try APIWorld.alone()
        for _ in 0..<2 {
            for file in PageFile.all {
                for name in [file.name, file.name.replacing("s", with: "%73")] {
                    let reply = await world.send("GET", "/ui/" + name, headers: Self.asks)
                    let bytes =
                        reply["Content-Encoding"] == nil ? reply.bytes : Gunzip.expand(reply.bytes)
                    #expect(bytes == file.bytes, "\(name)")
                }
            }
            let name = String(repeating: "a", count: 2000)
            let missing = await world.send("GET", "/ui/" + name, headers: Self.asks)
            #expect(missing.status == 404 && missing["Content-Encoding"] == "gzip")
            let text = String(
                decoding: try #require(Gunzip.expand(missing.bytes)), as: UTF8.self)
            #expect(text.contains(try #require(missing["X-Request-Id"])))
        }
    }

    @Test func theCountsAreThoseOfTheSentAnswers() async throws {
        let world = try APIWorld.alone()
        var (plain, sent) = (0, 0)
        for _ in 0..<3 {
            let reply = await world.send("GET", "/openapi.yaml", headers: Self.asks)
            plain += APIDescription.bytes.count
            sent += reply.bytes.count
        }
        let text = world.dependencies.compressor.metric.text
        #expect(text.contains("lull_http_gzip_bytes_total{side=\"before\"} \(plain)\n"))
        #expect(text.contains("lull_http_gzip_bytes_total{side=\"after\"} \(sent)\n"))
    }

    /// Over a socket the length is that of the compressed bytes, and HEAD names the length of GET.
    @Test func theLengthOnTheWireIsThatOfTheCompressedBytes() async throws {
        Signals.ignoreBrokenPipes()
        let world = try APIWorld.alone()
        let wanted = try #require(ListenAddress("127.0.0.1:0"))
        let server = Server(addresses: [wanted], handler: world.handler)
        let address = try #require(try await server.open().first)
        func lines(_ method: String) async throws -> [Substring] {
            let text =
                "\(method) /openapi.yaml HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n"
                + "Connection: close\r\n\r\n"
            return try await RawExchange().send(text, to: address).split(separator: "\r\n")
        }
        do {
            let (whole, head) = (try await lines("GET"), try await lines("HEAD"))
            let packed = await world.send("GET", "/openapi.yaml", headers: Self.asks)
            let length = "Content-Length: \(packed.bytes.count)"
            for answer in [whole, head] {
                #expect(answer.contains { $0 == length })
                #expect(answer.contains { $0 == "Content-Encoding: gzip" })
                #expect(answer.contains { $0 == "Vary: Accept-Encoding" })
            }
        } catch {
            await server.drain(grace: .seconds(20))
            throw error
        }
        await server.drain(grace: .seconds(20))
    }
}
