// Ranges at servers that Lull's authors did not write: files that shrank, files that are whole
// already, and the rest after a cut. The first bytes come from a scripted origin, so that their
// number is exact; then the URL is changed.
import Foundation
import Support
import Testing

extension EndToEndTests {
    @Suite(.serialized) struct RangeTests {
        private struct Seen: Decodable {
            struct Content: Decodable { let sha256: String }
            struct Resume: Decodable {
                let outcome: String
                let reason: String?
                let bytesDiscarded: Int
            }
            let state: String
            let countOfBytesReceived: Int
            let content: Content?
            let resume: Resume?
        }

        private struct Attempts: Decodable {
            struct Attempt: Decodable {
                let resumedFrom: Int
                let httpStatus: Int?
            }
            let data: [Attempt]
        }

        private static let settings = [
            "LULL_RETRY_BASE": "50ms", "LULL_RETRY_CAP": "100ms", "LULL_MAX_ATTEMPTS": "1000",
        ]

        private func get<Value: Decodable>(_ path: String, _ world: World) async throws -> Value {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let answer = try await Curl.get("\(world.lull.base)/v1/downloads/\(path)")
            return try decoder.decode(Value.self, from: Data(answer.body.utf8))
        }

        private func reached(
            _ state: String, _ id: String, _ world: World, bytes: Int = 0
        ) async throws -> Seen {
            try await eventually("\(id) to be \(state)") {
                let seen: Seen = try await get(id, world)
                return seen.state == state && seen.countOfBytesReceived >= bytes ? seen : nil
            }
        }

        /// The bytes of httpbin's `/range/`: the alphabet, repeated.
        private func letters(
            _ count: Int, _ world: World
        ) async throws -> (bytes: [UInt8], digest: String) {
            let bytes = (0..<count).map { UInt8(0x61 + $0 % 26) }
            try world.scratch.write(String(decoding: bytes, as: UTF8.self), to: "letters")
            let made = try await ChildProcess.run("sha256sum", [world.scratch.file("letters")])
            let digest = try #require(made.output.split(separator: " ").first)
            return (bytes, String(digest))
        }

        /// A download that gets this many bytes, then 403 until it has another URL.
        private func begin(
            with bytes: [UInt8], digest: String, _ world: World
        ) async throws -> String {
            let first = try OriginServer { request in
                request["range"] == nil
                    ? [
                        // The answer is chunked, so the length of the whole is not known.
                        .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                        .send(String(bytes.count, radix: 16) + "\r\n"), .sendBytes(bytes),
                        .close,
                    ] : OriginStep.answer("403 Forbidden")
            }
            defer { first.close() }
            let id = try await world.client.create(
                LullClient.Order(url: first.url("/x"), expectedDigest: "sha256:\(digest)")
            ).id
            _ = try await reached("attention_required", id, world, bytes: bytes.count)
            return id
        }

        private func goOn(_ id: String, at url: String, _ world: World) async throws -> Seen {
            let patch = try await Curl.send(
                "PATCH", "\(world.lull.base)/v1/downloads/\(id)", json: "{\"url\": \"\(url)\"}")
            #expect(patch.status == 200, "\(patch.body)")
            _ = try await world.client.act("resume", on: id)
            return try await reached("succeeded", id, world)
        }

        private func lastAttempt(_ id: String, _ world: World) async throws -> Attempts.Attempt {
            let attempts: Attempts = try await get("\(id)/attempts", world)
            return try #require(attempts.data.last)
        }

        /// The bytes here are the whole, a part, or more than the whole.
        private func everyRange(
            of url: String, _ whole: [UInt8], digest: String, _ world: World
        ) async throws {
            let name = Comment(rawValue: url)
            let complete = try await goOn(
                try await begin(with: whole, digest: digest, world), at: url, world)
            #expect(complete.content?.sha256 == digest, name)
            #expect(complete.resume?.outcome == "continued", name)
            #expect(complete.resume?.bytesDiscarded == 0, name)

            let half = Array(whole.prefix(whole.count / 2))
            let id = try await begin(with: half, digest: digest, world)
            let continued = try await goOn(id, at: url, world)
            #expect(continued.content?.sha256 == digest, name)
            #expect(continued.resume?.outcome == "continued", name)
            let attempt = try await lastAttempt(id, world)
            #expect(attempt.resumedFrom == half.count, name)
            #expect(attempt.httpStatus == 206, name)

            // The file shrank: the bytes here reach beyond its end.
            let longer = whole + Array("and what was there before".utf8)
            let shrunk = try await goOn(
                try await begin(with: longer, digest: digest, world), at: url, world)
            #expect(shrunk.content?.sha256 == digest, name)
            #expect(shrunk.resume?.outcome == "restarted", name)
            #expect(shrunk.resume?.bytesDiscarded == longer.count, name)
        }

        @Test(.timeLimit(.minutes(4)))
        func resumesWithEveryRangeAnswerOfNginxAndCaddy() async throws {
            try await World.with(settings: Self.settings) { world in
                let digest = try await world.origin.makeFile("file.bin", length: 300_000)
                let whole = [UInt8](
                    try Data(contentsOf: URL(filePath: world.origin.files + "/file.bin")))
                try await everyRange(
                    of: world.origin.base + "/file.bin", whole, digest: digest, world)
                let caddy = try await ForeignServer.caddy(
                    files: world.origin.files, before: world.origin.base, in: world.scratch)
                try await caddy.during {
                    for path in ["/file.bin", "/proxied/file.bin"] {
                        try await everyRange(
                            of: caddy.base + path, whole, digest: digest, world)
                    }
                }
            }
        }

        @Test(.timeLimit(.minutes(4)))
        func resumesWithEveryRangeAnswerOfHttpbin() async throws {
            try await World.with(settings: Self.settings) { world in
                let httpbin = try await ForeignServer.httpbin(in: world.scratch)
                let (whole, digest) = try await letters(5000, world)
                try await httpbin.during {
                    try await everyRange(
                        of: httpbin.base + "/range/5000", whole, digest: digest, world)
                }
            }
        }

        /// A real server is killed during a transfer and restarted.
        private func cut(
            _ server: ForeignServer, _ path: String, digest: String, atLeast bytes: Int,
            _ world: World
        ) async throws {
            try await server.during {
                let id = try await world.client.create(
                    LullClient.Order(
                        url: server.base + path, expectedDigest: "sha256:\(digest)")
                ).id
                _ = try await reached("running", id, world, bytes: bytes)
                try await server.cut()
                _ = try await reached("waiting", id, world)
                try await server.start()
                let ended = try await reached("succeeded", id, world)
                #expect(ended.content?.sha256 == digest)
                #expect(ended.resume?.outcome == "continued")
                #expect(ended.resume?.bytesDiscarded == 0)
                #expect(try await lastAttempt(id, world).resumedFrom >= bytes)
            }
        }

        /// Caddy cannot limit its rate: Lull's limit keeps the download in the middle.
        @Test(.timeLimit(.minutes(4)))
        func resumesAfterACutFromCaddy() async throws {
            try await World.with(settings: Self.settings.merging(["LULL_BANDWIDTH": "1MiB"]) { $1 })
            {
                world in
                let digest = try await world.origin.makeFile("file.bin", length: 6_000_000)
                let caddy = try await ForeignServer.caddy(
                    files: world.origin.files, before: world.origin.base, in: world.scratch)
                try await cut(caddy, "/file.bin", digest: digest, atLeast: 1_000_000, world)
            }
        }

        /// The ETag of httpbin has no quotes, so only the client's digest proves that the bytes
        /// fit.
        @Test(.timeLimit(.minutes(4)))
        func resumesAfterACutFromHttpbin() async throws {
            try await World.with(settings: Self.settings) { world in
                let httpbin = try await ForeignServer.httpbin(in: world.scratch)
                let digest = try await letters(90_000, world).digest
                try await cut(
                    httpbin, "/range/90000?duration=6&chunk_size=3000",
                    digest: digest, atLeast: 10_000, world)
            }
        }
    }
}
